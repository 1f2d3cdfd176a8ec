// Taking a lesson: beats and what they put on the stage, questions from the first look to the reasons, progress; once
// by the keyboard alone and once by the mouse alone. The lesson is a small one of its own.
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/playback.h"
#include "app/session/questions.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace tilewalk;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirst = R"(+++
id = "first"
number = 1
phase = 1
title = "A first lesson"
brief = "First"
minutes = 2
+++

## hook: A walk of nine steps

The stage shows [a K tile](tile:K/1), {{6 * 7 | count}} and a [rescale](step:Rescale).

```python
print("one")
```

```scene
stage = "walk"
seek = "first rescale of Q tile 2"
row = 6
focus = "tile:K/1"
[walk]
preset = "toy"
schedule = "fa2"
```

---

## explore: Two clocks

```scene
stage = "clocks"
knobs = { N = 1024 }
show = ["N"]
tab = "numbers"
```

---

## explore: The same clocks

```scene
stage = "clocks"
knobs = { gpu = "h100" }
```

---

## predict: A choice

```predict
id = "choice"
text = "Which one?"
cover = ["time"]

[[options]]
text = "This one"
right = "true"
why = "Because it is this one."

[[options]]
text = "That one"
right = "false"
why = "Because it is not that one."

[proof]
knobs = { N = 8192 }
```

---

## check: A number

```ask
id = "number"
text = "How much is twice {{N | count}}?"
answer = "2 * N"
format = "count"
why = "Doubled."

[vary]
N = ["10", "20", "30"]
```

---

## compute: The end

You can double.
)";

// Lessons 2 to 4 differ in their names alone.
std::string later(int number) {
  return fmt::format(R"(+++
id = "lesson-{0}"
number = {0}
phase = 1
title = "Lesson number {0}"
brief = "Lesson {0}"
minutes = 2
+++

## hook: Another

Nothing new.

---

## check: One question

```ask
id = "own"
text = "How much is 1 + 1?"
answer = "2"
why = "Two."
```
)", number);
}

struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("tilewalk-lessons-{}", getpid());
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
    write("01-first.md", kFirst);
    for (int k = 2; k <= 4; ++k) write(fmt::format("0{}-later.md", k), later(k));
  }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, std::string_view text) const { std::ofstream(path / name) << text; }
};

struct Learner {
  Folder folder;
  Session session;
  ViewState view;
  Vec2 size{1920, 1080};

  Learner() {
    auto course = std::make_shared<Course>();
    course->open({folder.path});
    for (const CourseEntry& entry : course->entries())
      for (const LessonFault& fault : entry.faults) FAIL_CHECK(fault.message);
    view.lesson.course = std::move(course);
    view.lesson.cache = std::make_shared<LessonCache>();
    view.lesson.now = "2026-01-02T03:04:05Z";
    fit(view, size);
  }
  Scene scene() { return layout_window(session, view, size); }
  bool press(KeyPress key) { return key_pressed(key, scene(), session, view); }
  bool press(std::string_view keys) { return press(parse_keys(keys).front()); }
  void click(const std::string& id) {
    const Scene now = scene();
    const Region* region = now.find(id);
    REQUIRE_MESSAGE(region, id);
    pressed(region->rect.center(), now, session, view);
    released(view);
  }
  void type(std::string text) {  // into the field that is open, as the window does
    REQUIRE_FALSE(view.editing.empty());
    typed_into(view.editing, std::move(text), view);
    finish_typing(session, view);
  }
  const LessonRecord& record(const std::string& id) { return view.lesson.progress.lessons[id]; }
};

// Right or wrong as it is shown now, whatever the order.
int place_of(const Learner& learner, bool right) {
  const AskedQuestion asked = asked_now(learner.view);
  REQUIRE(asked.question);
  const Instance instance = instance_on_show(asked, learner.session, learner.view);
  for (size_t k = 0; k < instance.order.size(); ++k)
    if (instance.right[size_t(instance.order[k])] == right) return int(k);
  FAIL("no such option");
  return 0;
}

bool says(Learner& learner, std::string_view words) {
  const Scene scene = learner.scene();
  for (const Item& item : scene.items)
    if (const Label* label = std::get_if<Label>(&item); label && label->text.find(words) != std::string::npos)
      return true;
  return false;
}

double answer_now(const Learner& learner) {
  return instance_on_show(asked_now(learner.view), learner.session, learner.view).answer->value;
}

}  // namespace

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

TEST_CASE("What is next: the lesson that was begun, then the first that is not done") {
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
  CHECK(next_lesson(l.view.lesson.progress, l.view.lesson.course.get()).lesson->number == 1);
}

TEST_CASE("A faulty file has a row that leads to its faults, and the last good version stays") {
  Learner l;
  open_lesson_numbered(l.session, l.view, 2);
  l.folder.write("02-later.md", "+++\nid = 7\n+++\n");
  l.folder.write("99-mine.md", "no front matter");
  auto course = std::make_shared<Course>(*l.view.lesson.course);
  fs::last_write_time(l.folder.path / "02-later.md", fs::file_time_type::clock::now() + std::chrono::seconds(5));
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
  l.view.tab = Tab::Numbers;
  CHECK(says(l, "This beat shows a board"));
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
