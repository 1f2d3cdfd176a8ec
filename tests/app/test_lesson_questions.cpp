// Questions in a lesson: what covers the stage, what locks, what a skip and a wrong answer lead to.
#include "learner.h"

#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_path.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tilewalk::test_lesson_questions {

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
  CHECK(l.view.notice == "Answer first, or press Skip (S).");
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

namespace {

constexpr std::string_view kStages = R"(+++
id = "stages"
number = 5
phase = 1
title = "Each question has its stage"
brief = "Stages"
minutes = 2
+++

## hook: Covered before it is asked

```scene
stage = "clocks"
knobs = { N = 2048 }
cover = ["intensity"]
```

---

## explore: Turn it

```scene
stage = "clocks"
knobs = { gpu = "a100-80" }
show = ["N"]
```

---

## check: Two of them

```scene
stage = "clocks"
knobs = { gpu = "h100" }
```

```ask
id = "one"
text = "How much is {{N}} + 1?"
answer = "N + 1"
why = "One more."
cover = ["time"]

[vary]
N = ["1024", "4096", "8192"]

[scene]
knobs = { N = "{{N}}" }

[proof]
knobs = { N = 512 }
```

```ask
id = "two"
text = "Which one?"
cover = ["bytes", "time"]

[[options]]
text = "This one"
right = "true"
why = "Because."

[[options]]
text = "That one"
right = "false"
why = "Because not."

[[options]]
text = "Another one"
right = "false"
why = "Nor this."

[scene]
stage = "matrix"
knobs = { heads = 8 }
```

---

## compute: The clocks again

```scene
stage = "clocks"
show = ["N"]
```
)";

bool covers(const Learner& l, std::string_view reading) {
  return std::ranges::count(l.view.board.covered, reading) > 0;
}

}  // namespace

TEST_CASE("Each question is asked of its own stage, whatever was turned before, and later ones stay covered") {
  Learner l;
  l.folder.write("05-stages.md", kStages);
  auto course = std::make_shared<Course>();
  course->open({l.folder.path});
  for (const CourseEntry& entry : course->entries())
    for (const LessonFault& fault : entry.faults) FAIL_CHECK(fault.message);
  l.view.lesson.course = course;
  REQUIRE(open_lesson(l.session, l.view, "stages", 0));
  CHECK(covers(l, "intensity"));
  show_beat(l.session, l.view, 1);
  CHECK_FALSE(covers(l, "intensity"));
  l.view.board.knobs["d"] = 1;  // turned while exploring, and named by nobody
  show_beat(l.session, l.view, 2);
  const auto asked_n = [&] { return instance_on_show(asked_now(l.view), l.session, l.view).variables.at("N").value; };
  CHECK(l.view.board.knobs.at("N") == asked_n());
  CHECK_FALSE(l.view.board.knobs.contains("d"));
  CHECK(covers(l, "time"));
  CHECK(covers(l, "bytes"));  // what the second one will ask for
  type_answer(l.view, "7");
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(l.view.board.knobs.at("N") == 512);  // the proof
  CHECK_FALSE(covers(l, "time"));            // which it shows
  CHECK(covers(l, "bytes"));
  another_question(l.session, l.view);
  CHECK(l.view.board.knobs.at("N") == asked_n());
  type_answer(l.view, "7");
  REQUIRE(lock_answer(l.session, l.view));
  continue_lesson(l.session, l.view);
  CHECK(l.view.board.board == "matrix");
  CHECK(l.view.board.knobs.at("heads") == 8);

  // With the reason on show stand the question, what was chosen and what is right, in the smallest window too.
  l.size = {1280, 720};
  fit(l.view, l.size);
  choose_option(l.view, place_of(l, false));
  const std::string other = asked_now(l.view).question->options[2].text.front().spans.front().text;
  CHECK(says(l, other));
  REQUIRE(lock_answer(l.session, l.view));
  CHECK(says(l, "Which one?"));
  CHECK(says(l, "This one"));
  CHECK(says(l, "Because."));
  const Scene scene = l.scene();
  CHECK(std::ranges::count_if(scene.regions, [](const Region& r) { return r.id.starts_with("option:"); }) == 2);

  // What a question set is not carried on.
  continue_lesson(l.session, l.view);
  CHECK(l.view.board.board == "clocks");
  CHECK(l.view.board.knobs.at("N") == 2048);
}

TEST_CASE("From the last lesson and from the last relative the way on leads to the review page") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 4, 1);
  type_answer(l.view, "2");
  REQUIRE(lock_answer(l.session, l.view));
  l.view.lesson.progress.lessons["review-4"].done = true;
  CHECK(continue_words(l.session, l.view) == "Review");
  continue_lesson(l.session, l.view);
  CHECK(l.view.lesson.review);
}

TEST_CASE("After a relative comes the next one, after the last one nothing") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  int relatives = 0;
  for (const CourseEntry& entry : course->entries())
    relatives += entry.lesson && entry.lesson->number == 0 && !entry.lesson->prologue;
  REQUIRE(relatives == 5);
  std::shared_ptr<const Lesson> now = course->lesson_with("differential-attention");
  std::set<std::string> seen;
  for (; now; now = lesson_after(*now, *course)) {
    CHECK(now->number == 0);
    CHECK(seen.insert(now->id).second);
  }
  CHECK(seen.size() == 5);
}

TEST_CASE("G goes to a relative by its letter or the beginning of its name, and to a step of a board") {
  Learner l;
  auto course = std::make_shared<Course>();
  course->open({std::filesystem::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"});
  l.view.lesson.course = course;
  CHECK(go_to_lesson("f.2", l.session, l.view)->empty());
  CHECK(l.view.lesson.id == "flash-decoding");
  CHECK(l.view.lesson.beat == 1);
  CHECK(go_to_lesson("Ring", l.session, l.view)->empty());
  CHECK(l.view.lesson.id == "ring-attention");
  CHECK(go_to_lesson("3", l.session, l.view)->empty());
  CHECK(l.view.board.step == 3);
  CHECK(*go_to_lesson("9", l.session, l.view) == "Type a step from 0 to 4, or a lesson and its beat, such as 6.3.");
  CHECK(*go_to_lesson("R.9", l.session, l.view) == "Ring Attention has beats 1 to 5.");
  CHECK(l.view.lesson.id == "ring-attention");
}

TEST_CASE("A knob that would show the answer is locked until the question is answered or skipped") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 3);
  REQUIRE(l.view.board.board == "clocks");
  CHECK(l.view.board.locked == std::vector<std::string>{"N"});  // its proof sets 8,192
  CHECK(says(l, "locked"));
  const Scene shut = l.scene();
  CHECK(shut.find("knob:N") == nullptr);
  const Region* plate = shut.find("label:N");
  REQUIRE(plate);
  CHECK(plate->tip.find("until the questions here are answered") != std::string::npos);
  const Board& board = *board_named("clocks");
  nudge_knob(board, l.view.board, "knob:N", 1);
  turn_knob(board, l.view.board, "knob:N", {1, 0.5f}, false);
  CHECK(l.view.board.knobs.at("N") == 1024);

  run_command("question-skip", l.session, l.view);
  CHECK(l.view.board.locked.empty());
  CHECK(l.scene().find("knob:N") != nullptr);
  nudge_knob(board, l.view.board, "knob:N", -1);
  CHECK(l.view.board.knobs.at("N") == 4096);
  run_command("question-another", l.session, l.view);  // asked once more, it is locked once more
  CHECK(l.view.board.locked == std::vector<std::string>{"N"});
}

}  // namespace tilewalk::test_lesson_questions
