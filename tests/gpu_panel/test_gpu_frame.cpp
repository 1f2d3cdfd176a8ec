// The window's frame with a worker at its side: no frame is held up by a flood, a hang or a death, nothing is drawn
// while nothing is said, and the lesson goes on.
#include "app/session/commands.h"
#include "tests/app/null_screen.h"

#include "tests/gpu_panel/stopwatch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

namespace tilewalk::test_gpu_frame {

namespace {

using test::now;

struct Stand {
  NullImgui imgui;
  NullTextures textures;
  NullScreen screen;
  Window window{textures};
  double skipped = 0;
  test::Longest longest;

  explicit Stand(std::string_view script) {
    DeskOptions options;
    options.command = {{TILEWALK_STAND_IN, std::string(script)}, ""};
    options.clock = [this] { return now() + skipped; };
    options.date = [] { return std::string(); };
    window.gpu = std::make_unique<GpuDesk>(std::move(options));
    run_command("tab-gpu", window.session, window.view);
    for (int k = 0; k < 5; ++k) tilewalk::frame(window, screen);  // the first ones build the font
  }
  void frame() {
    const int64_t drawn = window.drawn;
    std::string notice;
    longest.time([&] { update_gpu(*window.gpu, window.session, window.view, notice); });
    window.redraw = std::max(window.redraw, 1);
    tilewalk::frame(window, screen);
    CHECK(window.drawn > drawn);
  }
  GpuState state() const { return window.view.gpu.status.state; }
};

}  // namespace

TEST_CASE("floods, hangs and deaths hold up no frame, and stepping goes on") {
  for (const char* script : {"flood", "flood-json", "flood-line", "hang", "die", "half"}) {
    CAPTURE(script);
    Stand stand(script);
    run_command("gpu-run", stand.window.session, stand.window.view);
    const int64_t playhead = stand.window.view.playhead;
    for (const double until = now() + 0.8; now() < until;) stand.frame();
    CHECK(stand.longest.value() < 0.050);
    CHECK(run_command("part-forward", stand.window.session, stand.window.view));
    stand.frame();
    CHECK(stand.window.view.playhead > playhead);
  }
}

TEST_CASE("nothing is drawn while a run says nothing, and the wait ends with its deadline") {
  Stand stand("hang-run");
  run_command("gpu-run", stand.window.session, stand.window.view);
  const double until = now() + 10;
  while (now() < until && (stand.state() != GpuState::Running || stand.window.redraw > 0 ||
                           stand.window.view.gpu.status.progress.of == 0))
    tilewalk::frame(stand.window, stand.screen), std::this_thread::sleep_for(std::chrono::milliseconds(2));
  REQUIRE(stand.state() == GpuState::Running);
  for (const double quiet = now() + 0.5; now() < quiet;) tilewalk::frame(stand.window, stand.screen);
  const int64_t drawn = stand.window.drawn;
  for (const double quiet = now() + 1; now() < quiet;) tilewalk::frame(stand.window, stand.screen);
  CHECK(stand.window.drawn == drawn);
  CHECK(stand.screen.asked > 10);
  CHECK(stand.screen.asked <= 20);
  stand.skipped = 21;
  tilewalk::frame(stand.window, stand.screen);
  CHECK(stand.state() == GpuState::Failed);
  CHECK(stand.window.drawn > drawn);
}

}  // namespace tilewalk::test_gpu_frame
