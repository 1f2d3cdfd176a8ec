// What stands on a lesson's stage for a while and goes again: a question's proof, a fault of "Break it", plates; and
// what stays where the person put it. The lesson is a small one of its own.
#include "app/boards/board.h"
#include "app/gpu/run_plan.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/breaking.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/questions.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tilewalk::test_lesson_stage {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLesson = R"(+++
id = "clocks"
number = 1
phase = 1
title = "Two clocks"
brief = "Clocks"
minutes = 2
+++

## hook: A bar

One bar.

```scene
stage = "clocks"
knobs = { N = 1024, tensor = 1, memory = 1, gpu = "a100-80" }
show = ["N", "gpu"]
```

---

## predict: A choice

```predict
id = "choice"
text = "Which one?"
cover = ["memory_time"]

[[options]]
text = "This one"
right = "true"
why = "Because it is this one."

[[options]]
text = "That one"
right = "false"
why = "Because it is not that one."

[proof]
knobs = { N = 8192, tensor = 2 }
show = ["tensor"]
```

---

## reveal: After it

Nothing is set here.

---

## break: Faster parts

Speed one of them up.

```scene
stage = "clocks"

[[broken]]
says = "fast tensor cores"
knobs = { tensor = 1024 }

[[broken]]
says = "fast memory"
knobs = { memory = 1024 }
```

---

## explore: A walk

```scene
stage = "walk"
seek = "first row max of Q tile 1"
without = ["l2", "ledger"]
[walk]
preset = "toy"
schedule = "fa2"
```

---

## break: A walk that is wrong

```scene
stage = "walk"

[[broken]]
says = "no rescale"
fault = "no-rescale"
```

---

## check: Two

```ask
id = "first"
text = "How much is 1 + 1?"
answer = "2"
why = "Two."
```

```ask
id = "second"
text = "How much is 1 + 2?"
answer = "3"
why = "Three."
```

---

## compute: The end

You can add.
)";

constexpr int kPredict = 1, kReveal = 2, kBreak = 3, kWalk = 4, kCheck = 6, kCompute = 7;

struct Learner {
  fs::path file = fs::temp_directory_path() / fmt::format("tilewalk-stage-{}", getpid()) / "01-clocks.md";
  Session session;
  ViewState view;
  Vec2 size{1920, 1080};

  Learner() {
    fs::create_directories(file.parent_path());
    read(std::string(kLesson));
    view.lesson.cache = std::make_shared<LessonCache>();
    fit(view, size);
  }
  ~Learner() { fs::remove_all(file.parent_path()); }

  // As the window does when the file has changed.
  void read(const std::string& text) {
    std::ofstream(file) << text;
    auto course = std::make_shared<Course>();
    course->open({file.parent_path()});
    for (const CourseEntry& entry : course->entries())
      for (const LessonFault& fault : entry.faults) FAIL_CHECK(fault.message);
    view.lesson.course = std::move(course);
    settle_lesson(session, view);
  }
  void open(int beat) { REQUIRE(open_lesson_numbered(session, view, 1, beat)); }
  Scene scene() { return layout_window(session, view, size); }
  bool press(std::string_view keys) { return key_pressed(parse_keys(keys).front(), scene(), session, view); }
  double knob(std::string_view id) const { return knob_value(*board_named("clocks"), view.board, id); }
  void answer() {
    choose_option(view, 0);
    REQUIRE(lock_answer(session, view));
  }
};

std::string changed(std::string_view from, std::string_view to) {
  std::string text(kLesson);
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("A proof stands until the way goes on, and what was turned since stays") {
  Learner l;
  l.open(kPredict);
  l.answer();
  CHECK(l.knob("N") == 8192);
  CHECK(l.knob("tensor") == 2);
  CHECK(l.view.board.show == std::vector<std::string>{"tensor"});
  l.view.board.knobs["N"] = 256;
  run_command("lesson-next", l.session, l.view);
  CHECK(l.view.lesson.beat == kReveal);
  CHECK(l.knob("N") == 256);  // turned by hand
  CHECK(l.knob("tensor") == 1);
  CHECK(l.view.board.show == std::vector<std::string>{"N", "gpu"});
}

TEST_CASE("Another one of a question begins on the stage that it was first asked on") {
  Learner l;
  l.open(kPredict);
  l.answer();
  run_command("question-another", l.session, l.view);
  CHECK(l.knob("N") == 1024);
  CHECK(l.view.board.covered == std::vector<std::string>{"memory_time"});
}

TEST_CASE("the name of a fault mends it; so does turning its knob back, and then nothing calls it broken") {
  Learner l;
  l.open(0);
  l.press("X");
  REQUIRE(l.scene().find("command:mend"));
  run_command("mend", l.session, l.view);
  CHECK(l.knob("tensor") == 1);
  CHECK_FALSE(l.scene().find("command:mend"));
  l.press("X");
  CHECK(broken_words(l.view) == "fast tensor cores");
  l.view.board.knobs["tensor"] = 1;
  CHECK(broken_words(l.view).empty());
  CHECK_FALSE(l.scene().find("command:mend"));
  CHECK_FALSE(l.scene().find("notice"));
  l.press("X");
  CHECK(broken_words(l.view) == "fast memory");
  l.view.board.knobs["memory"] = 1;
  CHECK(break_words(l.view).starts_with("Break it: fast tensor"));  // from the first again
}

TEST_CASE("X goes through the faults of the lesson and ends where it began") {
  Learner l;
  l.open(0);
  l.press("X");
  CHECK(l.knob("tensor") == 1024);
  CHECK(broken_words(l.view) == "fast tensor cores");
  CHECK(l.view.notice.starts_with("Broken on purpose (1 of 2): fast tensor cores."));
  CHECK(l.scene().find("command:mend"));  // the pill in the top bar
  l.press("X");
  CHECK(l.knob("tensor") == 1);
  CHECK(l.knob("memory") == 1024);
  l.press("X");
  CHECK(l.knob("memory") == 1);
  CHECK(broken_words(l.view).empty());
  CHECK(l.view.notice == "Mended.");

  // Going on mends it too.
  l.press("X");
  show_beat(l.session, l.view, kPredict);
  CHECK(l.knob("tensor") == 1);
  CHECK(l.view.lesson.broken == 0);
}

TEST_CASE("X on a walk breaks its arithmetic where the playhead stands, and mends it") {
  Learner l;
  l.open(kWalk);
  run_command("tile-forward", l.session, l.view);
  const int64_t playhead = l.view.playhead;
  l.press("X");
  CHECK(l.session.problem().mistake == Mistake::NoRescale);
  CHECK(l.view.playhead == playhead);
  l.press("X");
  CHECK(l.session.problem().mistake == Mistake::None);
  CHECK(l.view.playhead == playhead);
}

TEST_CASE("X says where a lesson breaks things when nothing breaks on this stage") {
  Learner l;
  l.open(kCompute);
  l.view.board.board = "launches";
  l.press("X");
  CHECK(l.view.notice == "Nothing breaks here. What this lesson breaks is on beat 4: Faster parts.");
}

TEST_CASE("A break beat has a button for it, and the others have none") {
  Learner l;
  l.open(kBreak);
  const Scene scene = l.scene();
  const Region* button = scene.find("command:break");
  REQUIRE(button);
  pressed(button->rect.center(), scene, l.session, l.view);
  CHECK(l.knob("tensor") == 1024);
  l.open(kReveal);
  CHECK_FALSE(l.scene().find("command:break"));
}

TEST_CASE("A drag along the beats, or End, stops at a question that is open; a click on a beat does not") {
  Learner l;
  l.open(0);
  l.press("End");
  CHECK(l.view.lesson.beat == kPredict);
  CHECK(l.view.notice.starts_with("A question is open here"));
  l.press("End");
  CHECK(l.view.lesson.beat == kPredict);
  Scene scene = l.scene();
  const Rect track = scene.find("beats")->rect;
  pressed({track.x + 1, track.center().y}, scene, l.session, l.view);
  CHECK(l.view.lesson.beat == 0);
  pointer_moved({track.right(), track.center().y}, l.scene(), l.session, l.view);
  released(l.view);
  CHECK(l.view.lesson.beat == kPredict);

  scene = l.scene();
  pressed(scene.find(fmt::format("beat:{}", kCompute))->rect.center(), scene, l.session, l.view);
  CHECK(l.view.lesson.beat == kCompute);
  l.open(kPredict);
  run_command("question-skip", l.session, l.view);  // on purpose
  go_to_beat(l.session, l.view, kCompute);
  CHECK(l.view.lesson.beat == kCheck);
}

TEST_CASE("A file that is read again leaves the stage as it was turned") {
  Learner l;
  l.open(0);
  l.view.board.knobs["N"] = 256;
  l.view.tab = Tab::Numbers;
  l.read(changed("One bar.", "Two bars."));
  CHECK(l.knob("N") == 256);
  CHECK(l.view.tab == Tab::Numbers);
  // The beat's scene has changed: what it names is set, what was turned stays turned.
  l.read(changed("N = 1024, tensor = 1, memory = 1", "N = 2048, tensor = 1, memory = 4"));
  CHECK(l.knob("N") == 256);
  CHECK(l.knob("memory") == 4);

  l.open(kWalk);
  run_command("tile-forward", l.session, l.view);
  const int64_t playhead = l.view.playhead;
  l.read(changed("One bar.", "Three bars."));
  CHECK(l.view.lesson.beat == kWalk);
  CHECK(l.view.playhead == playhead);
}

TEST_CASE("Plates go up in a quarter of a second, and are gone at once where motion is reduced") {
  Learner l;
  l.open(kPredict);
  const size_t covered = l.scene().items.size();
  REQUIRE(covered > 0);
  l.answer();
  CHECK(l.view.lesson.lift == 0);
  CHECK(l.view.lesson.lifting == std::vector<std::string>{"memory_time"});
  CHECK(seconds_to_change_on_stage(l.session, l.view) == 0);
  const size_t lifting = l.scene().items.size();
  pass_time_on_stage(l.session, l.view, kLiftSeconds / 2);
  CHECK(l.view.lesson.lift == doctest::Approx(0.5f));
  pass_time_on_stage(l.session, l.view, kLiftSeconds);
  CHECK(l.view.lesson.lift == 1);
  CHECK(lifting == l.scene().items.size() + 2);  // the plates of the number and of the lower bar

  Learner still;
  still.view.reduced_motion = true;
  still.open(kPredict);
  still.answer();
  CHECK(still.view.lesson.lift == 1);
}

TEST_CASE("What a lesson has not explained yet is not on the walk's stage") {
  Learner l;
  l.open(kWalk);
  CHECK_FALSE(l.scene().find("level:l2"));
  show_beat(l.session, l.view, kWalk + 1);
  CHECK(l.scene().find("level:l2"));
}

TEST_CASE(
    "Keys of the focus: Ctrl+Enter is no Enter, Home and End are a slider's, and of a row of choices Tab stops once") {
  Learner l;
  l.press("Tab");
  REQUIRE(l.view.focus == "command:menu");
  l.press("Ctrl+Enter");
  CHECK_FALSE(is_open<Menu>(l.view));
  CHECK(l.view.lesson.id == "clocks");

  l.view.focus = "knob:N";
  l.press("End");
  CHECK(l.knob("N") == 16384);
  l.press("Home");
  CHECK(l.knob("N") == 256);
  CHECK(l.view.lesson.beat == 0);
  l.press("Tab");
  CHECK(l.view.focus == "knob:gpu/0");
  l.press("→");
  CHECK(l.knob("gpu") == 1);
  CHECK(l.view.focus == "knob:gpu/1");
  l.press("Tab");
  CHECK_FALSE(l.view.focus.starts_with("knob:"));
}

TEST_CASE("In a narrow window Tab goes to the column that lies over the stage first") {
  Learner l;
  l.size = {1024, 768};
  fit(l.view, l.size);
  l.open(kPredict);
  REQUIRE(l.view.column_over);
  l.press("Tab");
  const Scene scene = l.scene();
  const Region* focus = scene.find(l.view.focus);
  REQUIRE(focus);
  CHECK(window_grid(l.size, l.view).column_over.contains(focus->rect.center()));
}

TEST_CASE("G goes to a beat of a lesson, from a board too") {
  Learner l;
  l.open(0);
  l.press("G");
  REQUIRE(l.view.editing == "field:go-to");
  typed_into("field:go-to", "1.3", l.view);
  finish_typing(l.session, l.view);
  CHECK(l.view.lesson.beat == kReveal);
  CHECK_FALSE(is_open<GoTo>(l.view));
  CHECK(*go_to_lesson("37", l.session, l.view) ==
        "This stage has no steps to go to. Type a lesson and its beat, such as 6.3.");
  CHECK(*go_to_lesson("1.99", l.session, l.view) == "Lesson 1 has beats 1 to 8.");
  CHECK(*go_to_lesson("lesson 7", l.session, l.view) == "There is no lesson 7.");
  l.open(kWalk);
  CHECK_FALSE(go_to_lesson("first rescale of Q tile 1", l.session, l.view));
}

TEST_CASE("From the review page the way on leads back to the lesson") {
  Learner l;
  l.open(kReveal);
  run_command("review", l.session, l.view);
  CHECK(continue_words(l.session, l.view) == "To the lesson");
  run_command("lesson-next", l.session, l.view);
  CHECK_FALSE(l.view.lesson.review);
  CHECK(l.view.lesson.beat == kReveal);
}

TEST_CASE("The GPU tab shows what the lesson speaks of, and the stage's inputs where it speaks of nothing") {
  Learner l;
  l.read(changed(
      "+++\n\n## hook",
      "[gpu]\nkernel = \"standard\"\nn = 8192\nlook = \"Three kernels, {{6 * 7 | count}} bytes.\"\n+++\n\n## hook"));
  l.open(0);
  CHECK(l.view.gpu.shape == GpuShape::Benchmark);
  CHECK(l.view.gpu.benchmark_n == 8192);
  CHECK(l.view.gpu.kernel == Method::Standard);
  l.view.tab = Tab::Gpu;
  l.view.gpu.status.state = GpuState::NoWorker;
  const auto says_look = [&] {
    const Scene scene = l.scene();
    return std::ranges::any_of(scene.items, [](const Item& item) {
      const Label* label = std::get_if<Label>(&item);
      return label && label->text.find("Three kernels,") != std::string::npos;
    });
  };
  CHECK(says_look());
  l.view.gpu.benchmark_n = 512;  // another size is not what the sentence is about
  CHECK_FALSE(says_look());
  run_command("free-walk", l.session, l.view);
  CHECK(l.view.gpu.shape == GpuShape::Stage);
}

TEST_CASE("Lessons 1 to 5 have a page in the GPU tab, of a size and a kernel that are recorded") {
  Course course;
  course.open({fs::path(TILEWALK_SOURCE_DIR) / "lessons" / "en"});
  for (int number = 1; number <= 5; ++number) {
    const auto lesson = course.lesson_numbered(number);
    REQUIRE(lesson);
    CHECK(std::ranges::find(kBenchmarkN, lesson->gpu.n) != kBenchmarkN.end());
    CHECK(kernel_named(lesson->gpu.kernel));
    CHECK_FALSE(lesson->gpu.look.empty());
  }
}

TEST_CASE("Whatever was answered wrong, what comes back three lessons later can be answered there") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  for (int number = 4; number <= 14; ++number) {
    Session session;
    ViewState view;
    give_shipped_lessons(view);
    const auto before = course->lesson_numbered(number - 3), lesson = course->lesson_numbered(number);
    REQUIRE((before && lesson));
    for (const Beat& beat : before->beats)
      for (const Question& question : beat.questions)
        view.lesson.progress.lessons[before->id].answers[question.id] = {"1", false, 0, false, 1, ""};
    const auto check = std::ranges::find(lesson->beats, BeatKind::Check, &Beat::kind);
    REQUIRE(check != lesson->beats.end());
    REQUIRE(open_lesson_numbered(session, view, number, int(check - lesson->beats.begin())));
    const std::vector<AskedQuestion> asked = questions_on_show(view);
    CHECK(asked.front().returns);
    for (const AskedQuestion& each : asked) {
      INFO("lesson ", number, ": ", each.key);
      CHECK(instance_on_show(each, session, view).fault == "");
    }
  }
}

}  // namespace tilewalk::test_lesson_stage
