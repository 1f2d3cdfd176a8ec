// The thread that draws is never held up: whatever somebody does, it works less than 50 ms before it looks after its
// display again.
#include "app/boards/boards.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/window/working.h"
#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"
#include "tests/gpu_panel/stopwatch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tilewalk::test_drawing_thread {

namespace {

// Seconds of the drawing thread's own time between two looks at the display; the sanitizers' build takes three times
// it.
#ifdef __SANITIZE_ADDRESS__
constexpr double kLongest = 0.15;
#else
constexpr double kLongest = 0.05;
#endif

// What the thread itself does between two looks at the display, and how often it says that it works. The time of its
// own processor counts: a busy test machine takes longer for everything.
class WatchedScreen final : public Screen {
 public:
  int64_t looks = 0, working = 0;
  double longest = 0;  // seconds
  double last = -1;    // frame; from 0 on seconds are those that go by
  std::deque<InputEvent> next;

  void wait(float seconds, std::deque<InputEvent>& events) override {
    if (looks++ > 0) longest = std::max(longest, test::own() - before_);
    if (next.empty() && seconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (InputEvent& event : next) events.push_back(std::move(event));
    next.clear();
    before_ = test::own();
  }
  float seconds_since_last_frame() override {
    return last < 0 ? 1.0f / 60 : float(test::now() - std::exchange(last, test::now()));
  }
  Vec2 size() override { return {1920, 1080}; }
  void fonts_changed() override { screen_.fonts_changed(); }
  void present(const Scene& scene, ImDrawData&) override {
    for (const Item& item : scene.items)
      if (const Label* label = std::get_if<Label>(&item); label && label->text.starts_with("Working this out"))
        ++working;
  }

 private:
  NullScreen screen_;
  double before_ = 0;
};

struct Bench {
  NullImgui imgui;
  NullTextures textures;
  WatchedScreen screen;
  Window window{textures};
  std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("tilewalk-thread-{}", getpid());
  Bench() {
    std::filesystem::create_directories(folder);
    window.pictures = folder;
    window.aside = std::make_unique<Aside>();
    give_shipped_lessons(window.view);
    frames(3);
  }
  ~Bench() {
    window.aside->wait(10);
    std::filesystem::remove_all(folder);
  }
  void frames(int count) {
    for (int k = 0; k < count && window.open; ++k) frame(window, screen);
  }
  // As somebody does it with a key: aside, and what it leads to is laid out and drawn.
  void act(const std::function<void()>& what) {
    work(window, screen, what);
    window.redraw = 2;
    frames(2);
  }
  void press(Key key, char32_t character = 0, bool ctrl = false) {
    InputEvent event{InputEvent::KeyDown, {}, 0, {}, {}};
    event.key.key = key;
    event.key.character = character;
    event.key.ctrl = ctrl;
    screen.next.push_back(event);
  }
};

Setup long_walk(const Session& session) {
  Setup setup = session.setup();
  setup.problem.n_q = setup.problem.n_k = 2048;
  setup.problem.d = 128;
  setup.problem.br = setup.problem.bc = 64;
  return setup;
}

double seconds_of(const auto& act) {
  const double before = test::now();
  act();
  return test::now() - before;
}

}  // namespace

TEST_CASE("A talk's clock counts what took long to work out") {
  Bench bench;
  begin_presenting(bench.window.session, bench.window.view, false);
  bench.screen.last = test::now();
  const double from = test::now(), clock = bench.window.view.present.elapsed;
  for (int k = 0; k < 3; ++k) {
    bench.act([] { std::this_thread::sleep_for(std::chrono::milliseconds(400)); });
    bench.frames(1);
  }
  const double gone = test::now() - from;
  CHECK(gone > 1.2);
  CHECK(bench.window.view.present.elapsed - clock == doctest::Approx(gone).epsilon(0.05));
}

TEST_CASE("what is done aside comes to an end, and what it throws is a sentence") {
  Aside aside;
  std::atomic<int> done = 0;
  aside.begin([&] { ++done; });
  CHECK(aside.wait(10));
  CHECK(done == 1);
  CHECK(aside.take_fault() == "");
  aside.begin([] { throw std::runtime_error("no \x1b[31mluck"); });
  CHECK(aside.wait(10));
  const std::string fault = aside.take_fault();
  CHECK(fault.starts_with("That could not be done: no "));
  CHECK(fault.find('\x1b') == std::string::npos);
  CHECK(aside.take_fault() == "");
  aside.begin([] { throw std::bad_alloc(); });
  CHECK(aside.wait(10));
  CHECK(aside.take_fault() == "This machine has too little memory for that.");
  aside.begin([&] { ++done; });  // and the thread goes on
  CHECK(aside.wait(10));
  CHECK(done == 2);
}

TEST_CASE("somebody who stopped waiting is woken, one who waited is not") {
  std::atomic<int> woken = 0;
  Aside aside([&] { ++woken; });
  aside.begin([] {});
  CHECK(aside.wait(10));
  CHECK(woken == 0);
  std::atomic<bool> go = false;
  aside.begin([&] {
    while (!go) std::this_thread::yield();
  });
  CHECK_FALSE(aside.wait(0.001));
  go = true;
  for (int k = 0; k < 1000 && woken == 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(woken == 1);
}

TEST_CASE("a long walk is made while the window goes on, and says that it is being worked out") {
  Bench b;
  const int64_t looks = b.screen.looks;
  const double took =
      seconds_of([&] { b.act([&] { CHECK(b.window.session.change(long_walk(b.window.session)).empty()); }); });
  CHECK(b.window.session.problem().n_q == 2048);
  MESSAGE("made in ", took, " s; looks at the display: ", b.screen.looks - looks, ", longest work between two of them ",
          b.screen.longest * 1e3, " ms");
  CHECK(took > kSaysSo);  // else it shows nothing
  CHECK(b.screen.working == 1);
  CHECK(b.screen.looks - looks > 20);
  CHECK(b.screen.longest < kLongest);
}

TEST_CASE("what fails aside is a sentence in the window") {
  Bench b;
  b.act([] { throw std::runtime_error("no luck"); });
  CHECK(b.window.view.notice == "That could not be done: no luck.");
  CHECK(b.window.open);
}

TEST_CASE("the window can be left while something is being worked out, within 0.3 s") {
  for (const bool key : {true, false}) {
    Bench b;
    std::atomic<bool> go = false;
    if (key) b.press(Key::Character, U'q', true);
    if (!key) b.screen.next.push_back({InputEvent::Close, {}, 0, {}, {}});
    bool done = true;
    const double took = seconds_of([&] {
      done = work(b.window, b.screen, [&] {
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
    });
    CHECK_FALSE(done);
    CHECK_FALSE(b.window.open);
    CHECK(left_behind(b.window));
    CHECK(took < 0.3);
    go = true;  // what the program does not wait for, a test does
    CHECK(b.window.aside->wait(10));
  }
  // What ends soon is waited for, and the key is left to whom it belongs.
  Bench b;
  b.press(Key::Character, U'q', true);
  CHECK(work(b.window, b.screen, [] { std::this_thread::sleep_for(std::chrono::milliseconds(40)); }));
  CHECK(b.window.open);
  b.frames(2);
  CHECK_FALSE(b.window.open);
}

TEST_CASE("no lesson, no board and no command holds the thread that draws") {
  Bench b;
  Window& w = b.window;
  const auto act = [&](const auto& what) { b.act(what); };
  for (const CourseEntry& entry : w.view.lesson.course->entries())
    for (int beat = 0; entry.lesson && beat < int(entry.lesson->beats.size()); ++beat) {
      act([&] { open_lesson(w.session, w.view, entry.lesson->id, beat); });
      for (int question = 0; question < 8; ++question) {
        const AskedQuestion asked = asked_now(w.view);
        if (!asked.question || settled(w.view, asked)) break;
        act([&] { run_command("skip-question", w.session, w.view); });
        act([&] { run_command("another-question", w.session, w.view); });
        act([&] { run_command("skip-question", w.session, w.view); });
        act([&] { continue_lesson(w.session, w.view); });
        if (w.view.lesson.beat != beat) break;
      }
    }
  act([&] { open_free_walk(w.session, w.view); });
  for (const Board* board : boards()) {
    act([&] { w.view.board = read_board_state(board->id); });
    for (const Knob& knob : board->knobs)
      for (const double value : {knob.least, knob.top()}) act([&] { turn_to(*board, w.view.board, knob.id, value); });
  }
  for (const Command& command : commands()) {
    if (command.id == "quit") continue;
    act([&] { run_command(command.id, w.session, w.view); });
    w.view.wishes = {};
  }
  MESSAGE(b.screen.looks, " looks at the display, longest work between two of them ", b.screen.longest * 1e3, " ms");
  CHECK(b.screen.longest < kLongest);
}

}  // namespace tilewalk::test_drawing_thread
