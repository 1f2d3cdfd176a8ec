// The way through a stop: Page Up comes back over it press by press, and every way back finds what was prepared there,
// the step and the row that is followed, whatever was stepped, followed or turned meanwhile.
#include "app/panels/audience.h"
#include "app/scene/svg_painter.h"
#include "app/session/commands.h"
#include "app/session/overview.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace tilewalk::test_stop_way {

namespace {

struct Walked : Talk {
  using Talk::Talk;
  // What the wall shows once it has come to rest.
  std::string wall() {
    for (int k = 0; view.playing && k < 2000; ++k) pass_time_on_stage(session, view, 1);
    REQUIRE_FALSE(view.playing);
    view.phase = view.lesson.lift = 1;
    return to_svg(layout_audience(session, view, {1280, 720}));
  }
  std::string more() {  // the first knob that has a button to turn it up
    for (const Region& region : scene().regions)
      if (region.id.starts_with("knob:") && !region.id.starts_with("knob:more")) return region.id;
    return {};
  }
  // What is asked, and whether it is on the wall and answered.
  std::string state() {
    const AskedQuestion asked = asked_now(view);
    return asked.key + (p().question ? " asked" : " picture") + (settled(view, asked) ? " answered" : "");
  }
};

const char* const kRescale = "tilewalk://lesson/7/beat/2\ntilewalk://lesson/7/beat/3\n";

}  // namespace

TEST_CASE(
    "Steps and rows of a stop are there when one comes back, turned knobs are not, and Ctrl+Backspace takes all back") {
  for (const std::string moves : {"→ → →", "End", "Home", "↑", "↓", "End ↓", "C", "→ I", "↓ D"})
    for (const bool set : {true, false})
      for (const bool goes_on : {true, false}) {
        CAPTURE(moves);
        CAPTURE(set);
        CAPTURE(goes_on);
        Walked talk(set ? kRescale : std::string_view{}, 7, 1);
        const std::string prepared = talk.wall();
        const int64_t step = talk.view.playhead, row = talk.view.row;
        REQUIRE(talk.room().find("0.120") != std::string::npos);
        std::pair left_at{step, row};
        for (std::string_view left = moves; !left.empty();) {
          const size_t end = left.find(' ');
          talk.press(left.substr(0, end));
          if (!talk.p().turned) left_at = {talk.view.playhead, talk.view.row};
          left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
        }
        if (!set && (moves == "End" || moves == "Home")) {
          talk.press("→");
          left_at = {talk.view.playhead, talk.view.row};
        }
        bool changed = talk.view.playhead != step || talk.view.row != row || talk.p().turned;
        if (goes_on) {
          const StopPlace place = place_now(talk.view);
          for (int k = 0; place_now(talk.view) == place && k < 8; ++k) talk.press("Page Down");
          REQUIRE(place_now(talk.view) != place);
          for (int k = 0;
               (place_now(talk.view) != place || talk.state() != asked_now(talk.view).key + " picture") && k < 12; ++k)
            talk.press("Page Up");
          CHECK(place_now(talk.view) == place);
          CHECK(std::pair(talk.view.playhead, talk.view.row) == left_at);
          changed = left_at != std::pair(step, row);
        }
        talk.press("Ctrl+Backspace");
        CHECK(talk.view.notice == (changed ? "This stop is as it was prepared." : "Nothing of this stop was turned."));
        CHECK(talk.view.playhead == step);
        CHECK(talk.view.row == row);
        CHECK(talk.wall() == prepared);
        talk.press("Ctrl+Backspace");
        CHECK(talk.view.notice == "Nothing of this stop was turned.");
      }
}

TEST_CASE("Page Up goes back over all that Page Down has shown, press by press") {
  for (const int lesson : {5, 7, 9})
    for (const bool set : {true, false}) {
      CAPTURE(lesson);
      CAPTURE(set);
      const std::string list = set ? "tilewalk://lesson/5/beat/3\ntilewalk://lesson/7/beat/2\n"
                                     "tilewalk://lesson/9/beat/7\ntilewalk://board/clocks\n"
                                   : "";
      Walked talk(list, lesson, 0);
      std::vector<std::string> states, walls;
      const auto note = [&] {
        const StopPlace place = place_now(talk.view);
        states.push_back(place.lesson + place.board + std::to_string(place.beat) + " " + talk.state());
        walls.push_back(talk.wall());
      };
      note();
      for (int k = 0; k < 60; ++k) {
        talk.press("Page Down");
        if (talk.view.notice.starts_with("That was the last")) break;
        note();
      }
      REQUIRE(states.size() > 9);
      for (size_t k = states.size() - 1; k-- > 0;) {
        talk.press("Page Up");
        const StopPlace place = place_now(talk.view);
        CAPTURE(k);
        CHECK(place.lesson + place.board + std::to_string(place.beat) + " " + talk.state() == states[k]);
        CHECK(talk.wall() == walls[k]);
      }
      // And on again.
      for (size_t k = 1; k < states.size(); ++k) {
        talk.press("Page Down");
        CAPTURE(k);
        CHECK(talk.wall() == walls[k]);
      }
    }
}

TEST_CASE("A stop that was left by the overview in the middle of its questions comes back there, knobs unturned") {
  for (const bool turned : {false, true}) {
    CAPTURE(turned);
    Walked talk("tilewalk://lesson/7/beat/2\ntilewalk://lesson/9/beat/7\ntilewalk://board/clocks\n");
    talk.press("O");
    talk.press("2");
    talk.press("Enter");
    REQUIRE(talk.p().place == 1);
    if (turned) {
      if (talk.view.board.board.empty())
        talk.press("C");
      else
        talk.click(talk.more());
      REQUIRE(talk.p().turned);
    }
    talk.press("Page Down");
    talk.press("Page Down");
    const std::string state = talk.state();
    REQUIRE(state.ends_with(" asked answered"));
    talk.press("O");
    talk.press("3");
    talk.press("Enter");
    REQUIRE(talk.p().place == 2);
    talk.press("Page Up");
    CHECK(talk.p().place == 1);
    CHECK(talk.state() == state);
    talk.press("Page Up");
    talk.press("Page Up");
    CHECK(talk.state().ends_with(" picture"));
    CHECK_FALSE(talk.p().turned);
  }
}

TEST_CASE("Where a stop was turned before its question, that is about it as it was prepared") {
  Walked plain("tilewalk://lesson/7/beat/3\n"), talk("tilewalk://lesson/7/beat/3\n");
  REQUIRE(talk.view.board.board.empty());
  talk.press("C");
  REQUIRE(talk.session.setup() != plain.session.setup());
  for (Walked* each : {&plain, &talk}) each->press("Page Down");
  REQUIRE(talk.p().question);
  CHECK(talk.state() == plain.state());
  CHECK(talk.session.setup() == plain.session.setup());
  CHECK(talk.wall() == plain.wall());
}

}  // namespace tilewalk::test_stop_way
