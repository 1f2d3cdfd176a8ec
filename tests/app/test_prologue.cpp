// What stands before the path: its prologue, the ways that it offers, and the fold for kernel people; and what a number
// says of itself.
#include "app/export/lesson_page.h"
#include "app/panels/number_tip.h"
#include "app/session/lesson_path.h"
#include "app/session/start.h"
#include "core/io/settings.h"
#include "tests/app/learner.h"
#include "tests/app/shipped_lessons.h"

namespace tilewalk::test_prologue {

namespace {

constexpr std::string_view kFolded = R"(+++
id = "first"
number = 1
phase = 1
title = "A first lesson"
brief = "First"
minutes = 2

[quantities]
bytes = "1e6 * 136"
rate = "2e12"
wait = "bytes / rate"

[meanings]
wait = "How long memory needs for it."
+++

## hook: One

Read by all.

```scene
stage = "clocks"
```

### For kernel people

Registers spill.

### Explain

One of this beat. Two. Three. Four. Five.

---

## explore: Two

More for all.

### For kernel people

Banks conflict.
)";

bool begins_with_prologue(ViewState& view) {
  Session session;
  give_shipped_lessons(view);
  start_where_one_stopped(session, view, false, false);
  return view.lesson.id == "start" && view.lesson.beat == 0;
}

}  // namespace

TEST_CASE("What is for kernel people is folded until somebody opens it, and stays open") {
  Learner l;
  l.folder.write("01-first.md", kFolded);
  auto course = std::make_shared<Course>();
  course->open({l.folder.path});
  l.view.lesson.course = course;
  REQUIRE(open_lesson_numbered(l.session, l.view, 1));
  CHECK(says(l, "For kernel people"));
  CHECK_FALSE(says(l, "Registers spill"));
  l.press("q");
  CHECK(says(l, "Registers spill"));
  show_beat(l.session, l.view, 1);
  CHECK(says(l, "Banks conflict"));
  l.click("command:for-kernels");
  CHECK_FALSE(says(l, "Banks conflict"));
  // A beat's own Explain goes before its board's.
  show_beat(l.session, l.view, 0);
  l.view.tab = Tab::Explain;
  CHECK(says(l, "One of this beat."));
  show_beat(l.session, l.view, 1);
  l.view.tab = Tab::Explain;
  CHECK(says(l, "two jobs"));
  // Exported, it is folded too.
  const std::string page = lesson_page(course, *course->lesson_numbered(1));
  CHECK(page.find("<details class=\"fold\"><summary>For kernel people</summary>\n<p>Registers spill.</p>") !=
        std::string::npos);
}

TEST_CASE("The first start opens the prologue, which is not counted and leads to lesson 1") {
  ViewState view;
  REQUIRE(begins_with_prologue(view));
  Session session;
  const std::shared_ptr<const Lesson> prologue = view.lesson.course->prologue();
  REQUIRE(prologue);
  CHECK(prologue->number == 0);
  show_beat(session, view, int(prologue->beats.size()) - 1);
  CHECK(continue_words(session, view) == "Lesson 1");
  CHECK(lessons_done(view.lesson.progress, view.lesson.course.get()) == 0);
  CHECK(record_of(view.lesson.progress, "start")->done);
  continue_lesson(session, view);
  CHECK(view.lesson.id == "traffic");
  // Whoever has begun already is not sent back to it.
  ViewState later;
  give_shipped_lessons(later);
  later.lesson.progress = view.lesson.progress;
  later.lesson.progress.lessons.erase("start");
  const NextLesson next = next_lesson(later.lesson.progress, later.lesson.course.get());
  CHECK(next.lesson->number == 1);  // opened, and left on its first beat
  CHECK_FALSE(next.resumes);
  run_command("start-here", session, later);
  CHECK(later.lesson.id == "start");
}

TEST_CASE("A way through the path is chosen on the map; the rail, what is next and what is counted follow it") {
  Learner l;
  give_shipped_lessons(l.view);
  const int last = int(l.view.lesson.course->prologue()->beats.size()) - 1;
  REQUIRE(open_lesson(l.session, l.view, "start", last));
  REQUIRE(l.view.board.board == "path");
  l.click("way:idea");
  CHECK(l.view.lesson.way == "idea");
  CHECK_FALSE(l.view.lesson.for_kernels);
  const Course& course = *l.view.lesson.course;
  const LessonWay* way = way_chosen(l.view.lesson);
  REQUIRE(way);
  CHECK(lesson_after(*course.lesson_numbered(4), course, way)->number == 6);
  CHECK(lesson_after(*course.lesson_numbered(4), course)->number == 5);
  CHECK(lesson_after(*course.lesson_numbered(14), course, way) == nullptr);
  const Scene scene = l.scene();
  CHECK(scene.find("lesson:5")->tip.ends_with("Not on the way you chose"));
  CHECK_FALSE(scene.find("lesson:6")->tip.ends_with("Not on the way you chose"));
  CHECK(says(l, "0 of 8"));
  // By keys: Enter on a station of the map opens its lesson.
  l.view.focus = "way:kernels";
  l.view.focus_ring = true;
  l.press("Enter");
  CHECK(l.view.lesson.way == "kernels");
  CHECK(l.view.lesson.for_kernels);
  CHECK(says(l, "0 of 14"));
  l.click("station:9");
  CHECK(lesson_on_show(l.view)->number == 9);
}

TEST_CASE("A number says what it means, then how it is made of others, then where it comes from") {
  const LessonFile file = read_lesson(kFolded, "first.md");
  REQUIRE(file.lesson);
  const Worth worth = [&](std::string_view operand) { return evaluate(operand, names_of(*file.lesson, nullptr, {})); };
  const auto tip = [&](std::string_view expression, std::string_view shown) {
    const Evaluated value = worth(expression);
    REQUIRE_MESSAGE(value.quantity, value.fault);
    return number_tip(expression, shown, *value.quantity, *file.lesson, worth);
  };
  CHECK(tip("wait", "6.8e-05") == "How long memory needs for it. 136,000,000 ÷ 2,000,000,000,000 = 6.8e-05. Computed");
  CHECK(tip("rate", "2e12") == "2e12. Computed");
  CHECK(tip("flop(N=4096, d=64)", "4.29 GFLOP")
            .starts_with("FLOP of the matrix products as benchmarks count them, half under a causal mask. Computed"));
}

TEST_CASE("The way and the fold are kept among the settings") {
  Settings settings;
  settings.way = "idea";
  settings.for_kernels = true;
  const std::string text = settings_text(settings);
  CHECK(text.find("way = \"idea\"") != std::string::npos);
  Settings theirs, ours = theirs;
  ours.way = "kernels";
  ours.for_kernels = true;
  const Settings both = merged(theirs, ours, settings);
  CHECK(both.way == "kernels");
  CHECK(both.for_kernels);
}

}  // namespace tilewalk::test_prologue
