// The program's frame in a real window: pixels change with the theme, nothing is drawn while nothing happens, and how
// long the first frame takes.
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/window/frame.h"
#include "app/shell/desktop/gl_texture.h"
#include "app/shell/desktop/glfw_screen.h"
#include "app/shell/desktop/offscreen.h"

#include <doctest/doctest.h>
#include <glad/gl.h>
#include <imgui.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tilewalk::test_window {

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Context {
  Context() : context(ImGui::CreateContext()) { set_up_imgui(); }
  ~Context() { ImGui::DestroyContext(context); }
  ImGuiContext* context;
};

// Keeps every 37th pixel of what was drawn last.
class WatchedScreen final : public GlfwScreen {
 public:
  std::vector<uint32_t> pixels;

 protected:
  void swap() override {
    const Vec2 area = size();
    std::vector<uint32_t> all(size_t(area.x) * size_t(area.y));
    glReadPixels(0, 0, int(area.x), int(area.y), GL_RGBA, GL_UNSIGNED_BYTE, all.data());
    pixels.clear();
    for (size_t k = 0; k < all.size(); k += 37) pixels.push_back(all[k]);
    GlfwScreen::swap();
  }
};

}  // namespace

TEST_CASE("The window draws in three themes, and nothing while nothing happens") {
  const auto start = Clock::now();
  Context imgui;
  WatchedScreen screen;
  ScreenOptions options;
  options.size = {1280, 720};
  REQUIRE(screen.open(options) == "");
  GlAlphaTextures textures;
  Window window(textures);
  frame(window, screen);
  MESSAGE("first frame after ", milliseconds_since(start), " ms");

  const auto settle = [&] {
    const auto until = Clock::now() + std::chrono::seconds(5);
    // Events of the window's own arrive for a while after it is opened.
    for (int quiet = 0; quiet < 5 && Clock::now() < until;) {
      const int64_t before = window.drawn;
      window.events.push_back({InputEvent::Leave, {}, 0, {}, {}});  // wakes the frame, changes nothing
      frame(window, screen);
      quiet = window.drawn == before ? quiet + 1 : 0;
    }
  };
  std::set<std::vector<uint32_t>> pictures;
  for (int theme = 0; theme < 3; ++theme) {
    window.view.theme = Theme(theme);
    window.redraw = 2;
    settle();
    CHECK(std::set<uint32_t>(screen.pixels.begin(), screen.pixels.end()).size() > 20);
    pictures.insert(screen.pixels);
  }
  CHECK(pictures.size() == 3);

  // Five seconds of nothing.
  std::deque<InputEvent> events;
  for (int k = 0; k < 5; ++k) screen.wait(0.05f, events);
  events.clear();
  const int64_t before = window.drawn;
  const auto until = Clock::now() + std::chrono::seconds(5);
  const std::clock_t cpu = std::clock();
  while (Clock::now() < until) {
    screen.wait(0.5f, window.events);
    if (!window.events.empty()) frame(window, screen);
  }
  CHECK(window.drawn == before);
  const double used = double(std::clock() - cpu) / CLOCKS_PER_SEC;
  MESSAGE("processor time in 5 s of nothing: ", used * 1000, " ms");
  CHECK(used < 0.2);

  // And then something.
  run_command("part-forward", window.session, window.view);
  const auto moving = Clock::now();
  while (window.view.phase < 1 && milliseconds_since(moving) < 5000) frame(window, screen);
  CHECK(window.drawn > before);
}

TEST_CASE("A scene is written as a picture without showing a window") {
  Session session;
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-scene.png";
  REQUIRE(write_png(layout_window(session, {}, {1280, 720}), file) == "");
  CHECK(std::filesystem::file_size(file) > 20000);
  std::filesystem::remove(file);
  const std::string fault = write_png(layout_window(session, {}, {640, 480}), "/no/such/folder/x.png");
  CHECK(fault.find("/no/such/folder/x.png") != std::string::npos);
  CHECK(fault.ends_with('.'));
}

TEST_CASE("A picture is written from an open window, which goes on as before") {
  Context imgui;
  WatchedScreen screen;
  ScreenOptions options;
  options.size = {1280, 720};
  REQUIRE(screen.open(options) == "");
  GlAlphaTextures textures;
  Window window(textures);
  const auto draw = [&] {
    window.redraw = 2;
    for (int k = 0; k < 3; ++k) {
      window.events.push_back({InputEvent::Leave, {}, 0, {}, {}});
      frame(window, screen);
    }
    return screen.pixels;
  };
  const std::vector<uint32_t> before = draw();
  const auto file = std::filesystem::temp_directory_path() / "tilewalk-test-open.png";
  REQUIRE(write_png_here(layout_window(window.session, {}, {1920, 1080}), file) == "");
  CHECK(std::filesystem::file_size(file) > 20000);
  std::filesystem::remove(file);
  CHECK(ImGui::GetCurrentContext() == imgui.context);
  CHECK(draw() == before);
}

}  // namespace tilewalk::test_window
