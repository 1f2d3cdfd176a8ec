// A stop as it was prepared: from the picture back to its answer, drawings that were turned and come back, and no word
// of a learner's in front of a room.
#include "app/boards/board.h"
#include "app/panels/audience.h"
#include "app/panels/presenter.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/hands.h"
#include "app/session/jumps.h"
#include "app/session/lesson_moves.h"
#include "app/session/playback.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/typing.h"
#include "app/state/board_history.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace tilewalk::test_prepared {

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

TEST_CASE("A drawing that was turned comes back as it was left by Page Up, and as it was prepared by Ctrl+Backspace") {
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
    const BoardState turned = talk.view.board;
    if (goes_on) {
      talk.press("Page Down");
      REQUIRE(talk.p().place == 1);
      talk.press("Page Up");
      CHECK(same_work(talk.view.board, turned));
    }
    talk.press("Ctrl+Backspace");
    CHECK(talk.view.notice == "This stop is as it was prepared.");
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

TEST_CASE(
    "What was stepped and drawn at a stop is there after Page Down and Page Up, and after Page Up and Page Down") {
  const std::string walk = "tilewalk://walk/step/17?schedule=fa2&N=16&d=8&Br=4&Bc=4&seed=4";
  Prepared talk("tilewalk://board/clocks\n" + walk + "\ntilewalk://board/rounding\n");
  talk.press("Page Down");
  REQUIRE(talk.p().place == 1);
  const auto step_and_draw = [&] {
    talk.press("→");
    talk.p().strokes.push_back({{{0.2f, 0.3f}, {0.4f, 0.5f}}, false});
    talk.press("T");
  };
  for (const auto& [away, back] : {std::pair{"Page Down", "Page Up"}, std::pair{"Page Up", "Page Down"}}) {
    CAPTURE(away);
    step_and_draw();
    const auto step = talk.view.playhead;
    const size_t strokes = talk.p().strokes.size();
    REQUIRE(step > 17);
    talk.press(away);
    REQUIRE(talk.p().place != 1);
    CHECK(talk.p().strokes.empty());
    talk.press(back);
    REQUIRE(talk.p().place == 1);
    CHECK(talk.view.playhead == step);
    CHECK(talk.p().strokes.size() == strokes);
  }
  // Out of turn it is as it was prepared, and so it is where one goes on to it from before.
  talk.press("Page Up");
  REQUIRE(jump_to_item(talk.session, talk.view, 2));
  REQUIRE(jump_to_item(talk.session, talk.view, 0));
  talk.press("Page Down");
  REQUIRE(talk.p().place == 1);
  CHECK(talk.view.playhead == 17);
  CHECK(talk.p().strokes.empty());
  step_and_draw();
  talk.press("Ctrl+Backspace");
  CHECK(talk.view.playhead == 17);
  CHECK(talk.p().strokes.empty());
}

TEST_CASE("A field of the presenter's window has a label, and its frame lies round what is typed") {
  Prepared talk({}, 1, 0);
  for (int k = 0; k < 60 && !(talk.p().question && can_count_hands(talk.view)); ++k) talk.press("Page Down");
  REQUIRE(can_count_hands(talk.view));
  for (const auto& [keys, id, label] :
       {std::tuple{"Ctrl+H", "field:hands", "Hands, A first"}, {"Ctrl+N", "field:note", "Note ("}}) {
    CAPTURE(id);
    talk.press(keys);
    REQUIRE(talk.view.editing == id);
    const Scene scene = talk.scene();
    CHECK(Prepared::words_in(scene).find(label) != std::string::npos);
    const Region* field = scene.find(id);
    REQUIRE(field);
    const bool framed = std::ranges::any_of(scene.items, [&](const Item& item) {
      const auto* box = std::get_if<Box>(&item);
      return box && box->stroke_width > 0 && box->rect.x + box->stroke_width <= field->rect.x + 0.1f &&
             box->rect.y + box->stroke_width <= field->rect.y + 0.1f && box->rect.h < field->rect.h * 1.5f &&
             box->rect.right() - box->stroke_width >= field->rect.right() - 0.1f && box->rect.w < field->rect.w * 1.1f;
    });
    CHECK(framed);
    leave_typing(talk.view);
  }
}

TEST_CASE("What Ctrl+Backspace said goes away in the presenter's window, too") {
  Prepared talk("tilewalk://board/clocks\n");
  talk.press("Ctrl+Backspace");
  REQUIRE(talk.view.notice == "Nothing of this stop was turned.");
  CHECK(seconds_to_presentation_change(talk.view) <= kNoticeSeconds);
  pass_presentation_time(talk.view, kNoticeSeconds + 0.1f);
  CHECK(talk.view.notice.empty());
}

TEST_CASE("A stroke drawn after a knob was turned: with the knob turned back it stays, else it is said to be gone") {
  const std::string walk = "tilewalk://walk/step/17?schedule=fa2&N=16&d=8&Br=4&Bc=4&seed=4";
  for (const bool board : {true, false})
    for (const bool before : {true, false})
      for (const bool turned_back : {true, false}) {
        CAPTURE(board);
        CAPTURE(before);
        CAPTURE(turned_back);
        Prepared talk((board ? "tilewalk://board/clocks" : walk) + "\ntilewalk://board/rounding\n");
        const auto draw = [&] {
          talk.p().strokes.push_back({{{0.2f, 0.3f}, {0.4f, 0.5f}}, false});
          talk.press("T");
        };
        const auto turn = [&](double by) {
          if (board)
            talk.view.board.knobs["N"] = knob_value(*board_named("clocks"), talk.view.board, "N") * by,
            talk.p().turned = true;
          else
            talk.press("C");
        };
        if (before) draw();
        turn(0.5);
        REQUIRE(talk.p().turned);
        draw();
        if (turned_back) turn(2);
        talk.press("Page Down");
        REQUIRE(talk.p().place == 1);
        CHECK(talk.p().strokes.empty());
        talk.press("Page Up");
        REQUIRE(talk.p().place == 0);
        CHECK(talk.p().strokes.size() == size_t(before) + size_t(turned_back));
        CHECK((talk.view.notice.find("is gone") != std::string::npos) == !turned_back);
        CHECK_FALSE(talk.p().turned);
        talk.press("Page Down");
        talk.press("Page Up");  // it is said once
        CHECK(talk.view.notice.find("is gone") == std::string::npos);
      }
}

TEST_CASE("From a question back to its picture: the step that was left, and the knobs") {
  Prepared talk("tilewalk://lesson/7/beat/3\ntilewalk://board/clocks\n");
  REQUIRE_FALSE(talk.p().question);
  REQUIRE(asked_now(talk.view).question);
  talk.press("→");
  const BoardState left = talk.view.board;
  const auto step = talk.view.playhead;
  talk.press("Page Down");
  REQUIRE(talk.p().question);
  talk.press("Page Up");
  REQUIRE_FALSE(talk.p().question);
  CHECK(talk.view.playhead == step);
  CHECK(talk.view.board.step == left.step);
  CHECK(same_work(talk.view.board, left));
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

TEST_CASE("A talk that was ended and is gone on with has its hands; one that begins anew has none") {
  for (const bool at_last_stop : {false, true}) {
    CAPTURE(at_last_stop);
    Prepared talk(at_last_stop ? "tilewalk://board/clocks\ntilewalk://lesson/7/beat/3\n"
                               : "tilewalk://lesson/7/beat/3\ntilewalk://board/clocks\n");
    if (at_last_stop) talk.press("Page Down");
    const auto ask = [&] {
      if (!talk.p().question) talk.press("Page Down");
      REQUIRE(can_count_hands(talk.view));
      return asked_now(talk.view);
    };
    const size_t options = ask().question->options.size();
    talk.press("Ctrl+H");
    std::string counted;
    for (size_t k = 0; k < options; ++k) counted += fmt::format("{} ", 11 + k);
    typed_into("field:hands", counted, talk.view);
    finish_typing(talk.session, talk.view);
    REQUIRE(hands_for(talk.view, asked_now(talk.view)).size() == options);
    REQUIRE(talk.room().find("\n11\n") != std::string::npos);
    for (int k = 0; k < 8 && talk.p().on; ++k)
      for (const KeyPress& key : parse_keys("Esc")) key_pressed(key, talk.scene(), talk.session, talk.view);
    REQUIRE_FALSE(talk.p().on);
    talk.press("F5");
    talk.view.present.screens = Screens::Two;
    CHECK(hands_for(talk.view, ask()).size() == options);
    CHECK(talk.room().find("\n11\n") != std::string::npos);
    talk.press("Ctrl+Shift+F5");
    if (at_last_stop) talk.press("Page Down");
    CHECK(hands_for(talk.view, ask()).empty());
  }
}

TEST_CASE("What was drawn or turned on a board is on no other stop of the talk, which comes as it was prepared") {
  const auto board_of = [](std::string_view set, int lesson, int beat) {
    return Prepared(set, lesson, beat).view.board;
  };
  const auto draw = [](Prepared& talk) {
    const BoardState before = talk.view.board;
    const std::string grip = talk.first("board:plot/");
    REQUIRE_FALSE(grip.empty());
    talk.drag(grip, {60, -80});
    REQUIRE_FALSE(same_work(talk.view.board, before));
  };
  constexpr std::string_view kAgain = "tilewalk://lesson/14/beat/5\n", kLesson = "tilewalk://lesson/14/beat/3\n";
  SUBCASE("of a set list, from a drawing of one's own and from another beat of the lesson") {
    for (const std::string_view first :
         {std::string_view("tilewalk://board/draw?given=roofs\n"), std::string_view("tilewalk://lesson/14/beat/2\n")}) {
      CAPTURE(first);
      Prepared talk(fmt::format("{}{}{}", first, kLesson, kAgain));
      if (talk.view.board.board == "draw" && first.find("given") != std::string_view::npos) draw(talk);
      talk.view.board.cells["roofs/1"] = "dram:1e12";
      talk.view.board.cells["roofs"] = "dram:1e12";
      talk.press("Page Down");
      CHECK(talk.view.board == board_of(kLesson, 7, 1));
      draw(talk);
      talk.press("Page Down");
      CHECK(talk.view.board == board_of(kAgain, 7, 1));
    }
  }
  SUBCASE("of a lesson, beat by beat and by G") {
    Prepared talk({}, 14, 2);
    const BoardState next = board_of({}, 14, 3);
    draw(talk);
    talk.view.board.knobs["N"] = 1024;
    talk.press("Page Down");
    CHECK(talk.view.lesson.beat == 3);
    CHECK(talk.view.board == next);
    draw(talk);
    REQUIRE(present_go_to("14.3", talk.session, talk.view).empty());
    CHECK(talk.view.board == board_of({}, 14, 2));
  }
}

TEST_CASE("What was typed on a stop's board is there when one comes back, as what was drawn") {
  Talk talk("tilewalk://lesson/14/beat/2\ntilewalk://lesson/7/beat/2\n");
  talk.click("board:add/dram");
  talk.click("field:board/roof/dram");
  REQUIRE(talk.view.editing == "field:board/roof/dram");
  typed_into(talk.view.editing, "4.8 TB/s", talk.view);
  finish_typing(talk.session, talk.view);
  const auto roofs = [&] {
    std::string all;
    for (const auto& [name, words] : talk.view.board.cells)
      if (name.starts_with("roof")) all += name + " " + words + " ";
    return all;
  };
  const std::string drawn = roofs();
  REQUIRE_MESSAGE(drawn.find("dram:48") != std::string::npos, drawn);
  talk.press("Page Down");
  REQUIRE(talk.view.board.board != "draw");
  talk.press("Page Up");
  REQUIRE(talk.view.board.board == "draw");
  CHECK(roofs() == drawn);
  CHECK(talk.view.notice.empty());
}

TEST_CASE("What is asked at a stop, and its answer, are of the stop as it was prepared, whenever a knob was turned") {
  for (const bool asked_first : {true, false})
    for (const auto& [lesson, beat] : {std::pair{1, 2}, {4, 2}}) {
      CAPTURE(asked_first);
      CAPTURE(lesson);
      Talk untouched({}, lesson, beat), talk({}, lesson, beat);
      REQUIRE_FALSE(untouched.p().question);
      untouched.press("Page Down");
      REQUIRE(untouched.p().question);
      const Board& board = *board_named(talk.view.board.board);
      const double prepared = knob_value(board, talk.view.board, "gpu");
      if (asked_first) talk.press("Page Down");
      talk.view.present.turned = true;
      turn_to(board, talk.view.board, "gpu", prepared + 1);
      REQUIRE(knob_value(board, talk.view.board, "gpu") != prepared);
      if (!asked_first) talk.press("Page Down");
      for (int k = 0; k < 2; ++k) {
        talk.press("Page Down");
        untouched.press("Page Down");
        CHECK(talk.room() == untouched.room());
      }
      CHECK(knob_value(board, talk.view.board, "gpu") == prepared);
    }
}

TEST_CASE("The beat with which a talk begins is the room's as any other: what learners draw themselves is drawn") {
  for (const int beat : {4, 6}) {
    CAPTURE(beat);
    Talk first({}, 14, beat), came({}, 14, beat - 2);
    present_beat(came.session, came.view, beat);
    CHECK(first.view.board.knobs == came.view.board.knobs);
    // What somebody has turned stays.
    Talk turned({}, 14, beat, false);
    turned.view.board.knobs["N"] = 2048;
    const auto own = turned.view.board.knobs;
    turned.press("Shift+F5");
    CHECK(turned.view.board.knobs == own);
  }
}

}  // namespace tilewalk::test_prepared
