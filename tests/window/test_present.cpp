// Presenting in a real window with a second one for the room: what the room's frame buffers hold, live, frozen, black,
// white and with tools. With TILEWALK_PICTURES=<folder> each state is also written there, to be looked at.
#include "app/panels/audience.h"
#include "app/scene/png.h"
#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/window/frame.h"
#include "app/shell/desktop/gl_texture.h"
#include "app/shell/desktop/glfw_screen.h"
#include "core/io/file.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace tilewalk::test_present {

namespace {

struct Context {
  Context() : context(ImGui::CreateContext()) { set_up_imgui(); }
  ~Context() { ImGui::DestroyContext(context); }
  ImGuiContext* context;
};

using Rgba = std::vector<uint8_t>;

// The presenter's window, as it comes to the display.
class SeenScreen final : public GlfwScreen {
 public:
  Rgba window;
  float seconds_since_last_frame() override { return 1.0f / 60; }  // however slow the renderer is

 protected:
  void swap() override {
    const Vec2 area = size();
    const size_t row = size_t(area.x) * 4;
    Rgba below(row * size_t(area.y));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, int(area.x), int(area.y), GL_RGBA, GL_UNSIGNED_BYTE, below.data());
    window.resize(below.size());
    for (size_t y = 0; y < size_t(area.y); ++y)
      std::copy_n(below.begin() + std::ptrdiff_t((size_t(area.y) - 1 - y) * row), row,
                  window.begin() + std::ptrdiff_t(y * row));
    for (size_t k = 3; k < window.size(); k += 4) window[k] = 255;
    GlfwScreen::swap();
  }
};

struct Talk {
  Context imgui;
  SeenScreen screen;
  GlAlphaTextures textures;
  std::unique_ptr<Window> window;

  explicit Talk(const char* wish) {
    ScreenOptions options;
    options.size = {1600, 900};
    REQUIRE(screen.open(options) == "");
    window = std::make_unique<Window>(textures);
    window->room_wish = wish;
    give_shipped_lessons(window->view);
    REQUIRE(open_lesson_numbered(window->session, window->view, 7, 1));
    window->view.reduced_motion = true;
    press("Shift+F5");
  }
  ~Talk() { window.reset(); }  // the painter goes before the screen does
  void frames(int count = 4) {
    for (int k = 0; k < count; ++k) {
      window->redraw = std::max(window->redraw, 1);
      frame(*window, screen);
    }
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) window->events.push_back({InputEvent::KeyDown, {}, 0, key, {}});
    frames();
    window->view.phase = 1;
    frames(2);
  }
  void point(float x, float y) {
    const Region* stage = window->scene.find("present:stage");
    REQUIRE(stage);
    window->events.push_back(
        {InputEvent::Move, {stage->rect.x + x * stage->rect.w, stage->rect.y + y * stage->rect.h}, 0, {}, {}});
    frames();
  }
  Rgba stage() { return screen.room().pixels(true); }
  Rgba picture() { return screen.room().pixels(false); }
  void keep(const std::string& name) {
    const char* folder = std::getenv("TILEWALK_PICTURES");
    if (!folder) return;
    const Vec2 size = room_picture(screen.room_size()).w > 0
                          ? Vec2{room_picture(screen.room_size()).w, room_picture(screen.room_size()).h}
                          : Vec2{};
    const std::filesystem::path to(folder);
    write_file(to / (name + "-room.png"), encode_png(int(size.x), int(size.y), picture()));
    write_file(to / (name + "-window.png"), encode_png(int(screen.size().x), int(screen.size().y), screen.window));
  }
};

bool all_are(const Rgba& pixels, uint8_t value) {
  for (size_t k = 0; k < pixels.size(); ++k)
    if (k % 4 != 3 && pixels[k] != value) return false;
  return !pixels.empty();
}

}  // namespace

TEST_CASE("The room's picture is live, frozen, black, white, and frozen never changes") {
  Talk talk("1280x720+0+0");
  REQUIRE(talk.screen.room().window());
  CHECK(talk.window->view.present.screens == Screens::Two);
  CHECK(talk.screen.room_size().x == 1280);
  const Rgba first = talk.stage();
  CHECK_FALSE(all_are(first, 255));
  CHECK(talk.picture() == first);
  talk.keep("live");

  talk.press("→");
  const Rgba stepped = talk.stage();
  CHECK(stepped != first);

  talk.press("F");
  for (const char* key : {"→", "→", "Shift+→", "Page Down", "Page Down", "Page Up", "T", "G", "Esc"}) {
    CAPTURE(key);
    talk.press(key);
    CHECK(talk.stage() == stepped);
  }
  if (!talk.window->view.present.frozen) talk.press("F");
  CHECK(talk.picture() == stepped);
  talk.press("Page Down");
  talk.keep("frozen");
  talk.press("F");
  CHECK(talk.stage() != stepped);

  talk.press("B");
  CHECK(all_are(talk.picture(), 0));
  talk.keep("black");
  talk.press("W");
  CHECK(all_are(talk.picture(), 255));
  talk.keep("white");
  talk.press("W");
  CHECK(talk.picture() == talk.stage());
}

TEST_CASE("Frozen is a picture: strokes, tools, dialogs and a projector that goes and comes back leave it as it was") {
  Talk talk("1280x720+0+0");
  const auto draw_across = [&] {
    talk.press("3");
    const Rect stage = talk.window->scene.find("present:stage")->rect;
    const auto at = [&](float x) { return Vec2{stage.x + x * stage.w, stage.y + 0.4f * stage.h}; };
    talk.window->events.push_back({InputEvent::Press, at(0.2f), 0, {}, {}});
    talk.frames();
    for (int k = 1; k < 8; ++k) talk.point(0.2f + 0.05f * float(k), 0.4f);
    talk.window->events.push_back({InputEvent::Release, at(0.6f), 0, {}, {}});
    talk.frames();
  };
  draw_across();
  talk.point(0.5f, 0.7f);
  const Rgba seen = talk.picture();
  talk.press("F");
  CHECK(talk.picture() == seen);  // with what was drawn, and the pen
  talk.press("Page Down");
  draw_across();
  for (const char* key : {"5", "Z", "Z", "1", "G", "Esc", "Ctrl+5", "Ctrl+3", "O", "O", "Ctrl+Shift+W", "T"}) {
    CAPTURE(key);
    talk.press(key);
    CHECK(talk.picture() == seen);
  }
  talk.press("B");
  CHECK(all_are(talk.picture(), 0));
  talk.press("B");
  CHECK(talk.picture() == seen);
  talk.window->room_wish.clear();  // the projector is unplugged: the laptop shows what the room had, in its own size
  talk.screen.note_monitors();
  talk.frames();
  REQUIRE(talk.window->view.present.screens == Screens::One);
  CHECK_FALSE(all_are(talk.picture(), 0));
  talk.press("Page Down");
  talk.window->room_wish = "1280x720+0+0";
  talk.screen.note_monitors();
  talk.frames();
  REQUIRE(talk.window->view.present.screens == Screens::Two);
  CHECK(talk.picture() == seen);
  talk.press("Ctrl+Shift+W");
  talk.press("1");
  talk.press("F");
  CHECK(talk.picture() != seen);
  const Rgba drawn = talk.picture();
  talk.press("Ctrl+Backspace");
  CHECK(talk.picture() != drawn);  // what was drawn at the stop was there
  CHECK(talk.picture() == talk.stage());
}

TEST_CASE("A countdown does not stand still on a frozen wall") {
  Talk talk("1280x720+0+0");
  const Rgba plain = talk.picture();
  talk.press("H");
  CHECK(talk.picture() != plain);
  talk.press("F");
  talk.frames();
  CHECK(talk.picture() == plain);
  talk.press("Page Down");
  CHECK(talk.picture() == plain);
}

TEST_CASE("What is open over the presenter's window leaves the room's picture in it") {
  Talk talk("1280x720+0+0");
  const auto shown = [&] {
    const Rect room = talk.window->scene.find("present:room")->rect.inset(8);
    const size_t width = size_t(talk.screen.size().x);
    size_t dark = 0;
    for (size_t y = size_t(room.y); y < size_t(room.bottom()); ++y)
      for (size_t x = size_t(room.x); x < size_t(room.right()); ++x)
        dark += talk.screen.window[(y * width + x) * 4] < 60;
    return dark;
  };
  const size_t before = shown();
  REQUIRE(before > 50);
  talk.press("G");
  talk.keep("dialog");
  CHECK(shown() > before / 2);
}

TEST_CASE("Tools lie over the stage and leave its buffer alone; what the pen drew is in it, for the lens") {
  Talk talk("1280x720+0+0");
  const Rgba stage = talk.stage();
  talk.press("5");
  talk.point(0.5f, 0.5f);
  talk.keep("spotlight");
  const Rgba lit = talk.picture();
  CHECK(talk.stage() == stage);
  const auto at = [](const Rgba& p, int x, int y) { return int(p[(size_t(y) * 1280 + size_t(x)) * 4]); };
  CHECK(at(lit, 640, 350) == at(stage, 640, 350));
  CHECK(at(stage, 4, 4) == 255);
  CHECK(at(lit, 4, 4) > 80);
  CHECK(at(lit, 4, 4) < 98);  // 35 % of 255 is 89
  talk.press("1");
  talk.press("Z");
  talk.point(0.3f, 0.5f);
  CHECK(talk.picture() != stage);
  talk.keep("lens");
  talk.press("Z");
  talk.press("3");
  talk.point(0.2f, 0.3f);
  const Region* place = talk.window->scene.find("present:stage");
  const Vec2 pen{place->rect.x + 0.2f * place->rect.w, place->rect.y + 0.3f * place->rect.h};
  talk.window->events.push_back({InputEvent::Press, pen, 0, {}, {}});
  talk.frames();
  for (int k = 1; k < 30; ++k) talk.point(0.2f + 0.01f * float(k), 0.3f + 0.004f * float(k % 7));
  talk.window->events.push_back({InputEvent::Release, pen, 0, {}, {}});
  talk.frames();
  talk.press("1");
  const Rgba drawn = talk.stage();
  CHECK(drawn != stage);
  CHECK(talk.picture() == drawn);
  talk.keep("pen");
  talk.press("Ctrl+Shift+W");
  CHECK(at(talk.picture(), 4, 4) >= 254);
  const Rgba washed = talk.picture();
  CHECK(*std::min_element(washed.begin(), washed.end()) > 60);  // no black is left
  talk.keep("rehearsal");
  talk.press("Ctrl+Shift+W");
  talk.press("O");
  talk.keep("overview");
}

TEST_CASE("On one screen the window is the room's, and no note is on it") {
  Talk talk("");
  CHECK(talk.window->view.present.screens == Screens::One);
  CHECK_FALSE(talk.screen.room().window());
  const Beat* beat = beat_on_show(talk.window->view);
  REQUIRE(beat);
  REQUIRE_FALSE(beat->note.empty());
  for (const Item& item : talk.window->scene.items) CHECK_FALSE(std::holds_alternative<Label>(item));
  talk.keep("one-screen");
  talk.press("Esc");
  talk.press("Esc");
  CHECK_FALSE(talk.window->view.present.on);
  CHECK_FALSE(talk.screen.room().is_open());
  CHECK(talk.window->scene.find("command:menu"));
}

TEST_CASE("Screens come and go while somebody presents, and nothing is lost") {
  Talk talk("1280x720+0+0");
  talk.press("Page Down");
  const int beat = talk.window->view.lesson.beat;
  talk.window->room_wish.clear();  // the projector is unplugged
  talk.screen.note_monitors();
  talk.frames();
  CHECK(talk.window->view.present.on);
  CHECK(talk.window->view.present.screens == Screens::One);
  CHECK(talk.window->view.lesson.beat == beat);
  talk.window->room_wish = "1280x720+0+0";
  talk.screen.note_monitors();
  talk.frames();
  CHECK(talk.window->view.present.screens == Screens::Two);
  CHECK(talk.screen.room().window());
  CHECK_FALSE(all_are(talk.stage(), 0));
}

}  // namespace tilewalk::test_present
