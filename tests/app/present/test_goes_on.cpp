// A talk that was left goes on, and what one went to off the list is left one thing at a time.
#include "app/session/set_stops.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>

namespace tilewalk::test_goes_on {

TEST_CASE("A talk of a lesson goes on with F5 where it was left, and its clock with it; another lesson's begins") {
  Talk talk({}, 7, 2);
  talk.press("Page Down Page Down");
  const int beat = talk.view.lesson.beat;
  const bool question = talk.p().question;
  const double elapsed = talk.p().elapsed;
  REQUIRE(elapsed > 0);
  talk.press("Ctrl+F5");
  REQUIRE_FALSE(talk.p().on);
  talk.press("F5");
  CHECK(talk.p().on);
  CHECK(talk.view.lesson.beat == beat);
  CHECK(talk.p().question == question);
  CHECK(talk.p().elapsed >= elapsed);
  CHECK(talk.view.notice.find("Goes on at beat") != std::string::npos);
  talk.press("Ctrl+Shift+F5");
  CHECK(talk.view.lesson.beat == 0);
  CHECK(talk.p().elapsed < elapsed);
  talk.press("Page Down");
  talk.press("Ctrl+F5");
  REQUIRE_FALSE(talk.p().on);
  REQUIRE(open_lesson_numbered(talk.session, talk.view, 9, 3));
  talk.press("F5");
  CHECK(talk.view.lesson.beat == 0);
  CHECK(talk.view.notice.find("Goes on") == std::string::npos);
}

TEST_CASE("A talk that goes on keeps the room's theme, and begun anew it does, too") {
  for (const char* again : {"F5", "Shift+F5", "Ctrl+Shift+F5"}) {
    CAPTURE(std::string(again));
    Talk talk("tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/1\n", 6, 0);
    REQUIRE(talk.p().theme == Theme::Projector);
    talk.press("T");
    for (int k = 0; k < 4 && talk.p().on; ++k) run_command("present-escape", talk.session, talk.view);
    REQUIRE_FALSE(talk.p().on);
    talk.press(again);
    REQUIRE(talk.p().on);
    CHECK(talk.p().theme == Theme::Dark);
  }
}

TEST_CASE(
    "Off the list an answer's picture comes before Page Down leads back, and a tool is left for what lay under it") {
  Talk talk("tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/1\n", 6, 0);
  present_go_to("8.3", talk.session, talk.view);
  REQUIRE(off_set_list(talk.view));
  talk.press("Ctrl+5");
  REQUIRE(talk.view.board.board == "estimate");
  talk.press("Esc");
  CHECK(lesson_on_show(talk.view)->number == 8);
  CHECK(talk.view.lesson.beat == 2);
  talk.press("Ctrl+P");
  REQUIRE(talk.p().question);
  talk.press("Page Down");
  REQUIRE(settled(talk.view, asked_now(talk.view)));
  talk.press("Page Down");
  CHECK_FALSE(talk.p().question);
  CHECK(lesson_on_show(talk.view)->number == 8);
  talk.press("Page Down");
  CHECK(talk.p().place == 0);
  CHECK(lesson_on_show(talk.view)->number == 6);
}

TEST_CASE(
    "What the pen drew on a stop is not on a tool over it, nor the other way round, and is there again after it") {
  Talk talk("tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/1\n", 6, 0);
  PenStroke stroke;
  stroke.points = {{0.2f, 0.2f}, {0.4f, 0.2f}};
  talk.p().strokes.push_back(stroke);
  talk.press("Ctrl+5");
  CHECK(talk.p().strokes.empty());
  talk.p().strokes.push_back(stroke);
  talk.p().strokes.push_back(stroke);
  talk.press("Ctrl+6");
  CHECK(talk.p().strokes.empty());
  talk.press("Esc");
  CHECK(talk.p().strokes.size() == 1);
}

TEST_CASE("A tool that lies under a frozen or black wall is left before that is lifted") {
  for (const char* key : {"F", "B"}) {
    CAPTURE(key);
    Talk talk("tilewalk://lesson/6/beat/1\ntilewalk://lesson/7/beat/1\n", 6, 0);
    talk.press(key);
    talk.press("Ctrl+5");
    talk.press("Esc");
    CHECK(talk.view.board.board != "estimate");
    CHECK((talk.p().frozen || talk.p().blank == Blank::Black));
    talk.press("Esc");
    CHECK_FALSE((talk.p().frozen || talk.p().blank == Blank::Black));
    CHECK(talk.p().on);
  }
}

TEST_CASE("Esc from a tool leads back to a stop that is a board, whatever came before it") {
  for (const char* tool : {"Ctrl+5", "Ctrl+6"})
    for (const bool jumps : {true, false}) {
      CAPTURE(tool);
      CAPTURE(jumps);
      Talk talk("tilewalk://lesson/1/beat/1\ntilewalk://board/draw\ntilewalk://board/estimate\n");
      const int place = std::string_view(tool) == "Ctrl+5" ? 1 : 2;
      if (jumps)
        REQUIRE(open_set_item(talk.session, talk.view, place));
      else
        while (talk.p().place < place) talk.press("Page Down");
      const std::string board = talk.view.board.board;
      REQUIRE(talk.view.lesson.id.empty());
      talk.press(tool);
      REQUIRE(talk.view.board.board != board);
      talk.press("Esc");
      CHECK(talk.view.board.board == board);
      CHECK(talk.view.lesson.id.empty());
      CHECK_FALSE(off_set_list(talk.view));
      CHECK(talk.p().on);
    }
}

}  // namespace tilewalk::test_goes_on
