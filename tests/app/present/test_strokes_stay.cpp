// What the pen drew over a stop's picture: it stays while the picture does, and goes with it.
#include "app/boards/board.h"
#include "app/panels/room_overlay.h"
#include "app/panels/room_overview.h"
#include "app/scene/svg_painter.h"
#include "app/session/choice_list.h"
#include "app/session/set_stops.h"
#include "app/session/turn_walk.h"
#include "app/window/stop_pictures.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_strokes_stay {

namespace {

void draw_on(Talk& talk, bool pinned = false) {
  PenStroke stroke;
  stroke.points = {{0.2f, 0.2f}, {0.4f, 0.2f}};
  stroke.pinned = pinned;
  talk.p().strokes.push_back(stroke);
}

}  // namespace

TEST_CASE("Strokes go with the picture: by another schedule, beside another one, and by another method of a board") {
  Talk talk("tilewalk://lesson/7/beat/2\ntilewalk://board/estimate?N=16384\n");
  for (const char* key : {"V", "D", "D", "Esc"}) {
    CAPTURE(key);
    talk.p().strokes.clear();
    draw_on(talk);
    draw_on(talk, true);  // that stays everywhere
    talk.p().drawing = true;
    talk.press(key);
    REQUIRE(talk.p().strokes.size() == 1);
    CHECK(talk.p().strokes.front().pinned);
    CHECK_FALSE(talk.p().drawing);
  }
  talk.p().strokes.clear();
  for (const char* knob : {"turn:Schedule/+", "turn:Schedule/-"}) {
    draw_on(talk);
    talk.click(knob);
    CHECK(talk.p().strokes.empty());
  }
  draw_on(talk);
  turn_walk_to(talk.session, talk.view, WalkKnob::Schedule, names_of_knob(WalkKnob::Schedule, talk.session).now == 0);
  CHECK(talk.p().strokes.empty());
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  draw_on(talk);
  talk.press("V");
  CHECK(talk.p().strokes.empty());
  draw_on(talk);
  open_choices(talk.session, talk.view, "method");
  choose_from_list(talk.session, talk.view, int(Method::Standard));
  CHECK(talk.p().strokes.empty());
}

TEST_CASE("Strokes stay over another mask, seed, machine, step or knob, and where nothing came of D") {
  Talk talk(
      "tilewalk://lesson/7/beat/2\ntilewalk://board/estimate?N=16384\n"
      "tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200\n");
  draw_on(talk);
  for (const char* key : {"C", "I", "Y", "→", "↓"}) {
    CAPTURE(key);
    talk.press(key);
    CHECK(talk.p().strokes.size() == 1);
  }
  REQUIRE(open_set_item(talk.session, talk.view, 1));
  draw_on(talk);
  for (const char* key : {"C", "Y"}) {
    CAPTURE(key);
    talk.press(key);
    CHECK(talk.p().strokes.size() == 1);
  }
  talk.click("knob:N");
  CHECK(talk.p().strokes.size() == 1);
  const double method = knob_value(*board_named("estimate"), talk.view.board, "method");
  open_choices(talk.session, talk.view, "method");
  choose_from_list(talk.session, talk.view, int(method));
  CHECK(talk.p().strokes.size() == 1);
  REQUIRE(open_set_item(talk.session, talk.view, 2));
  draw_on(talk);
  for (const char* key : {"D", "C", "Y"}) talk.press(key);
  CHECK(talk.p().strokes.size() == 1);
}

TEST_CASE("The small picture of the next stop has what the pen drew there, where it comes back so") {
  const std::string stops = "tilewalk://lesson/7/beat/2\nslide: So far\ntilewalk://lesson/4/beat/4\n";
  for (const int place : {1, 2}) {
    CAPTURE(place);
    Talk talk(stops);
    REQUIRE(open_set_item(talk.session, talk.view, place));
    StopPicturesMaker maker;
    const auto next = [&] {
      maker.make_next(talk.view, {320, 180});
      return to_svg(*talk.p().next_picture);
    };
    draw_on(talk);
    Scene wall = layout_audience(talk.session, talk.view, {320, 180});
    draw_strokes(wall, talk.p());
    talk.press("Page Up");
    REQUIRE(talk.p().place == place - 1);
    REQUIRE(talk.p().strokes.empty());
    CHECK(next() == to_svg(small_picture(wall)));
    talk.press("Page Down");
    CHECK(talk.p().strokes.size() == 1);
    // Gone to, it comes as it was prepared; what stays everywhere is there, too.
    REQUIRE(open_set_item(talk.session, talk.view, place - 1));
    const std::string plain = next();
    CHECK(plain != to_svg(small_picture(wall)));
    draw_on(talk, true);
    CHECK(next() != plain);
  }
}

TEST_CASE("Over a tool the small picture of the stop that comes back has what the pen drew there") {
  Talk talk("tilewalk://lesson/7/beat/2\ntilewalk://lesson/4/beat/4\n");
  draw_on(talk);
  Scene wall = layout_audience(talk.session, talk.view, {320, 180});
  draw_strokes(wall, talk.p());
  talk.press("Ctrl+5");
  StopPicturesMaker maker;
  maker.make_next(talk.view, {320, 180});
  CHECK(to_svg(*talk.p().next_picture) == to_svg(small_picture(wall)));
}

}  // namespace tilewalk::test_strokes_stay
