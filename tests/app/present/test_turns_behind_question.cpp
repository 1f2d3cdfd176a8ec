// Keys that turn a walk, a board or the GPU's charts, and what they say: at the charts, after several turns, and while
// the room sees a question.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/session/set_stops.h"
#include "app/session/stop_way.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <tuple>
#include <vector>

namespace tilewalk::test_turns_behind_question {

namespace {

bool has(std::string_view words, std::string_view part) { return words.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("Y turns whose recording the GPU's charts show, and Ctrl+Backspace takes it back") {
  Talk talk("tilewalk://walk?charts=compare&gpu-shape=benchmark&gpu-n=4096&gpu-on=h200\n");
  const std::string prepared = talk.room();
  REQUIRE(has(prepared, "on H200"));
  talk.press("Y");
  CHECK(talk.view.gpu.recorded_on == RecordedGpu::H100);
  CHECK(has(talk.room(), "on H100"));
  CHECK_MESSAGE(has(talk.view.notice, "H100"), talk.view.notice);
  CHECK(talk.p().turned);
  talk.press("Y");
  CHECK(talk.room() == prepared);
  talk.press("Y");
  talk.press("Ctrl+Backspace");
  CHECK(talk.room() == prepared);
}

TEST_CASE("That no row is rescaled here is said by the very turn that leads elsewhere, and by no other") {
  const auto place = [](const Talk& talk) {
    const int64_t at = talk.view.playhead;
    const std::vector<Step>& steps = talk.session.walk().replay.steps();
    const Step step = at > 0 ? steps[size_t(at - 1)] : Step{};
    const Tiling& t = talk.session.walk().plan().tiling;
    return fmt::format("{} {} row {}", step.i, step.j,
                       step.i * t.br + std::min(talk.view.row % t.br, t.rows(step.i) - 1));
  };
  int moved = 0, stayed = 0;
  for (int seed = 0; seed < 12; ++seed) {
    const std::string walk = fmt::format("tilewalk://walk/step/46?schedule=fa2&N=16&d=2&Br=4&Bc=4&seed={}\n", seed);
    Talk talk(seed == 0 ? "tilewalk://lesson/7/beat/2\n" : walk.c_str());
    for (const char* key : {"I", "C", "V", "Y", "V", "C", "Y", "I", "C", "V"}) {
      CAPTURE(seed);
      CAPTURE(key);
      const std::string before = place(talk);
      talk.press(key);
      CAPTURE(talk.view.notice);
      const bool says = has(talk.view.notice, "is rescaled here") || has(talk.view.notice, "is followed: here row");
      if (says) CHECK(place(talk) != before);
      moved += says;
      stayed += place(talk) == before;
    }
  }
  CHECK(moved > 0);
  CHECK(stayed > 20);
}

TEST_CASE("While the room sees a question or its answer C, V, Y, I and D change nothing and say what they act on") {
  for (const auto& [lesson, beat] : {std::pair{7, 2}, {6, 2}, {14, 3}})
    for (const bool answered : {false, true}) {
      CAPTURE(lesson);
      CAPTURE(answered);
      Talk talk({}, lesson, beat);
      if (!asked_now(talk.view).question) continue;
      talk.press("Ctrl+P");
      if (answered) talk.press("Page Down");
      REQUIRE(talk.p().question);
      REQUIRE(settled(talk.view, asked_now(talk.view)) == answered);
      const Setup setup = talk.session.setup();
      const BoardState board = talk.view.board;
      const std::string room = talk.room();
      for (const char* key : {"C", "V", "Y", "I", "D"}) {
        CAPTURE(key);
        talk.view.notice.clear();
        talk.press(key);
        CHECK(talk.session.setup() == setup);
        CHECK(talk.view.board == board);
        CHECK_FALSE(talk.p().turned);
        CHECK(talk.room() == room);
        CHECK_MESSAGE(has(talk.view.notice, "picture"), talk.view.notice);
        const bool next = has(next_in_beat_words(talk.view), "picture");
        if (answered) CHECK_MESSAGE(has(talk.view.notice, "comes next") == next, talk.view.notice);
      }
      while (talk.p().question && talk.p().on && talk.view.lesson.beat == beat) talk.press("Page Down");
      if (talk.view.lesson.beat == beat && talk.view.board.board.empty()) {
        talk.press("C");
        CHECK(talk.session.setup() != setup);
      }
    }
}

TEST_CASE("Behind a question a press on mask, method or GPU is refused as the key is, of a walk and of a board") {
  int on_boards = 0;
  for (const auto& [lesson, beat, ids] :
       {std::tuple{7, 2, std::vector<std::string>{"turn:Mask/+", "turn:Schedule/+", "turn:Machine/+", "turn:Seed/+"}},
        {1, 2, {}},
        {2, 2, {}},
        {3, 2, {}},
        {10, 2, {}}}) {
    Talk talk({}, lesson, beat);
    CAPTURE(lesson);
    talk.press("Ctrl+P");
    REQUIRE(talk.p().question);
    talk.press("C");
    const std::string sentence = talk.view.notice;
    REQUIRE(has(sentence, "The room sees a question"));
    const Setup setup = talk.session.setup();
    const BoardState board = talk.view.board;
    const std::string room = talk.room();
    std::vector<std::string> all = ids;
    for (const Region& region : talk.scene().regions)
      if (region.id.starts_with("knob:gpu") && !region.id.ends_with("/list")) all.push_back(region.id), ++on_boards;
    for (const std::string& id : all) {
      CAPTURE(id);
      talk.view.notice.clear();
      talk.click(id);
      CHECK(talk.session.setup() == setup);
      CHECK(talk.view.board == board);
      CHECK_FALSE(talk.p().turned);
      CHECK(talk.view.notice == sentence);
      CHECK(talk.room() == room);
    }
  }
  CHECK(on_boards > 0);
}

TEST_CASE("Behind a question every knob is refused alike, by a press, by a key and by what is typed") {
  int presses = 0, rows = 0, sliders = 0;
  for (const auto& [lesson, beat] : {std::pair{1, 2}, {2, 2}, {3, 2}, {5, 2}, {7, 2}, {10, 2}, {11, 2}}) {
    Talk talk({}, lesson, beat);
    CAPTURE(lesson);
    REQUIRE(asked_now(talk.view).question);
    talk.press("Ctrl+P");
    const Setup setup = talk.session.setup();
    const std::string room = talk.room();
    const int64_t row = talk.view.row;
    const auto stays = [&](bool says) {
      CHECK(talk.session.setup() == setup);
      CHECK_FALSE(talk.p().turned);
      CHECK(talk.room() == room);
      CHECK(talk.view.row == row);
      if (says) CHECK_MESSAGE(has(talk.view.notice, "The room sees a question: knobs, "), talk.view.notice);
      talk.view.notice.clear();
    };
    std::vector<std::string> ids;
    for (const Region& region : talk.scene().regions)
      if (region.id.starts_with("knob:") || region.id.starts_with("turn:")) ids.push_back(region.id);
    for (const std::string& id : ids) {
      if (id.starts_with("knob:more") || id.ends_with("/list") || !talk.scene().find(id)) continue;
      CAPTURE(id);
      const auto knobs = talk.view.board.knobs;
      talk.click(id);
      ++presses, rows += id.starts_with("turn:Row");
      stays(true);
      const Board* board = board_named(talk.view.board.board);
      if (!board || !has_slider(*board, id) || id.find('/') != std::string::npos) continue;
      ++sliders;
      for (const char* key : {"Home", "End", "→", "7"}) {
        CAPTURE(key);
        talk.view.focus = id;
        talk.view.focus_ring = true;
        talk.press(key);
        CHECK(talk.view.board.knobs == knobs);
        CHECK(talk.view.editing.empty());
        stays(false);
      }
      talk.view.focus.clear();
      talk.view.focus_ring = false;
    }
    for (const char* key : {"↑", "↓"}) {
      talk.press(key);
      stays(talk.view.board.board.empty());
    }
    if (!talk.view.board.board.empty()) continue;
    talk.press("→");  // where it stands in its tiles the question does not say
    stays(false);
  }
  CHECK(presses > 20);
  CHECK(rows > 0);
  CHECK(sliders > 5);
}

}  // namespace tilewalk::test_turns_behind_question
