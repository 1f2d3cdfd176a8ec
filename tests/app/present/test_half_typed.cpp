// A number that is half typed into a slider, in the window: what sets it, what throws it away, and where digits are
// tools all the same.
#include "app/boards/board.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/session/typing.h"
#include "app/window/frame.h"

#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk::test_half_typed {

namespace {

class Desk final : public Screen {
 public:
  NullScreen home;
  bool projector = true;
  void wait(float seconds, std::deque<InputEvent>& events) override { home.wait(seconds, events); }
  float seconds_since_last_frame() override { return 1.0f / 60; }
  Vec2 size() override { return {1920, 1080}; }
  void fonts_changed() override { home.fonts_changed(); }
  void present(const Scene& scene, ImDrawData& data) override { home.present(scene, data); }
  Screens open_room(const std::string&, bool, std::string&) override { return projector ? Screens::Two : Screens::One; }
};

constexpr std::string_view kStops =
    "tilewalk://board/estimate?N=16384\ntilewalk://board/estimate?N=32768\ntilewalk://lesson/7/beat/2\n";

struct Typing {
  NullImgui imgui;
  NullTextures textures;
  Desk screen;
  Window window{textures};

  explicit Typing(bool projector = true, std::string_view set = kStops) {
    screen.projector = projector;
    give_shipped_lessons(window.view);
    window.view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(window.session, window.view, 6, 1));
    p().set = read_set_list(set, "a.set");
    press("F5");
  }
  Presentation& p() { return window.view.present; }
  ViewState& view() { return window.view; }
  Session& session() { return window.session; }
  double n() { return knob_value(*board_named("estimate"), view().board, "N"); }
  void frames(int count) {
    for (int k = 0; k < count || (k < 60 && !window.events.empty()); ++k)
      window.redraw = std::max(window.redraw, 1), frame(window, screen);
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) {
      window.events.push_back({InputEvent::KeyDown, {}, 0, key, {}});
      window.events.push_back({InputEvent::KeyUp, {}, 0, key, {}});
    }
    frames(5);
  }
  void point(Vec2 at) {
    window.events.push_back({InputEvent::Move, at, 0, {}, {}});
    frames(2);
  }
  void click(Vec2 at) {
    point(at);
    window.events.push_back({InputEvent::Press, at, 0, {}, {}});
    window.events.push_back({InputEvent::Release, at, 0, {}, {}});
    frames(3);
  }
  Vec2 middle(std::string_view id) {
    const Region* region = window.scene.find(id);
    CAPTURE(std::string(id));
    REQUIRE(region);
    return region->rect.center();
  }
  // Behind it the pointer rests on the knob.
  void begin_number(std::string_view digit) {
    click(middle("knob:N"));
    REQUIRE(view().editing.empty());
    press(digit);
    REQUIRE(view().editing == "field:knob/N");
  }
};

}  // namespace

TEST_CASE("A half-typed number is set by Enter and Tab alone: a press elsewhere, Esc and another stop throw it away") {
  for (const char* sets : {"Enter", "Tab"}) {
    CAPTURE(sets);
    Typing talk;
    talk.begin_number("4");
    talk.press("0");
    talk.press("9");
    talk.press("6");
    talk.press(sets);
    CHECK(talk.view().editing.empty());
    CHECK(talk.n() == 4096);
  }
  for (const char* elsewhere : {"present:stage", "knob:mask/1", "knob:mask", "set:1", "command:tool-pen", "Esc",
                                "Page Down", "Ctrl+Shift+F5"}) {
    CAPTURE(elsewhere);
    Typing talk;
    talk.click(talk.middle("knob:N"));
    const double stood = talk.n();
    talk.press("5");
    talk.press("1");
    talk.press("2");
    REQUIRE(talk.view().editing == "field:knob/N");
    const bool key = std::string_view(elsewhere).find(':') == std::string_view::npos;
    if (!key && !talk.window.scene.find(elsewhere)) continue;
    if (key)
      talk.press(elsewhere);
    else
      talk.click(talk.middle(elsewhere));
    CHECK(talk.view().editing.empty());
    CHECK(talk.view().typed.empty());
    const bool other_stop = std::string_view(elsewhere) == "Page Down" || talk.p().place == 1;
    const bool anew = std::string_view(elsewhere) == "Ctrl+Shift+F5";
    CHECK(talk.n() == (other_stop ? 32768 : anew ? 16384 : stood));
  }
}

TEST_CASE("Over the picture digits take tools, whatever slider was pressed; over the knobs they are its number") {
  for (const bool projector : {true, false}) {
    CAPTURE(projector);
    Typing talk(projector);
    if (!projector) talk.press("Tab");
    talk.click(talk.middle("knob:N"));
    const double stood = talk.n();
    const Rect stage = talk.window.scene.find("present:stage")->rect;
    const Vec2 on_picture{stage.x + stage.w * 0.5f, stage.y + stage.h * 0.3f};
    talk.point(on_picture);
    talk.press("3");
    CHECK(talk.view().editing.empty());
    CHECK(talk.p().tool == Tool::Pen);
    talk.click(on_picture);
    CHECK(talk.p().strokes.size() == 1);
    CHECK(talk.n() == stood);
    for (const char* no_tool : {"7", "9"}) {
      talk.press(no_tool);
      CHECK(talk.view().editing.empty());
    }
    talk.press("1");
    CHECK(talk.p().tool == Tool::Normal);
    talk.point(talk.middle("knob:N"));
    talk.press("7");
    CHECK(talk.view().editing == "field:knob/N");
    talk.press("Esc");
    // Who comes to it with Tab types, wherever the pointer was left.
    talk.point(on_picture);
    for (int k = 0; k < 40 && !(talk.view().focus == "knob:N" && talk.view().focus_ring); ++k) talk.press("Tab");
    REQUIRE(talk.view().focus == "knob:N");
    talk.press("3");
    CHECK(talk.view().editing == "field:knob/N");
  }
}

TEST_CASE("A press on the number over a slider begins it, and what is typed is no key of the talk") {
  for (const bool projector : {true, false}) {
    CAPTURE(projector);
    Typing talk(projector);
    if (!projector) talk.press("Tab");
    const double stood = talk.n();
    talk.click(talk.middle("field:knob/N"));
    CHECK(talk.view().editing == "field:knob/N");
    for (const char* key : {"4", "0", ".", "5"}) talk.press(key);
    CHECK(talk.p().tool == Tool::Normal);
    CHECK(talk.p().blank == Blank::None);
    CHECK(talk.n() == stood);
    talk.press("Esc");
    CHECK(talk.view().editing.empty());
    CHECK(talk.n() == stood);
    talk.click(talk.middle("field:knob/N"));
    for (const char* key : {"5", "1", "2", "Enter"}) talk.press(key);
    CHECK(talk.view().editing.empty());
    CHECK(talk.n() == 512);
    talk.press("2");
    CHECK(talk.p().tool == Tool::Pointer);
    // Nothing typed is nothing set, and a press elsewhere throws it away.
    talk.press("1");
    talk.click(talk.middle("field:knob/N"));
    talk.press("Enter");
    CHECK(talk.n() == 512);
    talk.click(talk.middle("field:knob/N"));
    talk.press("7");
    talk.click(talk.middle("present:stage"));
    CHECK(talk.view().editing.empty());
    CHECK(talk.n() == 512);
  }
}

TEST_CASE("Ctrl+Backspace throws a half-typed number away and does what it does otherwise") {
  Typing talk;
  talk.begin_number("5");
  talk.press("1");
  REQUIRE(talk.n() != 16384);
  talk.press("Ctrl+Backspace");
  CHECK(talk.view().editing.empty());
  CHECK(talk.view().typed.empty());
  CHECK(talk.n() == 16384);
  CHECK_MESSAGE(talk.view().notice.find("as it was prepared") != std::string::npos, talk.view().notice);
  // Of what is typed elsewhere it takes a word back, as in any field.
  talk.press("Ctrl+N");
  REQUIRE(talk.view().editing == "field:note");
  talk.press("Ctrl+Backspace");
  CHECK(talk.view().editing == "field:note");
}

TEST_CASE("B and F are no letters of a number: over its field they are black and frozen, as elsewhere in a talk") {
  struct Field {
    std::string_view set, id;
  };
  for (const auto& [set, id] :
       {Field{"tilewalk://lesson/7/beat/2\n", "cell:Q/"}, Field{kStops, "field:knob/N"},
        Field{"tilewalk://board/draw?given=all&gpu=h200&paper=roofs\n", "field:board/roof"},
        Field{"tilewalk://board/paper\n", "field:board/"}, Field{"tilewalk://lesson/6/beat/2\n", "field:hands"}}) {
    CAPTURE(std::string(id));
    for (const char* typed : {"", "3"}) {
      CAPTURE(std::string(typed));
      Typing talk(true, set);
      const auto begin = [&] {
        if (id == "field:hands") {
          if (!talk.p().question) talk.press("Ctrl+P");
          if (talk.view().editing.empty()) talk.press("Ctrl+H");
        } else {
          for (const Region& region : talk.window.scene.regions)
            if (region.id.starts_with(id)) return talk.click(region.rect.center());
        }
      };
      const auto stood = [&] { return text_in(talk.view().editing, talk.session(), talk.view()); };
      begin();
      REQUIRE(talk.view().editing.starts_with(id));
      const std::string before = stood();
      if (*typed) talk.press(typed);
      talk.press("B");
      CHECK(talk.p().blank == Blank::Black);
      CHECK(talk.view().editing.empty() == (id != "field:hands"));
      talk.press("B");
      CHECK(talk.p().blank == Blank::None);
      begin();
      REQUIRE(talk.view().editing.starts_with(id));
      CHECK(stood() == (id == "field:hands" ? typed : before));
      talk.press("F");
      CHECK(talk.p().frozen);
    }
  }
}

TEST_CASE("In a talk B and F are black and freeze over the element that is half typed, and it stays") {
  Typing talk(true, "tilewalk://lesson/7/beat/2\n");
  talk.press("E");
  REQUIRE(talk.view().editing == "field:element");
  for (const char* key : {"K", "1", "=", "2"}) talk.press(key);
  const std::string half = text_in("field:element", talk.session(), talk.view());
  REQUIRE_FALSE(half.empty());
  talk.press("B");
  CHECK(talk.p().blank == Blank::Black);
  talk.press("B");
  CHECK(talk.p().blank == Blank::None);
  talk.press("F");
  CHECK(talk.p().frozen);
  CHECK(talk.view().editing == "field:element");
  CHECK(text_in("field:element", talk.session(), talk.view()) == half);
}

TEST_CASE("B and F are letters where words are written, and of a unit behind a number") {
  Typing talk(true, "tilewalk://board/draw?given=all&gpu=h200&paper=roofs\n");
  // Some at once, as a hand that is faster than the window.
  const auto type = [&](std::string_view letters, bool at_once = false) {
    for (const char c : letters) {
      const KeyPress key{.key = c == ' ' ? Key::Space : Key::Character, .character = c == ' ' ? U'\0' : char32_t(c)};
      talk.window.events.push_back({InputEvent::KeyDown, {}, 0, key, {}});
      if (!at_once) talk.frames(3);
    }
    talk.frames(5);
    return text_in(talk.view().editing, talk.session(), talk.view());
  };
  for (const char* opens : {"Ctrl+N", "G"}) {
    CAPTURE(std::string(opens));
    talk.press(opens);
    REQUIRE_FALSE(talk.view().editing.empty());
    CHECK(type("bf").ends_with("bf"));
    talk.press("Esc");
  }
  for (const char* unit : {"3.3 TB/s", "900 GB/s", "3.3TB/s", "989TFLOP/s", "9e14 FLOP/s"}) {
    for (const Region& region : talk.window.scene.regions)
      if (region.id.starts_with("field:board/roof")) {
        talk.click(region.rect.center());
        break;
      }
    REQUIRE(talk.view().editing.starts_with("field:board/roof"));
    const bool at_once = std::string_view(unit).find(' ') == std::string_view::npos;
    CHECK(type(unit, at_once) == std::string(unit));
    talk.press("Esc");
  }
  CHECK(talk.p().blank == Blank::None);
  CHECK_FALSE(talk.p().frozen);
}

TEST_CASE("E behind a digit is its exponent, whatever field the number is typed into") {
  struct Field {
    std::string_view set, id, typed;
  };
  for (const auto& [set, id, typed] :
       {Field{"tilewalk://lesson/7/beat/2\n", "cell:Q/", "25e-1"}, Field{kStops, "field:knob/N", "4e3"},
        Field{"tilewalk://board/paper\n", "field:board/", "25e-1"},
        Field{"tilewalk://lesson/7/beat/2\n", "E", "25e-1"}}) {
    CAPTURE(std::string(id));
    Typing talk(true, set);
    if (id == "E") talk.press("E");
    for (const Region& region : std::vector(talk.window.scene.regions))
      if (talk.view().editing.empty() && region.id.starts_with(id)) talk.click(region.rect.center());
    const std::string field = talk.view().editing;
    REQUIRE_FALSE(field.empty());
    for (const char c : typed) {
      talk.window.events.push_back({InputEvent::KeyDown, {}, 0, {Key::Character, char32_t(c)}, {}});
      talk.frames(3);
    }
    CHECK(talk.view().editing == field);
    CHECK(is_open<TypeElement>(talk.view()) == (id == "E"));
    CHECK(text_in(field, talk.session(), talk.view()).ends_with(typed));
    talk.press("Enter");
    CHECK(talk.view().editing != field);
    if (id == "field:knob/N") CHECK(talk.n() == 4000);
  }
}

TEST_CASE("Over a list, of a knob's names or of the stops, keys do what they do elsewhere, and no wall shows it") {
  struct List {
    std::string_view set, opens;
  };
  for (const auto& [set, opens] :
       {List{kStops, "knob:gpu/list"}, List{"tilewalk://lesson/7/beat/2\n", "turn:Schedule/list"}, List{kStops, "O"}})
    for (const std::string_view key : {"Ctrl+N", "Ctrl+H", "h", "x", "B", "F", "Esc", "Enter"}) {
      CAPTURE(std::string(opens));
      CAPTURE(std::string(key));
      Typing talk(true, set);
      const bool overview = opens == "O";
      const auto wall = [&] {
        std::string all;
        for (const Item& item : layout_audience(talk.session(), talk.view(), {1920, 1080}).items)
          if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
        return all;
      };
      const auto listed = [&] { return is_open<ChoiceList>(talk.view()) || talk.p().overview; };
      const std::string before = wall();
      overview ? talk.press(opens) : talk.click(talk.middle(opens));
      REQUIRE(listed());
      CHECK(wall() == before);
      talk.press(key);
      // A list of names takes letters; the overview goes for none of these keys but its own.
      CHECK(listed() == (overview ? key != "Esc" && key != "Enter" : key == "h" || key == "x"));
      CHECK((talk.p().blank == Blank::Black) == (key == "B"));
      CHECK(talk.p().frozen == (key == "F"));
      CHECK((talk.p().countdown > 0) == (overview && key == "h"));
      CHECK(talk.p().on);
      CHECK(talk.p().place == 0);
      CHECK_FALSE(talk.p().turned);
      if (key == "B" || talk.p().countdown > 0) continue;
      CHECK(wall() == before);
      if (!key.starts_with("Ctrl")) continue;
      const std::string field = key == "Ctrl+H" ? "field:hands" : overview ? "field:stop-note" : "field:note";
      REQUIRE(talk.view().editing == field);
      for (const char* typed : {"w", "5", "z"}) talk.press(typed);
      CHECK(talk.p().tool == Tool::Normal);
      CHECK(text_in(field, talk.session(), talk.view()).ends_with("w5z"));
      CHECK(wall() == before);
      talk.press("Esc");
      CHECK(talk.view().editing.empty());
      CHECK(talk.p().on);
      CHECK(wall() == before);
    }
}

}  // namespace tilewalk::test_half_typed
