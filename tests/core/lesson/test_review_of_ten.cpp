// Ten questions that look back: which are drawn, in what order, and what they bring along.
#include "core/lesson/review_of_ten.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tilewalk::test_review_of_ten {

namespace {

Course shipped() {
  Course course;
  course.open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons/en"});
  return course;
}

std::vector<std::string> keys_of(const Lesson& ten) {
  std::vector<std::string> out;
  for (const Beat& beat : ten.beats) {
    REQUIRE(beat.questions.size() == 1);
    out.push_back(beat.questions.front().id);
  }
  return out;
}

bool asks(const Lesson& ten, std::string_view key) {
  const std::vector<std::string> keys = keys_of(ten);
  return std::ranges::find(keys, key) != keys.end();
}

std::string words_of(const Prose& prose) {
  std::string out;
  for (const Block& block : prose)
    for (const Span& span : block.spans) out += span.text;
  return out;
}

}  // namespace

TEST_CASE("Each review asks ten different questions of the lessons before it, in the order of the path") {
  const Course course = shipped();
  for (const int after : kReviewsAfter) {
    CAPTURE(after);
    const auto ten = review_of_ten(course, {}, nullptr, after);
    REQUIRE(ten);
    CHECK(ten->review == after);
    CHECK(review_named(ten->id) == after);
    const std::vector<std::string> keys = keys_of(*ten);
    CHECK(keys.size() == 10);
    CHECK(std::set(keys.begin(), keys.end()).size() == 10);
    int number = 0;
    for (const Beat& beat : ten->beats) {
      REQUIRE(beat.home);
      CHECK(beat.home->number >= number);
      number = beat.home->number;
      CHECK(number <= after);
      CHECK(review_that_asks(number) == after);  // what went right in an earlier review's lessons does not come again
      const Beat& there = beat.home->beats[size_t(beat.home_beat)];
      CHECK(beat.questions.front().id.starts_with(beat.home->id + "/"));
      if (there.kind != BeatKind::Check) CHECK(beat.text.size() >= there.text.size());  // its premise stands before it
    }
  }
  CHECK(review_named("review-5") == 0);
}

TEST_CASE("The draw is the same for one seed and another one for the next") {
  const Course course = shipped();
  const auto draw = [&](uint64_t seed) { return keys_of(*review_of_ten(course, {}, nullptr, 14, seed)); };
  CHECK(draw(1) == draw(1));
  CHECK(draw(1) != draw(2));
}

TEST_CASE("Before a question with numbers of its own stand none of its lesson's") {
  const Course course = shipped();
  int own = 0;
  for (const int after : kReviewsAfter)
    for (uint64_t seed = 1; seed < 12; ++seed) {
      const auto ten = review_of_ten(course, {}, nullptr, after, seed);
      REQUIRE(ten);
      for (const Beat& beat : ten->beats) {
        if (beat.home->beats[size_t(beat.home_beat)].kind != BeatKind::Check) continue;
        const std::string asked = words_of(beat.questions.front().text), before = words_of(beat.text);
        for (const std::string name : {"N", "d"}) {
          const bool says = asked.find(name + " = ") != asked.npos || asked.find("largest " + name) != asked.npos;
          own += says;
          if (says)
            CHECK_MESSAGE(before.find(name + " = ") == before.npos, (beat.questions.front().id + ": " + before));
        }
      }
    }
  CHECK(own > 50);
}

TEST_CASE("What was answered wrong is asked first, what only reviews ask next, and an answer given here stays") {
  const Course course = shipped();
  const auto fresh = review_of_ten(course, {}, nullptr, 4);
  for (const CourseEntry& entry : course.entries())
    for (size_t k = 0;
         entry.lesson && entry.lesson->number >= 1 && entry.lesson->number <= 4 && k < entry.lesson->beats.size(); ++k)
      for (const Question* question : all_questions_of(entry.lesson->beats[k])) {
        const std::string key = entry.lesson->id + "/" + question->id;
        CAPTURE(key);
        LearnerProgress missed;
        missed.lessons[entry.lesson->id].answers[question->id] = {"1", false, 0, false, 1, ""};
        CHECK(asks(*review_of_ten(course, missed, nullptr, 4), key));
        CHECK(asks(*review_of_ten(course, missed, nullptr, 9), key));  // it was wrong still
        missed.lessons["review-4"].answers[key] = {"2", true, 100, false, 1, ""};
        CHECK(asks(*review_of_ten(course, missed, nullptr, 4), key));
        CHECK_FALSE(asks(*review_of_ten(course, missed, nullptr, 9), key));
      }
  const auto drills = [](const Course& all, int from, int to) {
    int count = 0;
    for (const CourseEntry& entry : all.entries())
      for (size_t k = 0;
           entry.lesson && entry.lesson->number >= from && entry.lesson->number <= to && k < entry.lesson->beats.size();
           ++k)
        count += int(entry.lesson->beats[k].drills.size());
    return count;
  };
  const auto drilled = [](const Lesson& ten) {
    return int(std::ranges::count_if(ten.beats, [](const Beat& beat) { return beat.questions.front().drill; }));
  };
  CHECK(drilled(*fresh) == std::min(10, drills(course, 1, 4)));
  CHECK(drilled(*review_of_ten(course, {}, nullptr, 9)) == std::min(10, drills(course, 5, 9)));
}

TEST_CASE("On a way that leaves lessons out, those that were begun all the same are asked about, and always ten") {
  const Course course = shipped();
  const LessonWay* idea = course.way_called("idea");
  REQUIRE(idea);
  LearnerProgress progress;
  const auto homes = [&](int after) {
    std::multiset<int> out;
    const auto ten = review_of_ten(course, progress, idea, after);
    for (const Beat& beat : ten->beats) out.insert(beat.home->number);
    CHECK(out.size() == 10);
    return out;
  };
  const auto begin = [&](int number, bool right) {
    const auto lesson = course.lesson_numbered(number);
    for (const Beat& beat : lesson->beats)
      for (const Question* question : all_questions_of(beat))
        progress.lessons[lesson->id].answers[question->id] = {"1", right, 0, false, 1, ""};
  };
  CHECK_FALSE(homes(9).contains(5));
  begin(5, false);
  CHECK(homes(9).contains(5));

  // Of lessons 10 to 14 only the last is on the way: older ones fill up.
  const auto last = homes(14);
  CHECK(last.count(14) < 10);
  CHECK(*last.rbegin() == 14);
  for (const int number : {10, 11, 12, 13}) CHECK_FALSE(last.contains(number));
  progress = {};
  for (const int number : {10, 11, 12, 13}) begin(number, true);
  const auto begun = homes(14);
  CHECK(*begun.begin() >= 10);
  CHECK(begun.count(14) < 10);
}

TEST_CASE("A question says on what it was set, where its lesson named it") {
  const Course course = shipped();
  const auto ten = review_of_ten(course, {}, nullptr, 4);
  int said = 0;
  for (const Beat& beat : ten->beats)
    for (const Block& block : beat.text)
      for (const Span& span : block.spans) said += span.text.starts_with("A100");
  CHECK(said >= 5);
}

TEST_CASE("Before a question no other N stands than the question's own") {
  const Course course = shipped();
  int asked = 0;
  for (const int after : {4, 9, 14})
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const auto ten = review_of_ten(course, {}, nullptr, after, seed);
      for (const Beat& beat : ten->beats) {
        const Question& question = beat.questions.front();
        std::string own;
        for (const Block& block : question.text)
          for (const Span& span : block.spans) own += span.text;
        if (own.find("N = ") == std::string::npos || beat.text.empty() || beat.text.front().spans.empty()) continue;
        ++asked;
        CAPTURE(question.id);
        const std::string& first = beat.text.front().spans.front().text;
        if (first.starts_with("A100")) CHECK(first.find("N = ") == std::string::npos);
      }
    }
  CHECK(asked > 30);
}

}  // namespace tilewalk::test_review_of_ten
