// A projector that goes and comes back while the one who talks swaps screens: swapping on one screen shows the
// speaker's side in its window, on two it exchanges them, and neither is carried over into the other.
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/window/frame.h"

#include "tests/app/null_screen.h"
#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace tilewalk::test_two_screens {

namespace {

class Projector final : public Screen {
 public:
  NullScreen home;
  bool plugged = true, moved = false, closed = false, page = false;
  std::vector<bool> exchanged;  // how the room was opened each time with the projector there
  void wait(float seconds, std::deque<InputEvent>& events) override { home.wait(seconds, events); }
  float seconds_since_last_frame() override { return 1.0f / 60; }
  Vec2 size() override { return {1280, 720}; }
  Vec2 room_size() override { return {1280, 720}; }
  void fonts_changed() override { home.fonts_changed(); }
  void present(const Scene& scene, ImDrawData& data) override { home.present(scene, data); }
  Screens open_room(const std::string&, bool swapped, std::string&) override {
    if (plugged) exchanged.push_back(swapped);
    return plugged ? Screens::Two : Screens::One;
  }
  int closes = 0;
  void close_room(bool) override { ++closes; }
  bool monitors_changed() override { return std::exchange(moved, false); }
  bool room_closed() override { return std::exchange(closed, false); }
  bool first_escape_ends() const override { return page; }
};

struct Talk {
  NullImgui imgui;
  NullTextures textures;
  Projector screen;
  Window window{textures};

  Talk() {
    give_shipped_lessons(window.view);
    window.view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(window.session, window.view, 6, 1));
    press("F5");
  }
  void frames(int count) {
    for (int k = 0; k < count; ++k) window.redraw = std::max(window.redraw, 1), frame(window, screen);
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) window.events.push_back({InputEvent::KeyDown, {}, 0, key, {}});
    frames(3);
  }
  void plug(bool in, bool said = true) {
    screen.plugged = in;
    screen.moved = said;
    frames(2);
  }
  Presentation& p() { return window.view.present; }
};

}  // namespace

TEST_CASE("The speaker's side on one screen is over when the projector is back: it never comes onto that") {
  Talk talk;
  REQUIRE(talk.p().screens == Screens::Two);
  talk.plug(false);
  REQUIRE(talk.p().screens == Screens::One);
  CHECK_FALSE(talk.p().presenters_window());
  talk.press("S");
  REQUIRE(talk.p().presenters_window());
  talk.screen.exchanged.clear();
  talk.plug(true);
  CHECK(talk.p().screens == Screens::Two);
  CHECK_FALSE(talk.p().swapped);
  REQUIRE_FALSE(talk.screen.exchanged.empty());
  for (const bool exchanged : talk.screen.exchanged) CHECK_FALSE(exchanged);  // not for a moment
}

TEST_CASE("Who closes the room's window has the normal window again, with the key that goes on") {
  Talk talk;
  talk.press("Page Down");
  const int beat = talk.window.view.lesson.beat;
  talk.screen.closed = true;
  talk.frames(2);
  CHECK_FALSE(talk.p().on);
  CHECK(talk.window.scene.find("command:menu"));
  CHECK(talk.window.view.notice.find("Shift+F5 goes on") != std::string::npos);
  talk.press("Shift+F5");
  CHECK(talk.p().on);
  CHECK(talk.p().screens == Screens::Two);
  CHECK(talk.window.view.lesson.beat == beat);
}

TEST_CASE("Who leaves a talk leaves the room its last picture, until F5 goes on, Ctrl+F5 closes it or it is gone") {
  for (const char* then : {"F5", "Ctrl+F5", "closed", "unplugged"}) {
    CAPTURE(then);
    Talk talk;
    talk.press("Page Down");
    const auto opened = talk.screen.exchanged.size();
    talk.press("Esc");
    talk.press("Esc");
    CHECK_FALSE(talk.p().on);
    talk.frames(5);
    CHECK(talk.screen.closes == 0);
    CHECK(talk.window.view.notice.find("Ctrl+F5") != std::string::npos);
    CHECK(talk.window.scene.find("command:menu"));
    const std::string way(then);
    if (way == "closed")
      talk.screen.closed = true;
    else if (way == "unplugged")
      talk.plug(false);
    else
      talk.press(then);
    talk.frames(3);
    CHECK(talk.p().on == (way == "F5"));
    CHECK(talk.screen.closes == (way == "F5" ? 0 : 1));
    if (way != "F5") continue;
    CHECK(talk.screen.exchanged.size() == opened);
    CHECK(talk.p().screens == Screens::Two);
    talk.press("Ctrl+F5");
    talk.frames(2);
    CHECK(talk.screen.closes == 1);
  }
  Talk one;
  one.plug(false);
  const int closes = one.screen.closes;
  one.press("Esc");
  one.press("Esc");
  one.frames(2);
  CHECK_FALSE(one.p().on);
  CHECK(one.screen.closes == closes + 1);
}

TEST_CASE("In a page that shows the room's picture itself the first Esc that undoes nothing ends the talk") {
  Talk talk;
  talk.screen.page = true;
  talk.plug(false);
  REQUIRE(talk.p().screens == Screens::One);
  talk.press("B");
  talk.press("Esc");
  CHECK(talk.p().on);
  talk.press("Esc");
  CHECK_FALSE(talk.p().on);
  talk.plug(true);
  talk.press("Shift+F5");
  talk.press("Esc");  // the presenter's window says what a second one does
  CHECK(talk.p().on);
}

TEST_CASE("A projector that nobody told of is not given the speaker's side by a key") {
  Talk talk;
  talk.plug(false);
  talk.plug(true, false);
  REQUIRE(talk.p().screens == Screens::One);
  talk.screen.exchanged.clear();
  talk.press("S");
  CHECK(talk.p().screens == Screens::Two);
  CHECK_FALSE(talk.p().swapped);
  for (const bool exchanged : talk.screen.exchanged) CHECK_FALSE(exchanged);
  talk.press("S");  // now it would exchange them, and says what the room would see
  CHECK_FALSE(talk.p().swapped);
  CHECK(talk.window.view.notice.find("notes and answers") != std::string::npos);
  for (const bool exchanged : talk.screen.exchanged) CHECK_FALSE(exchanged);
  talk.press("S");
  CHECK(talk.p().swapped);
  CHECK(talk.screen.exchanged.back());
}

TEST_CASE("Esc takes an S back that waits for its second, and a frozen room is not given the speaker's side") {
  Talk talk;
  REQUIRE(talk.p().screens == Screens::Two);
  talk.press("F");
  talk.press("S");
  talk.press("S");
  CHECK_FALSE(talk.p().swapped);
  CHECK(talk.window.view.notice.find("frozen") != std::string::npos);
  talk.press("F");
  talk.press("S");
  talk.press("Esc");
  CHECK(talk.window.view.notice.empty());
  talk.press("S");
  CHECK_FALSE(talk.p().swapped);
  talk.press("S");
  CHECK(talk.p().swapped);
}

TEST_CASE("Screens that were exchanged: without the projector the only window is the room's") {
  Talk talk;
  talk.press("S");
  talk.press("S");
  REQUIRE(talk.p().swapped);
  talk.plug(false);
  CHECK(talk.p().screens == Screens::One);
  CHECK_FALSE(talk.p().presenters_window());
}

TEST_CASE(
    "While hands are being typed the clicker takes them as they are and shows them; what are none it passes over") {
  for (const auto& [typed, counts] :
       {std::pair{"3 4 5", std::vector{3, 4, 5}}, {"3 4", {3, 4, 0}}, {"so many", std::vector<int>{}}}) {
    CAPTURE(typed);
    Talk talk;
    ViewState& view = talk.window.view;
    for (int k = 0; k < 30 && !can_count_hands(view); ++k) talk.press("Page Down");
    REQUIRE(can_count_hands(view));
    const AskedQuestion asked = asked_now(view);
    REQUIRE_FALSE(settled(view, asked));
    talk.press("Ctrl+H");
    REQUIRE(view.editing == "field:hands");
    // The clicker comes with the last letter, before a frame is drawn.
    for (const char c : std::string_view(typed))
      talk.window.events.push_back(
          {InputEvent::KeyDown,
           {},
           0,
           c == ' ' ? KeyPress{.key = Key::Space} : KeyPress{.key = Key::Character, .character = char32_t(c)},
           {}});
    talk.press("Page Down");
    talk.frames(4);
    CHECK(view.editing.empty());
    if (!counts.empty()) {
      CHECK_FALSE(settled(view, asked));
      CHECK(view.notice.empty());
      talk.press("Page Down");
    }
    CHECK(settled(view, asked));
    CHECK(hands_for(view, asked) == counts);
    CHECK(view.notice.empty() == !counts.empty());
  }
}

TEST_CASE(
    "While a place to go to is typed, also where it names none or its list is gone through, the clicker goes on") {
  for (const char* before : {"", "9", "7 7 Enter", "9 Down"}) {
    CAPTURE(before);
    Talk talk;
    ViewState& view = talk.window.view;
    const int beat = view.lesson.beat;
    talk.press("G");
    REQUIRE(is_open<GoTo>(view));
    for (std::string_view rest = before; !rest.empty();) {
      talk.press(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(std::min(rest.size(), rest.find(' ') == rest.npos ? rest.size() : rest.find(' ') + 1));
    }
    REQUIRE(is_open<GoTo>(view));
    talk.press("Page Down");
    CHECK_FALSE(is_open<GoTo>(view));
    CHECK((view.lesson.beat == beat + 1 || view.present.question));
  }
}

TEST_CASE("Where no hands can be counted, Ctrl+H says so in a field, and what is typed there commands nothing") {
  for (const bool number : {true, false})
    for (const bool two : {true, false}) {
      CAPTURE(number);
      CAPTURE(two);
      Talk talk;
      ViewState& view = talk.window.view;
      if (!two) talk.screen.plugged = false, talk.screen.moved = true, talk.frames(2);
      const auto wanted = [&] {
        const AskedQuestion asked = asked_now(view);
        return asked.question && asked.question->options.empty() == number && talk.p().question == number &&
               !settled(view, asked);
      };
      for (const char* lesson : {"6", "3", "12"}) {
        if (!wanted()) present_go_to(lesson, talk.window.session, view);
        for (int k = 0; k < 40 && !wanted(); ++k) talk.press("Page Down");
      }
      REQUIRE(wanted());
      const int beat = view.lesson.beat;
      talk.press("Ctrl+H");
      CHECK(view.editing == "field:hands");
      const auto shown = [&](std::string_view words) {
        std::string all;
        for (const Item& item : talk.window.scene.items)
          if (const auto* label = std::get_if<Label>(&item)) all += label->text + " ";
        return all.find(words) != std::string::npos;
      };
      CHECK(shown(number ? "asks for a number" : "no question with options"));
      for (const std::string& fault : layout_faults(talk.window.scene, 11, 1)) FAIL_CHECK(fault);
      for (const char* typed : {"1", "2", "Space", "5", "Space", "3", "0", "."}) talk.press(typed);
      talk.frames(4);
      CHECK(talk.p().tool == Tool::Normal);
      CHECK(talk.p().blank == Blank::None);
      CHECK(view.lesson.beat == beat);
      CHECK_FALSE(view.lesson.id.empty());
      CHECK(talk.p().question == number);
      CHECK_FALSE(settled(view, asked_now(view)));
      talk.press("Enter");
      talk.frames(4);
      CHECK(view.editing.empty());
      CHECK(talk.p().hands.empty());
      CHECK_FALSE(settled(view, asked_now(view)));
      // The clicker goes on all the same.
      talk.press("Ctrl+H");
      talk.press("Page Down");
      talk.frames(4);
      CHECK(view.editing.empty());
      CHECK((number ? settled(view, asked_now(view)) : talk.p().question || view.lesson.beat > beat));
    }
}

TEST_CASE("A note that is being written is kept when the clicker goes on") {
  Talk talk;
  ViewState& view = talk.window.view;
  const int beat = view.lesson.beat;
  talk.press("Ctrl+N");
  REQUIRE(view.editing == "field:note");
  talk.press("x");
  talk.press("Page Down");
  talk.frames(4);
  CHECK(view.editing.empty());
  CHECK(view.lesson.beat + int(talk.p().question) > beat);
  CHECK(talk.p().own_notes.size() == 1);
}

}  // namespace tilewalk::test_two_screens
