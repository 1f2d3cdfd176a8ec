// The review of ten as it is taken: it stands behind its lesson, asks on the stage that its questions had, can be left
// out, and is kept.
#include "learner.h"

#include "app/panels/lesson_parts.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_path.h"
#include "app/session/link_moves.h"
#include "core/lesson/answer.h"
#include "shipped_lessons.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tilewalk::test_review_of_ten {

namespace {

// Through the question on show: "2" is right once, then skipped.
void answer_all_of_four(Learner& l) {
  open_lesson_numbered(l.session, l.view, 4, 1);
  type_answer(l.view, "3");
  REQUIRE(lock_answer(l.session, l.view));
}

}  // namespace

TEST_CASE("A lesson that a review stands behind leads to it, and past it") {
  Learner l;
  answer_all_of_four(l);
  CHECK(continue_words(l.session, l.view) == "Ten questions");
  CHECK(thread_words(l.view, *lesson_on_show(l.view)).find("ten questions on lessons 1 to 4") != std::string::npos);
  continue_lesson(l.session, l.view);
  CHECK(l.view.lesson.id == "review-4");
  CHECK(lesson_on_show(l.view)->beats.size() == 5);  // as many as the four lessons have
  CHECK(l.view.lesson.progress.last == "lesson-4");

  // Skipped, it leaves no record, and the review is done at its end all the same.
  for (int k = 0; k < 5; ++k) {
    run_command("question-skip", l.session, l.view);
    if (k < 4) continue_lesson(l.session, l.view);
  }
  CHECK(l.record("review-4").answers.empty());
  CHECK(l.record("review-4").done);
  CHECK(thread_words(l.view, *lesson_on_show(l.view)) == "0 of 5 right, 5 skipped.");
  CHECK(continue_words(l.session, l.view) == "Review");  // the path of this learner ends here
  continue_lesson(l.session, l.view);
  CHECK(l.view.lesson.review);
  open_lesson_numbered(l.session, l.view, 4, 1);
  type_answer(l.view, "2");
  lock_answer(l.session, l.view);
  CHECK(continue_words(l.session, l.view) == "Review");  // who went through it is not led there again
}

TEST_CASE("A review asks with the names, the stage and the plates of the lesson that asked first") {
  Learner l;
  REQUIRE(open_lesson(l.session, l.view, "review-4", 0));
  AskedQuestion asked = asked_now(l.view);
  REQUIRE(asked.question);
  CHECK(asked.key == "first/choice");
  CHECK(asked.lesson->id == "first");
  CHECK(l.view.board.board == "clocks");
  CHECK(l.view.board.knobs.at("N") == 1024);
  CHECK(std::ranges::find(l.view.board.covered, "time") != l.view.board.covered.end());
  CHECK(says(l, "From lesson 1: First"));
  choose_option(l.view, place_of(l, true));
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(l.view.board.knobs.at("N") == 8192);  // its proof
  CHECK(l.record("review-4").answers.at("first/choice").right);
  CHECK_FALSE(l.view.lesson.progress.lessons.contains("first"));

  // Other numbers than the lesson's own first ones.
  continue_lesson(l.session, l.view);
  asked = asked_now(l.view);
  CHECK(asked.key == "first/number");
  CHECK(question_view(l.view, asked).seed != QuestionView{}.seed);

  // Left and opened again, it is the same and goes on where it was.
  const std::string third = lesson_on_show(l.view)->beats[2].questions.front().id;
  show_beat(l.session, l.view, 2);
  open_lesson_numbered(l.session, l.view, 1, 0);
  open_lesson(l.session, l.view, "review-4");
  CHECK(l.view.lesson.beat == 2);
  CHECK(asked_now(l.view).key == third);
}

TEST_CASE("A review of the shipped lessons asks each question that varies with other numbers than its lesson did") {
  int varying = 0;
  for (const char* review : {"review-4", "review-9", "review-14"}) {
    Learner l;
    l.view.lesson.course = shipped_lessons();
    REQUIRE(open_lesson(l.session, l.view, review, 0));
    for (const Beat& beat : lesson_on_show(l.view)->beats)
      for (const Question& asked : beat.questions) {
        if (asked.vary.empty()) continue;
        CAPTURE(asked.id);
        Question first = asked;
        first.id = asked.id.substr(asked.id.rfind('/') + 1);
        const auto now = instance_of(*beat.home, asked, l.view.lesson.questions.at(asked.id).seed).variables,
                   before = instance_of(*beat.home, first, QuestionView{}.seed).variables;
        REQUIRE(now.size() == before.size());
        CHECK(std::ranges::any_of(now,
                                  [&](const auto& each) { return each.second.value != before.at(each.first).value; }));
        ++varying;
      }
  }
  CHECK(varying > 5);
}

TEST_CASE("The rail, Go to, a link, the menu and the review page lead to a review of ten") {
  Learner l;
  l.view.lesson.course = shipped_lessons();
  const auto there = [&](const char* id) {
    CHECK(l.view.lesson.id == id);
    CHECK(lesson_on_show(l.view)->beats.size() == 10);
    open_free_walk(l.session, l.view);
  };
  l.click("lesson:review-4");
  there("review-4");
  CHECK(go_anywhere("review 9", l.session, l.view).empty());
  there("review-9");
  CHECK(go_anywhere("ten 14.3", l.session, l.view).empty());
  CHECK(l.view.lesson.beat == 2);
  there("review-14");
  REQUIRE(open_link("tilewalk://lesson/review-9/beat/4", l.session, l.view).there);
  CHECK(l.view.lesson.beat == 3);
  CHECK(link_here(l.session, l.view).text.find("lesson/review-9/beat/4") != std::string::npos);
  there("review-9");
  run_command("ten", l.session, l.view);
  there("review-4");
  run_command("review", l.session, l.view);
  l.click("lesson:review-14");
  there("review-14");
}

TEST_CASE("The last review alone leads to Estimate") {
  for (const bool last : {false, true}) {
    CAPTURE(last);
    Learner l;
    l.view.lesson.course = shipped_lessons();
    REQUIRE(open_lesson(l.session, l.view, last ? "review-14" : "review-9", 9));
    run_command("question-skip", l.session, l.view);
    CHECK((continue_words(l.session, l.view) == "Your model") == last);
    CHECK((thread_words(l.view, *lesson_on_show(l.view)).find("Estimate") != std::string::npos) == last);
    continue_lesson(l.session, l.view);
    CHECK((l.view.board.board == "estimate") == last);
  }
}

TEST_CASE("Each question of the three reviews can be asked and proved on its stage, in the room too") {
  Learner l;
  l.view.lesson.course = shipped_lessons();
  for (const char* id : {"review-4", "review-9", "review-14"})
    for (int beat = 0; beat < 10; ++beat) {
      CAPTURE(id);
      CAPTURE(beat);
      REQUIRE(open_lesson(l.session, l.view, id, beat));
      CHECK(l.view.notice.empty());
      const AskedQuestion asked = asked_now(l.view);
      const Instance instance = instance_on_show(asked, l.session, l.view);
      CHECK(instance.fault.empty());
      CHECK_FALSE(says(l, "?, "));
      run_command("present", l.session, l.view);
      CHECK(says(l, "Review"));
      run_command("present", l.session, l.view);
      run_command("question-skip", l.session, l.view);
      CHECK(l.view.notice.empty());
    }
}

}  // namespace tilewalk::test_review_of_ten
