// A look at a tool during a talk, and back: the stop is as the one who talks has left it.
#include "app/boards/board.h"
#include "app/session/set_stops.h"
#include "app/session/stop_way.h"
#include "app/session/tools.h"
#include "app/session/transport.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_tool_and_back {

namespace {

constexpr std::string_view kStops =
    "tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/2\ntilewalk://board/estimate?N=16384\n"
    "tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200\n";

void draw_on(Talk& talk) {
  PenStroke stroke;
  stroke.points = {{0.2f, 0.2f}, {0.4f, 0.2f}};
  talk.p().strokes.push_back(stroke);
}

}  // namespace

TEST_CASE("A tool is left for the stop as it was left: knobs, seed, mask, step, row and pen, frozen or not") {
  for (const bool listed : {true, false})
    for (const char* away : {"Ctrl+4", "Ctrl+5", "Ctrl+6"})
      for (const char* back : {"Esc", "Page Down", "Page Up", "Ctrl+Backspace"})
        for (const bool frozen : {false, true}) {
          CAPTURE(listed);
          CAPTURE(away);
          CAPTURE(back);
          CAPTURE(frozen);
          Talk talk(listed ? kStops : std::string_view{}, 7, 1);
          if (listed) REQUIRE(open_set_item(talk.session, talk.view, 1));
          for (const char* key : {"C", "I", "V", "↓", "→"}) talk.press(key);
          draw_on(talk);
          const Setup setup = talk.session.setup();
          const int64_t step = talk.view.playhead, row = talk.view.row;
          const std::string room = talk.room();
          if (frozen) talk.press("F");
          talk.press(away);
          REQUIRE(tool_open(talk.view));
          talk.press(back);
          CHECK_FALSE(tool_open(talk.view));
          CHECK_FALSE(off_stop(talk.view));
          CHECK(talk.session.setup() == setup);
          CHECK(talk.view.playhead == step);
          CHECK(talk.view.row == row);
          CHECK(talk.p().strokes.size() == 1);
          CHECK(talk.p().turned);
          CHECK(talk.p().frozen == frozen);
          if (frozen) talk.press("F");
          CHECK(talk.room() == room);
          // What was prepared is one press away, as before.
          talk.press("Ctrl+Backspace");
          CHECK(talk.session.setup() != setup);
          CHECK_FALSE(talk.p().turned);
        }
}

TEST_CASE("Knobs of a board and the GPU's charts, and a question on the wall, are there again after a tool") {
  for (const bool frozen : {false, true}) {
    CAPTURE(frozen);
    Talk talk(kStops);
    REQUIRE(open_set_item(talk.session, talk.view, 2));
    const auto n = [&] { return knob_value(*board_named("estimate"), talk.view.board, "N"); };
    talk.click("knob:N");
    const double turned = n();
    REQUIRE(turned != 16384);
    draw_on(talk);
    if (frozen) talk.press("F");
    talk.press("Ctrl+6");
    talk.press("Esc");
    CHECK(n() == turned);
    CHECK(talk.p().strokes.size() == 1);
    // Other stops come as they were prepared, and so does this one from them.
    if (frozen) talk.press("F");
    talk.press("Page Down");
    REQUIRE(talk.p().place == 3);
    CHECK(talk.p().strokes.empty());
    talk.click("choice:gpu-n/16384");
    REQUIRE(talk.view.gpu.benchmark_n == 16384);
    talk.press("Ctrl+5");
    talk.press("Page Down");
    CHECK(talk.p().place == 3);
    CHECK(talk.view.gpu.enlarged);
    CHECK(talk.view.gpu.benchmark_n == 16384);
    talk.press("Page Up");
    CHECK(n() == 16384);
  }
  Talk asked({}, 6, 2);
  asked.press("Ctrl+P");
  REQUIRE(asked.p().question);
  const std::string room = asked.room();
  asked.press("Ctrl+5");
  asked.press("Esc");
  CHECK(asked.p().question);
  CHECK(asked.room() == room);
}

}  // namespace tilewalk::test_tool_and_back
