// Taking a lesson: beats and what they put on the stage, progress; once by the keyboard alone and once by the mouse
// alone.
#include "learner.h"

#include "app/session/lesson_hands.h"
#include "app/session/lesson_path.h"
#include "app/session/playback.h"
#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace tilewalk::test_lessons {

TEST_CASE("A beat puts its walk, its step, its row and its focus on the stage, and the free walk comes back") {
  Learner l;
  run_command("preset-causal", l.session, l.view);
  run_command("tile-forward", l.session, l.view);
  const int64_t playhead = l.view.playhead;
  REQUIRE(playhead > 0);
  REQUIRE(open_lesson_numbered(l.session, l.view, 1));
  CHECK(l.session.problem().mask == Mask::Full);
  CHECK(l.session.walk().replay.steps()[size_t(l.view.playhead - 1)].kind == StepKind::Rescale);
  CHECK(l.session.walk().replay.steps()[size_t(l.view.playhead - 1)].i == 1);
  CHECK(l.view.row == 5);
  CHECK(l.view.selection == "tile:K/1");
  CHECK(l.view.tab == Tab::Lesson);
  CHECK_FALSE(l.view.playing);

  l.press("Enter");
  CHECK(l.view.board.board == "clocks");
  CHECK(l.view.board.knobs.at("N") == 1024);
  run_command("free-walk", l.session, l.view);
  CHECK(l.session.problem().mask == Mask::Causal);
  CHECK(l.view.playhead == playhead);
  CHECK(l.view.board.board.empty());
  CHECK(l.view.tab == Tab::Explain);
}

TEST_CASE("Going on leaves what the learner set and the beat does not name; going back does not") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 1);
  l.view.board.knobs["N"] = 4096;
  show_beat(l.session, l.view, 2);
  CHECK(l.view.board.knobs.at("N") == 4096);
  CHECK(l.view.board.knobs.contains("gpu"));
  show_beat(l.session, l.view, 1);
  CHECK(l.view.board.knobs.at("N") == 1024);
  // A jump is what the beats up to there make of the stage.
  show_beat(l.session, l.view, 5);
  CHECK(l.view.board.board == "clocks");
  CHECK(l.view.board.knobs.at("N") == 1024);
  CHECK(l.view.board.knobs.contains("gpu"));
}

TEST_CASE("A lesson by the keyboard alone, from its first beat to its last") {
  Learner l;
  REQUIRE(l.press("Ctrl+Enter"));  // what is next
  CHECK(l.view.lesson.id == "first");
  CHECK(l.press("→"));  // a walk's own steps, not beats
  CHECK(l.view.lesson.beat == 0);
  l.press("Enter");
  CHECK(l.view.lesson.beat == 1);
  l.press("→");  // a board without steps: beats
  CHECK(l.view.lesson.beat == 2);
  l.press("P");
  CHECK(l.view.lesson.beat == 1);
  l.press("Enter");
  l.press("Enter");
  REQUIRE(l.view.lesson.beat == 3);

  // A choice: covered, nothing to lock yet, chosen, sure, locked, shown.
  CHECK(l.view.board.covered == std::vector<std::string>{"time"});
  l.press("Enter");
  CHECK_FALSE(question_view(l.view, asked_now(l.view)).locked);
  CHECK_FALSE(question_view(l.view, asked_now(l.view)).fault.empty());
  const int wrong = place_of(l, false);
  CHECK(l.press({Key::Character, char32_t(U'1' + wrong)}));
  CHECK(l.view.tab == Tab::Lesson);
  l.press("Shift+Enter");
  CHECK(l.view.lesson.beat == 3);
  l.press("Enter");
  CHECK(question_view(l.view, asked_now(l.view)).locked);
  CHECK(l.view.board.covered.empty());
  CHECK(l.view.board.knobs.at("N") == 8192);  // the proof
  CHECK_FALSE(l.record("first").answers.at("choice").right);
  CHECK(l.record("first").answers.at("choice").sure);
  CHECK(l.record("first").answers.at("choice").date == "2026-01-02T03:04:05Z");
  l.press("Enter");
  REQUIRE(l.view.lesson.beat == 4);

  // A number: digits begin it, other numbers, other answers.
  CHECK(l.press({Key::Character, U'7'}));
  CHECK(l.view.editing == "field:answer");
  CHECK(text_in("field:answer", l.session, l.view) == "7");
  l.type(fmt::format("{}", answer_now(l) * 1.3));
  CHECK(question_view(l.view, asked_now(l.view)).locked);
  CHECK(l.record("first").answers.at("number").score == 60);
  const double before = answer_now(l);
  l.press("A");
  CHECK_FALSE(question_view(l.view, asked_now(l.view)).locked);
  CHECK(answer_now(l) != before);
  l.press("Enter");  // nothing typed yet: begins typing
  CHECK(l.view.editing == "field:answer");
  l.type(fmt::format("{}", answer_now(l)));
  CHECK(l.record("first").answers.at("number").attempts == 2);
  CHECK(l.record("first").answers.at("number").score == 60);  // of the first answer
  CHECK_FALSE(l.record("first").done);
  l.press("Enter");
  CHECK(l.view.lesson.beat == 5);
  CHECK(l.record("first").done);
  l.press("Enter");
  CHECK(l.view.lesson.id == "lesson-2");
}

TEST_CASE("The same by the mouse alone") {
  Learner l;
  l.click("lesson:1");
  l.click("link:step:Rescale");
  CHECK(l.session.walk().replay.steps()[size_t(l.view.playhead - 1)].kind == StepKind::Rescale);
  l.click("copy:0");
  CHECK(l.view.wishes.copy == "print(\"one\")\n");
  l.click("command:lesson-next");
  l.click("command:lesson-back");
  CHECK(l.view.lesson.beat == 0);
  l.click("beat:3");
  REQUIRE(l.view.lesson.beat == 3);
  l.click(fmt::format("option:{}", place_of(l, true)));
  l.click("command:question-sure");
  l.click("command:lesson-next");
  CHECK(l.record("first").answers.at("choice").right);
  l.click("command:lesson-next");
  l.click("field:answer");
  typed_into("field:answer", fmt::format("{}", answer_now(l)), l.view);
  l.click("command:lesson-next");
  CHECK(l.record("first").answers.at("number").right);
  l.click("command:question-another");
  l.click("command:question-skip");
  CHECK(l.view.lesson.beat == 4);  // the answer is shown first
  l.click("command:lesson-next");
  CHECK(l.view.lesson.beat == 5);
  CHECK(l.record("first").done);
  l.click("lesson:0");
  CHECK(l.view.lesson.id.empty());
  l.click("command:lesson-resume");
  CHECK(l.view.lesson.id == "lesson-2");
}

TEST_CASE("What is next: the lesson that was begun, then what follows the one done last") {
  Learner l;
  CHECK(next_lesson(l.view.lesson.progress, l.view.lesson.course.get()).lesson->number == 1);
  open_lesson_numbered(l.session, l.view, 2, 1);
  open_free_walk(l.session, l.view);
  const NextLesson next = next_lesson(l.view.lesson.progress, l.view.lesson.course.get());
  CHECK(next.lesson->number == 2);
  CHECK(next.resumes);
  run_command("lesson-resume", l.session, l.view);
  CHECK(l.view.lesson.beat == 1);
  lock_answer(l.session, l.view);
  type_answer(l.view, "2");
  lock_answer(l.session, l.view);
  CHECK(l.record("lesson-2").done);
  CHECK(next_lesson(l.view.lesson.progress, l.view.lesson.course.get()).lesson->number == 3);
}

TEST_CASE("A faulty file has a row that leads to its faults, and the last good version stays") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 2);
  l.folder.write("02-later.md", "+++\nid = 7\n+++\n");
  l.folder.write("99-mine.md", "no front matter");
  auto course = std::make_shared<Course>(*l.view.lesson.course);
  std::filesystem::last_write_time(l.folder.path / "02-later.md",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  REQUIRE(course->refresh());
  l.view.lesson.course = course;
  settle_lesson(l.session, l.view);
  CHECK(l.view.lesson.id == "lesson-2");
  std::string row;
  const Scene rail = l.scene();
  for (const Region& region : rail.regions)
    if (region.id.starts_with("fault:")) {
      row = region.id;
      CHECK(region.tip.starts_with("99-mine.md"));
    }
  REQUIRE_FALSE(row.empty());
  l.click(row);
  CHECK(l.view.lesson.fault_of.ends_with("99-mine.md"));
  bool said = false;
  const Scene now = l.scene();
  for (const Item& item : now.items)
    if (const Label* label = std::get_if<Label>(&item)) said |= label->text == "99-mine.md";
  CHECK(said);
}

TEST_CASE("Forgetting asks first") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 1);
  run_command("ask-reset", l.session, l.view);
  CHECK(l.record("first").furthest == 1);
  l.click("command:escape");
  CHECK(l.record("first").furthest == 1);
  CHECK_FALSE(run_command("reset-progress", l.session, l.view));
  run_command("ask-reset", l.session, l.view);
  l.click("command:reset-progress");
  CHECK(l.view.lesson.progress.lessons.empty());
}

TEST_CASE("Review: cards are opened and said to be known; a lesson's question is answered there") {
  Learner l;
  l.press("V");
  REQUIRE(l.view.lesson.review);
  std::string card;
  const Scene page = l.scene();
  for (const Region& region : page.regions)
    if (card.empty() && region.id.starts_with("review:open/")) card = region.id;
  REQUIRE_FALSE(card.empty());
  l.click(card);
  const std::string id = card.substr(std::string_view("review:open/").size());
  l.click("review:knew/" + id);
  CHECK(l.record("review").answers.at(id).right);
  l.click("review:kind/lessons");
  l.click("review:open/first/choice");
  l.click(fmt::format("option:{}", place_of(l, true)));
  l.click("command:lesson-next");
  CHECK(l.record("first").answers.at("choice").right);
  l.press("Esc");
  CHECK_FALSE(l.view.lesson.review);
}

TEST_CASE("The way on stays at the foot of the column, whichever tab is open") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 1);
  CHECK(l.view.tab == Tab::Lesson);  // although its scene names another
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}}) {
    l.size = size;
    l.view.tab = Tab::Lesson;
    const Scene lesson = l.scene();
    for (const Tab tab : {Tab::Explain, Tab::Numbers, Tab::Problem, Tab::Gpu}) {
      l.view.tab = tab;
      const Scene now = l.scene();
      for (const std::string_view id : {"command:lesson-next", "command:lesson-back", "beat:3"}) {
        const Region *there = lesson.find(id), *here = now.find(id);
        REQUIRE(there);
        REQUIRE_MESSAGE(here, id);
        CHECK(here->rect.x == there->rect.x);
        CHECK(here->rect.y == there->rect.y);
      }
    }
  }
  l.click("command:lesson-next");
  CHECK(l.view.lesson.beat == 2);
  CHECK(l.view.tab == Tab::Lesson);
  // An answer is not locked while its question is out of sight.
  l.press("Enter");
  choose_option(l.view, place_of(l, true));
  l.view.tab = Tab::Explain;
  l.click("command:lesson-next");
  CHECK(l.view.tab == Tab::Lesson);
  CHECK_FALSE(question_view(l.view, asked_now(l.view)).locked);
}

TEST_CASE("In a lesson Tab goes to the stage first, and Enter on a slider goes on instead of pressing it") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 1, 1);
  CHECK_FALSE(l.scene().find("command:tab-problem"));  // the walk's schedule, with a board on the stage
  l.press("Tab");
  CHECK((l.view.focus.starts_with("knob:") || l.view.focus.starts_with("board:")));
  l.view.focus = "knob:N";
  l.press("Space");
  CHECK(l.view.board.knobs.at("N") == 1024);
  l.press("→");
  CHECK(l.view.board.knobs.at("N") == 2048);
  l.press("Enter");
  CHECK(l.view.board.knobs.at("N") == 2048);
  CHECK(l.view.lesson.beat == 2);
  run_command("free-walk", l.session, l.view);
  CHECK(l.scene().find("command:tab-problem"));
}

TEST_CASE("The rail turns only as far as the lesson needs that is opened") {
  Learner l;
  give_shipped_lessons(l.view);
  l.size = {1280, 640};
  fit(l.view, l.size);
  l.view.rail_open = true;
  const auto top_of = [&](std::string_view id) {
    const Scene scene = l.scene();
    const Region* row = scene.find(id);
    return row ? std::optional(std::round(row->rect.y)) : std::nullopt;
  };
  REQUIRE(open_lesson_numbered(l.session, l.view, 3));
  REQUIRE(l.scene().find("thumb:rail"));  // there is more than fits
  const auto before = top_of("lesson:4");
  REQUIRE(before);
  for (const int next : {4, 5, 6, 5}) {
    REQUIRE(open_lesson_numbered(l.session, l.view, next));
    CHECK(top_of("lesson:4") == before);
  }
  // One that is out of sight is turned into it, and no further; then the rail stays again.
  REQUIRE_FALSE(top_of("lesson:flash-decoding"));
  REQUIRE(open_lesson(l.session, l.view, "flash-decoding"));
  const auto turned = top_of("lesson:flash-decoding");
  REQUIRE(turned);
  l.press("→");
  REQUIRE(top_of("lesson:14"));
  REQUIRE(open_lesson_numbered(l.session, l.view, 14));
  CHECK(top_of("lesson:flash-decoding") == turned);
  // A hand that turns it is obeyed, and begins where the rail stands.
  const Scene scene = l.scene();
  l.view.pointer = scene.find("panel:rail")->rect.center();
  wheeled(0.2f, scene, l.session, l.view);
  const auto by_hand = top_of("lesson:14");
  REQUIRE(by_hand);
  CHECK(*by_hand > scene.find("lesson:14")->rect.y);
  CHECK(*by_hand < scene.find("lesson:14")->rect.y + 60);
}

TEST_CASE("Who comes back to a beat finds its answered questions answered, and goes on at the one that is open") {
  Learner l;
  l.folder.write("02-later.md", later(2) + R"(
```ask
id = "other"
text = "How much is 2 + 2?"
answer = "4"
why = "Four."
```
)");
  auto course = std::make_shared<Course>();
  course->open({l.folder.path});
  l.view.lesson.course = course;
  REQUIRE(open_lesson_numbered(l.session, l.view, 2, 1));
  type_answer(l.view, "2");
  REQUIRE(lock_answer(l.session, l.view));

  open_lesson_numbered(l.session, l.view, 3, 0);
  open_lesson_numbered(l.session, l.view, 2, 1);
  REQUIRE(asked_now(l.view).key == "other");
  CHECK(says(l, "How much is 2 + 2?"));
  type_answer(l.view, "4");
  REQUIRE(lock_answer(l.session, l.view));
  open_free_walk(l.session, l.view);
  open_lesson_numbered(l.session, l.view, 2, 1);
  CHECK(settled(l.view, asked_now(l.view)));
  CHECK(says(l, "Four."));

  // At the program's next start what was answered is known from the record alone.
  const LearnerProgress kept = l.view.lesson.progress;
  const auto again = [&](std::string_view forgotten) {
    LearnerProgress progress = kept;
    progress.lessons["lesson-2"].answers.erase(std::string(forgotten));
    l.view = {};
    l.view.lesson.course = course;
    l.view.lesson.cache = std::make_shared<LessonCache>();
    l.view.lesson.progress = progress;
    fit(l.view, l.size);
    open_lesson_numbered(l.session, l.view, 2, 1);
    CHECK_FALSE(settled(l.view, asked_now(l.view)));
    return asked_now(l.view).key;
  };
  CHECK(again("other") == "other");
  CHECK(again("") == "own");  // all are answered: once more from the first
}

}  // namespace tilewalk::test_lessons
