// The window: the first frame, what a frame costs, and what an idle window costs. Needs a display; under Xvfb with
// Mesa's llvmpipe the figures are those of a machine without a graphics card.
#include "app/boards/board.h"
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/session/transport.h"
#include "app/shell/desktop/gl_texture.h"
#include "app/shell/desktop/glfw_screen.h"
#include "tests/app/null_screen.h"
#include "tests/bench/bench.h"
#include "core/run/shipped.h"

#include <fmt/format.h>
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <thread>

namespace tilewalk::bench {
namespace {

constexpr Vec2 kSize{1920, 1080};

// The fullest stage: 16 x 16 tiles with numbers, four of them a side, in the middle of the walk.
void fill(Window& window) {
  Setup setup = window.session.setup();
  setup.problem.n_q = setup.problem.n_k = 64;
  setup.problem.d = 32;
  setup.problem.br = setup.problem.bc = 16;
  window.session.change(setup);
  seek(window.session.walk(), window.view, window.session.walk().replay.length() / 2);
}

void one_frame(Window& window, Screen& screen) {
  window.redraw = 1;
  frame(window, screen);
}

double process_milliseconds() { return double(std::clock()) * 1e3 / CLOCKS_PER_SEC; }

void without_rasterising(Report& report) {
  NullImgui context;
  NullTextures textures;
  NullScreen screen;
  screen.pixels = kSize;
  Window window(textures);
  for (const bool pair : {false, true}) {
    fill(window);
    if (pair) run_command("compare", window.session, window.view);
    for (int n = 0; n < 5; ++n) one_frame(window, screen);
    const std::vector<double> times = sorted_milliseconds(200, [&] { one_frame(window, screen); });
    report.line(fmt::format("processor time of a frame, 1920x1080, {}", pair ? "two schedules" : "fullest stage"),
                median(times), "ms", 2);
    report.line("  worst of 200", times.back(), "ms");
  }
}

// A handle of the fullest drawing goes up and down: roofs, points, names and the truth over them are made anew.
void dragging_a_roof(Report& report) {
  constexpr const char* kFullest =
      "draw?gpu=h200&N=8192&roofs=dram:4.8e12,l2:1e13,sram:3e13,tensor:1e15,vector:3e13,exponential:4e12&points="
      "standard:34e9:b545e6,fa1:34e9:b1e9,fa2:34e9:b8.4e6,fa3:34e9:b8.4e6,standard-bwd:86e9:b1e9,fa1-bwd:86e9:b6e7,"
      "fa2-bwd:86e9:b3e7,fa3-bwd:86e9:b3e7,standard-causal:17e9:b5e8,fa1-causal:17e9:b5e8,fa2-causal:17e9:b8e6,"
      "fa3-causal:17e9:b8e6";
  const Session session;
  ViewState view;
  const Style style(Theme::Light, 1);
  const Board& board = *board_named("draw");
  // As in the window, where a thread has read the shipped recordings before, and their files among a person's own.
  auto files = std::make_shared<Recordings>();
  for (const RunResult& run : shipped_recordings())
    files->all.push_back({std::make_shared<const RunResult>(run), "h200.json"});
  view.gpu.recordings = files;
  for (const bool truth : {false, true}) {
    view.board = read_board_state(kFullest);
    turn_to(board, view.board, "reveal", truth ? 1 : 0);
    board.act("board:plot/roof/dram", {0.1f, 0.5f}, false, view.board);
    float at = 0;
    const std::vector<double> times = sorted_milliseconds(200, [&] {
      at = at > 0.2f ? 0 : at + 0.004f;
      board.act("board:plot/roof/dram", {0.1f, 0.4f + at}, true, view.board);
      Scene scene;
      scene.size = kSize;
      layout_board(scene, session, view, view.board, {264, 48, 1120, 912}, style);
    });
    report.line(fmt::format("dragging a roof, 6 roofs, 12 points{}", truth ? ", with the truth" : ""), median(times),
                "ms", 2);
    report.line("  worst of 200", times.back(), "ms");
  }
}

void with_a_display(Report& report) {
  std::unique_ptr<NullImgui> context;
  std::unique_ptr<GlfwScreen> screen;
  std::unique_ptr<GlAlphaTextures> textures;
  std::unique_ptr<Window> window;
  std::string fault;
  const double first = wall_milliseconds([&] {
    context = std::make_unique<NullImgui>();
    screen = std::make_unique<GlfwScreen>();
    ScreenOptions options;
    options.size = kSize;
    fault = screen->open(options);
    if (!fault.empty()) return;
    textures = std::make_unique<GlAlphaTextures>();
    window = std::make_unique<Window>(*textures);
    while (window->drawn == 0) frame(*window, *screen);
  });
  if (!fault.empty()) {
    report.text(fault);
    return;
  }
  report.line("first frame after start", first, "ms", 400);
  while (window->redraw > 0) frame(*window, *screen);

  fill(*window);
  for (int n = 0; n < 5; ++n) one_frame(*window, *screen);
  std::vector<double> times;
  for (int n = 0; n < 60; ++n) times.push_back(wall_milliseconds([&] { one_frame(*window, *screen); }));
  std::sort(times.begin(), times.end());
  report.line("frame on this display, 1920x1080, fullest stage", median(times), "ms", 16);

  // Idle: ten seconds in which nothing is touched.
  while (window->redraw > 0) frame(*window, *screen);
  const int64_t drawn = window->drawn;
  const double before = process_milliseconds();
  std::thread alarm([] {
    for (int second = 0; second < 10; ++second) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      glfwPostEmptyEvent();  // nothing happened: the window looks and sleeps again
    }
  });
  for (int second = 0; second < 10; ++second) frame(*window, *screen);
  alarm.join();
  report.line("processor use while idle for 10 s", (process_milliseconds() - before) / 100, "%", 1);
  report.line("frames drawn while idle", double(window->drawn - drawn), "", 0);
  report.line("resident memory of the window", resident_megabytes(), "MB", 200);
  window.reset();
  textures.reset();
  screen.reset();
}

}  // namespace

void bench_app(Report& report) {
  report.heading("The window");
  with_a_display(report);
  without_rasterising(report);
  dragging_a_roof(report);
}

}  // namespace tilewalk::bench
