// Talks at random: keys, presses, knobs, slides of pictures, countdowns, hands that are counted, freezing, a projector
// that goes and comes back. After every frame the room has
// what it was promised: frozen, the very picture of the moment of freezing; black or white, nothing else; its clock is
// right; and a talk ends only where it was ended. TILEWALK_TALKS=2000 plays more of them.
#include "app/panels/audience.h"
#include "app/scene/png.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/window/frame.h"

#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

namespace tilewalk::test_random_talks {

namespace {

// What was painted into a buffer as one number: a picture that is the same has the same. A picture that shows another
// buffer is told by what is in that.
class SeenRoom final : public Screen {
 public:
  std::deque<InputEvent> next;
  float step = 0.05f;
  bool plugged = true, moved = false;
  uint64_t stage = 0, picture = 0, kept = 0;

  void wait(float, std::deque<InputEvent>& events) override {
    for (InputEvent& event : next) events.push_back(std::move(event));
    next.clear();
  }
  float seconds_since_last_frame() override { return step; }
  Vec2 size() override { return {1280, 720}; }
  void fonts_changed() override {
    unsigned char* alpha = nullptr;
    int w = 0, h = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&alpha, &w, &h);
    ImGui::GetIO().Fonts->SetTexID(reinterpret_cast<ImTextureID>(size_t{1} << 40));
  }
  void present(const Scene&, ImDrawData&) override {}
  Screens open_room(const std::string&, bool, std::string&) override {
    stage = picture = 0;
    return plugged ? Screens::Two : Screens::One;
  }
  void close_room(bool) override { stage = picture = 0; }
  bool monitors_changed() override { return std::exchange(moved, false); }
  Vec2 room_size() override { return {1280, 720}; }
  void paint_stage(ImDrawData& data, Color background) override { stage = number_of(data, background.r); }
  void paint_picture(ImDrawData& data, bool washed) override {
    // One image over all of it and nothing else is that image.
    const bool alone = !washed && data.TotalIdxCount == 6 && kept != 0 && shows(*data.CmdLists[0], kKept);
    picture = alone ? kept : number_of(data, washed);
  }
  uint64_t stage_texture() override { return kStage; }
  uint64_t picture_texture() override { return kPicture; }
  void keep_picture() override {
    if (!kept) kept = picture;
  }
  void let_picture_go() override { kept = 0; }
  uint64_t kept_texture() override { return kept ? kKept : 0; }

 private:
  static constexpr uint64_t kStage = 0x1001, kPicture = 0x1002, kKept = 0x1003;
  static bool shows(const ImDrawList& list, uint64_t texture) {
    for (const ImDrawCmd& command : list.CmdBuffer)
      if (command.ElemCount > 0 && uint64_t(reinterpret_cast<size_t>(command.GetTexID())) == texture) return true;
    return false;
  }
  uint64_t number_of(const ImDrawData& data, uint64_t seed) const {
    uint64_t n = 1469598103934665603u ^ seed;
    const auto mix = [&](const void* bytes, size_t count) {
      const auto* at = static_cast<const unsigned char*>(bytes);
      for (size_t k = 0; k < count; ++k) n = (n ^ at[k]) * 1099511628211u;
    };
    for (int k = 0; k < data.CmdListsCount; ++k) {
      const ImDrawList& list = *data.CmdLists[k];
      mix(list.VtxBuffer.Data, size_t(list.VtxBuffer.Size) * sizeof(ImDrawVert));
      for (const ImDrawCmd& command : list.CmdBuffer) {
        const auto texture = uint64_t(reinterpret_cast<size_t>(command.GetTexID()));
        const uint64_t shown = texture == kStage ? stage : texture == kKept ? kept : texture < kStage ? texture : 0;
        mix(&shown, sizeof shown);
      }
    }
    return n | 1;
  }
};

// Two pictures for slides.
const ScratchFolder& pictures() {
  static const ScratchFolder folder;
  static const bool there = [] {
    for (const auto& [name, width] : {std::pair{"a.png", 64}, std::pair{"b.png", 90}}) {
      std::vector<uint8_t> rgba(size_t(width) * 40 * 4, 255);
      for (size_t k = 0; k < rgba.size(); k += 7) rgba[k] = uint8_t(k);
      put(folder / name, encode_png(width, 40, rgba));
    }
    return true;
  }();
  REQUIRE(there);
  return folder;
}

struct RandomTalk {
  NullImgui imgui;
  NullTextures textures;
  SeenRoom screen;
  Window window{textures};
  std::mt19937 random;
  std::string played;  // for who looks for a fault
  double clock = 0;
  int counted = 0;

  explicit RandomTalk(unsigned seed) : random(seed) {
    give_shipped_lessons(window.view);
    window.view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(window.session, window.view, 1 + int(seed % 14), int(seed / 2 % 6)));
    if (seed % 2 == 0)
      window.view.present.set = read_set_list(
          "tilewalk://lesson/6/beat/2\ntilewalk://walk/step/17?schedule=fa2&N=16&d=4&seed=3\n"
          "length: 5 min\nslide: What we saw | a.png  # [1 min]\ntilewalk://lesson/12/beat/3\n"
          "tilewalk://board/clocks\nslide: b.png\ntilewalk://board/estimate?N=16384\nslide: gone.png\n",
          pictures().path / "a.set");
    CHECK(window.view.present.set.faults.empty());
    key(seed % 2 == 0 ? "F5" : "Shift+F5");
    clock = window.view.present.elapsed;
  }
  unsigned below(size_t n) { return unsigned(random() % n); }
  Presentation& p() { return window.view.present; }

  void key(const std::string& words) {
    played += words + " ";
    for (const KeyPress& press : parse_keys(words)) {
      screen.next.push_back({InputEvent::KeyDown, {}, 0, press, {}});
      screen.next.push_back({InputEvent::KeyUp, {}, 0, press, {}});
    }
    settle_down();
  }
  // While one types, keys wait for frames of their own.
  void settle_down() {
    for (int k = 0; k < 3 || (k < 60 && !window.events.empty()); ++k) {
      clock += double(screen.step);
      frame(window, screen);
    }
  }
  void press_something() {
    if (window.scene.regions.empty()) return;
    const Region& region = window.scene.regions[below(window.scene.regions.size())];
    // What leaves the talk, or asks the machine for something, is pressed on purpose only.
    if (region.id.starts_with("command:present") || region.id.find("quit") != std::string::npos) return;
    played += "(" + region.id + ") ";
    const Vec2 at{region.rect.x + region.rect.w * float(below(100)) / 100,
                  region.rect.y + region.rect.h * float(below(100)) / 100};
    screen.next.push_back({InputEvent::Move, at, 0, {}, {}});
    screen.next.push_back({InputEvent::Press, at, 0, {}, {}});
    screen.next.push_back({InputEvent::Move, {at.x + 30, at.y + 9}, 0, {}, {}});
    screen.next.push_back({InputEvent::Release, at, 0, {}, {}});
    settle_down();
  }
  // As many hands for each option as come.
  void count_hands() {
    if (!p().question && asked_now(window.view).question) key("Ctrl+P");
    if (!can_count_hands(window.view)) return;
    played += "hands ";
    begin_hands(window.view);
    p().hands_text.clear();
    for (size_t k = 0; k < asked_now(window.view).question->options.size(); ++k)
      p().hands_text += std::to_string(below(40)) + " ";
    CHECK(keep_hands(window.view).empty());
    ++counted;
    window.redraw = 2;
    settle_down();
  }
  void plug() {
    played += screen.plugged ? "unplug " : "plug ";
    screen.plugged = !screen.plugged;
    screen.moved = true;
    settle_down();
  }
};

const char* const kKeys[] = {"Page Down", "Page Down", "Page Down", "Page Up", "→", "←",   "Shift+→", "Enter",
                             "Ctrl+P",    "F",         "F",         "B",       "W", "Esc", "1",       "2",
                             "3",         "4",         "5",         "Z",       "+", "K",   "O",       "Ctrl+3",
                             "Ctrl+4",    "Ctrl+5",    "C",         "V",       "Y", "I",   "↓",       "Ctrl+Backspace",
                             "T",         "S",         "Tab",       "Space",   "G", "Esc", "D",       "H",
                             "H",         "Page Down"};

}  // namespace

TEST_CASE("In any talk the room sees what it was promised, and frozen the same picture bit for bit") {
  const char* asked = std::getenv("TILEWALK_TALKS");
  const int talks = asked ? std::atoi(asked) : 40;
  int64_t frozen_frames = 0, unplugged_frozen = 0, pictures = 0, countdowns = 0, pictured = 0, counted = 0;
  for (int seed = 0; seed < talks; ++seed) {
    RandomTalk talk{unsigned(seed)};
    uint64_t promised = 0;
    for (int move = 0; move < 25 && talk.p().on; ++move) {
      const bool was_frozen = talk.p().frozen;
      const uint64_t seen = talk.screen.picture;
      const bool blank = talk.p().blank != Blank::None;
      const unsigned what = talk.below(11);
      const bool counting = talk.p().countdown > 0;
      bool escape = false;
      if (what < 7) {
        const std::string key = kKeys[talk.below(std::size(kKeys))];
        escape = key == "Esc";
        talk.key(key);
      } else if (what < 9) {
        talk.press_something();
      } else if (what < 10) {
        talk.plug();
      } else {
        talk.count_hands();
      }
      countdowns += counting;
      pictured += talk.p().slide_pixels && slide_on_show(talk.window.view);
      CAPTURE(seed);
      CAPTURE(talk.played);
      ++pictures;
      // One thing at a time: nothing but Esc ends it, and Esc only where it had nothing to undo.
      if (!talk.p().on) {
        CHECK(escape);
        break;
      }
      CHECK(talk.p().elapsed == doctest::Approx(talk.clock).epsilon(1e-6));
      if (!talk.p().frozen) continue;
      // What was black stays black, and a countdown is not kept: see below.
      if (!was_frozen) promised = blank || counting ? 0 : seen;
      if (promised == 0) promised = talk.screen.kept;
      CHECK(talk.screen.kept == promised);
      ++frozen_frames;
      unplugged_frozen += !talk.screen.plugged;
      if (talk.p().blank == Blank::None) REQUIRE(talk.screen.picture == promised);
    }
    counted += talk.counted;
  }
  CHECK(pictures >= talks * 15);
  CHECK(frozen_frames > talks * 2);
  CHECK(unplugged_frozen > talks / 4);
  CHECK(countdowns > talks / 2);
  CHECK(pictured > talks / 8);
  CHECK(counted > talks / 40);
}

}  // namespace tilewalk::test_random_talks
