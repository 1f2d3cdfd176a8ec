// Spotlight and lens light up what their stop shows: they end with it, whatever leads away.
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/typing.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk::test_lights {

namespace {

const char* const kStops =
    "tilewalk://lesson/6/beat/1\ntilewalk://lesson/6/beat/3\ntilewalk://walk/step/12?N=16\ntilewalk://walk?N=16\n";

bool lit(const ViewState& view) { return view.present.lens || view.present.tool == Tool::Spotlight; }

}  // namespace

TEST_CASE("Spotlight and lens stay from a stop's picture to its question and back, and end with the stop") {
  const std::vector<std::vector<std::string_view>> ways = {
      {"Page Up"}, {"Page Down", "Page Down", "Page Down", "Page Down"}, {"O", "End", "Enter"}, {"Ctrl+4"}, {"Ctrl+1"}};
  for (const bool set : {true, false})
    for (const char* light : {"5", "Z"})
      for (size_t way = 0; way < ways.size(); ++way) {
        CAPTURE(set);
        CAPTURE(light);
        CAPTURE(way);
        Talk talk(set ? kStops : "", 6, 2);
        if (set) REQUIRE(open_set_item(talk.session, talk.view, 1));
        REQUIRE(asked_now(talk.view).question);
        talk.press(light);
        talk.press("Page Down");
        REQUIRE(talk.p().question);
        CHECK(lit(talk.view));
        talk.press("Page Up");
        REQUIRE_FALSE(talk.p().question);
        CHECK(lit(talk.view));
        const StopPlace here = place_now(talk.view);
        for (const std::string_view key : ways[way]) talk.press(key);
        REQUIRE(place_now(talk.view) != here);
        CHECK_FALSE(lit(talk.view));
        // What one lights up elsewhere ends with the way back.
        talk.press(light);
        talk.press("Ctrl+Backspace");
        CHECK(lit(talk.view) == (place_now(talk.view) != here));
      }
}

TEST_CASE("Between two walks, which are one place, and by G spotlight and lens end, too; a pen stays in the hand") {
  for (const char* light : {"5", "Z", "3", "2"})
    for (const bool goes : {true, false}) {
      CAPTURE(light);
      CAPTURE(goes);
      Talk talk(kStops);
      REQUIRE(open_set_item(talk.session, talk.view, 2));
      talk.press(light);
      const Tool tool = talk.p().tool;
      talk.press("Ctrl+Backspace");
      CHECK(talk.p().tool == tool);
      if (goes)
        REQUIRE(present_go_to("9.2", talk.session, talk.view).empty());
      else
        talk.press("Page Down");
      CHECK(talk.p().place == (goes ? 2 : 3));
      CHECK_FALSE(lit(talk.view));
      if (tool != Tool::Spotlight) CHECK(talk.p().tool == tool);
    }
}

}  // namespace tilewalk::test_lights
