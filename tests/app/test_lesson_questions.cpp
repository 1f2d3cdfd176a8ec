// Questions in a lesson: what covers the stage, what locks, what a skip and a wrong answer lead to.
#include "learner.h"

#include "app/session/lesson_hands.h"
#include "app/session/lesson_path.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace tilewalk;

TEST_CASE("A click beside the field of an answer locks nothing") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 4);
  l.click("field:answer");
  typed_into("field:answer", "12", l.view);
  l.click("tab:numbers");
  CHECK(l.view.editing.empty());
  l.click("tab:lesson");
  CHECK_FALSE(question_view(l.view, asked_now(l.view)).locked);
  CHECK(question_view(l.view, asked_now(l.view)).typed == "12");
}

TEST_CASE("A wrong answer comes back once, three lessons later") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 3);
  choose_option(l.view, place_of(l, false));
  REQUIRE(lock_answer(l.session, l.view));
  open_lesson_numbered(l.session, l.view, 3, 1);
  CHECK(questions_on_show(l.view).size() == 1);
  open_lesson_numbered(l.session, l.view, 4, 1);
  REQUIRE(questions_on_show(l.view).size() == 2);
  const AskedQuestion asked = asked_now(l.view);
  CHECK(asked.returns);
  CHECK(asked.key == "first/choice");
  choose_option(l.view, place_of(l, true));
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(questions_on_show(l.view).size() == 2);  // it stays while its reasons are read
  CHECK(l.record("lesson-4").answers.at("first/choice").right);
  open_free_walk(l.session, l.view);
  open_lesson_numbered(l.session, l.view, 4, 1);
  CHECK(questions_on_show(l.view).size() == 1);
}

TEST_CASE("→ passes over no question") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 3);
  l.press("→");
  CHECK(l.view.lesson.beat == 3);
  CHECK(l.view.notice == "Answer first, or press S to skip.");
  choose_option(l.view, place_of(l, true));
  REQUIRE(lock_answer(l.session, l.view));
  l.press("→");
  CHECK(l.view.lesson.beat == 4);
}

TEST_CASE("A question that is skipped shows its answer and its reason in place, and counts for nothing") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 3);
  choose_option(l.view, place_of(l, false));
  l.press("S");
  CHECK(l.view.lesson.beat == 3);
  CHECK(l.view.board.covered.empty());
  CHECK(l.view.board.knobs.at("N") == 8192);  // the proof
  CHECK(says(l, "Skipped"));
  CHECK(says(l, "Because it is this one."));
  CHECK_FALSE(says(l, "Because it is not that one."));
  CHECK_FALSE(lock_answer(l.session, l.view));
  CHECK_FALSE(l.record("first").answers.contains("choice"));
  l.press("Enter");
  REQUIRE(l.view.lesson.beat == 4);
  l.press("S");
  CHECK(says(l, "Doubled."));
  l.press("Enter");
  CHECK(l.view.lesson.beat == 5);
  CHECK_FALSE(l.record("first").done);
}

TEST_CASE("An answer is told in the unit that it was asked in") {
  Question question;
  question.unit = "µs";
  CHECK(answer_in_unit(1.0571e-3, question) == "1,057 µs");
  CHECK(answer_in_unit(66.94e-6, question) == "66.9 µs");
  question.unit = "%";
  CHECK(answer_in_unit(0.516, question) == "51.6 %");
  question.unit = "tiles";
  CHECK_FALSE(answer_in_unit(3, question));
}

TEST_CASE("A number is answered by the pointer alone") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 4);
  for (const char digit : fmt::format("{}9", answer_now(l))) l.click(fmt::format("digit:{}", digit));
  l.click("digit:<");
  CHECK(question_view(l.view, asked_now(l.view)).typed == fmt::format("{}", answer_now(l)));
  l.click("command:lesson-next");
  CHECK(l.record("first").answers.at("number").right);
  CHECK_FALSE(l.scene().find("digit:1"));  // nothing more to type
}

TEST_CASE("Other numbers are promised only where there are some") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 3);
  choose_option(l.view, place_of(l, true));
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(says(l, "Try again"));
  CHECK_FALSE(says(l, "Another one"));
  show_beat(l.session, l.view, 4);
  type_answer(l.view, "1");
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(says(l, "Another one"));
}

TEST_CASE("While a question of another lesson comes back, the stage does not answer this one's") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 3);
  choose_option(l.view, place_of(l, false));
  REQUIRE(lock_answer(l.session, l.view));
  open_lesson_numbered(l.session, l.view, 4, 1);
  REQUIRE(asked_now(l.view).returns);
  const auto covers_time = [&] { return std::ranges::count(l.view.board.covered, "time") > 0; };
  CHECK(covers_time());
  choose_option(l.view, place_of(l, true));
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(covers_time());
  l.press("Enter");
  type_answer(l.view, "2");
  REQUIRE(lock_answer(l.session, l.view));
  CHECK_FALSE(covers_time());
}

TEST_CASE("The end of a lesson says that a question is open still") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 4);
  l.press("S");
  l.press("Enter");
  REQUIRE(l.view.lesson.beat == 5);
  CHECK(says(l, "one is open still"));
  open_lesson_numbered(l.session, l.view, 1, 3);
  choose_option(l.view, place_of(l, true));
  REQUIRE(lock_answer(l.session, l.view));
  show_beat(l.session, l.view, 4);
  another_question(l.session, l.view);
  type_answer(l.view, "20");
  REQUIRE(lock_answer(l.session, l.view));
  show_beat(l.session, l.view, 5);
  CHECK_FALSE(says(l, "one is open still"));
}

TEST_CASE("After a relative comes the next one, after the last one nothing") {
  auto course = std::make_shared<Course>();
  course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"});
  int relatives = 0;
  for (const CourseEntry& entry : course->entries()) relatives += entry.lesson && entry.lesson->number == 0;
  REQUIRE(relatives == 5);
  std::shared_ptr<const Lesson> now = course->lesson_with("differential-attention");
  std::set<std::string> seen;
  for (; now; now = lesson_after(*now, *course)) {
    CHECK(now->number == 0);
    CHECK(seen.insert(now->id).second);
  }
  CHECK(seen.size() == 5);
}
