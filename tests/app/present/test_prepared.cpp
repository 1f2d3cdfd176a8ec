// A stop as it was prepared: from the picture back to its answer, drawings that were turned and come back, and no word
// of a learner's in front of a room.
#include "app/boards/board.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/state/board_history.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

using namespace tilewalk;

namespace {

struct Prepared : Talk {
  using Talk::Talk;
  std::string first(std::string_view begins) {
    for (const Region& region : scene().regions)
      if (region.id.starts_with(begins)) return region.id;
    return {};
  }
  bool answered() { return settled(view, asked_now(view)); }
};

}  // namespace

TEST_CASE("Page Up from the picture with the answer comes to answer, question, stage, then to the stop before") {
  for (const bool set : {true, false}) {
    CAPTURE(set);
    Prepared talk(set ? "tilewalk://lesson/7/beat/2\ntilewalk://lesson/7/beat/3\n" : std::string_view{}, 7, 1);
    talk.press("Page Down");
    const StopPlace place = place_now(talk.view);
    REQUIRE(place.beat == 2);
    REQUIRE(asked_now(talk.view).question);
    talk.press("Page Down");
    talk.press("Page Down");
    REQUIRE(talk.p().question);
    REQUIRE(talk.answered());
    talk.press("Page Down");
    REQUIRE_FALSE(talk.p().question);
    REQUIRE(place_now(talk.view) == place);
    talk.press("Page Up");
    CHECK(place_now(talk.view) == place);
    CHECK(talk.p().question);
    CHECK(talk.answered());
    talk.press("Page Up");
    CHECK(place_now(talk.view) == place);
    CHECK(talk.p().question);
    CHECK_FALSE(talk.answered());
    talk.press("Page Up");
    CHECK(place_now(talk.view) == place);
    CHECK_FALSE(talk.p().question);
    CHECK_FALSE(talk.answered());
    talk.press("Page Up");
    CHECK(place_now(talk.view) != place);
  }
}

TEST_CASE("A drawing that was turned comes back as it was prepared: by going on and back, and by Ctrl+Backspace") {
  for (const bool goes_on : {true, false}) {
    CAPTURE(goes_on);
    Prepared talk("tilewalk://board/draw?given=roofs\ntilewalk://board/clocks\n");
    REQUIRE(talk.view.board.board == "draw");
    talk.press("T");  // a stop is kept before any key
    talk.press("T");
    const BoardState prepared = talk.view.board;
    const std::string grip = talk.first("board:plot/");
    REQUIRE_FALSE(grip.empty());
    talk.drag(grip, {60, -80});
    REQUIRE_FALSE(same_work(talk.view.board, prepared));
    talk.press("T");
    if (goes_on) {
      talk.press("Page Down");
      REQUIRE(talk.p().place == 1);
      talk.press("Page Up");
    } else {
      talk.press("Ctrl+Backspace");
      CHECK(talk.view.notice == "This stop is as it was prepared.");
    }
    CHECK(talk.view.board.board == "draw");
    CHECK(same_work(talk.view.board, prepared));
    CHECK_FALSE(talk.p().turned);
  }
}

TEST_CASE("A walk that went on comes back to the step that it was prepared at") {
  Prepared talk("tilewalk://walk/step/17?schedule=fa2&N=16&d=8&Br=4&Bc=4&seed=4\ntilewalk://board/clocks\n");
  REQUIRE(talk.view.playhead == 17);
  talk.press("Ctrl+Backspace");
  CHECK(talk.view.notice == "Nothing of this stop was turned.");
  talk.press("→");
  talk.press("→");
  talk.press("←");
  REQUIRE(talk.view.playhead != 17);
  talk.press("Ctrl+Backspace");
  CHECK(talk.view.playhead == 17);
  CHECK(talk.view.notice == "This stop is as it was prepared.");
}

TEST_CASE("Off the set list an arrow goes on past a question, and nobody in front of a room is told to answer") {
  Prepared talk("tilewalk://lesson/7/beat/2\ntilewalk://lesson/7/beat/3\n");
  int asked = 0;
  for (const int lesson : {1, 2, 5, 6, 12}) {
    REQUIRE(present_go_to(fmt::format("{}.1", lesson), talk.session, talk.view).empty());
    const int beats = int(lesson_on_show(talk.view)->beats.size());
    for (int k = 0; k < 40 && talk.view.lesson.beat + 1 < beats; ++k) {
      const int beat = talk.view.lesson.beat;
      const bool open = asked_now(talk.view).question && !talk.answered();
      CAPTURE(lesson);
      CAPTURE(beat);
      talk.view.notice.clear();
      if (talk.view.board.board.empty()) {
        present_beat(talk.session, talk.view, beat + 1);
        continue;
      }
      talk.view.board.step = board_steps(talk.session, talk.view);
      talk.press("→");
      CHECK(talk.view.notice.find("Skip") == std::string::npos);
      if (open && talk.view.lesson.beat == beat + 1) ++asked;
      if (talk.view.lesson.beat == beat) present_beat(talk.session, talk.view, beat + 1);
    }
  }
  CHECK(asked > 1);
}
