// What the one who talks can turn of a stop before the room: the knobs of boards, tools and walks, the same event with
// other numbers, and stops that are as they were when one comes back.
#include "app/boards/board.h"
#include "app/boards/gpu_offer.h"
#include "app/boards/knob_row.h"
#include "app/panels/audience.h"
#include "app/panels/panels.h"
#include "app/panels/presenter.h"
#include "app/scene/layout_check.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/same_event.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "app/session/turn_walk.h"
#include "core/playback/query.h"

#include "tests/app/present/talk.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

namespace tilewalk::test_knobs {

namespace {

const char* const kSet =
    "tilewalk://lesson/6/beat/2\n"
    "tilewalk://walk/step/17?schedule=fa2&N=16&d=4&seed=3\n"
    "tilewalk://board/clocks\n"
    "tilewalk://lesson/6/beat/3\n"
    "tilewalk://walk/step/12?schedule=fa2&N=64&seed=7\n";

}  // namespace

TEST_CASE("Every knob of every board on the stage of a talk can be reached in the presenter's window") {
  const std::shared_ptr<const Course> course = shipped_lessons();
  std::set<std::string> boards;
  for (const CourseEntry& entry : course->entries()) {
    Talk talk;
    REQUIRE(open_lesson(talk.session, talk.view, entry.lesson->id, 0));
    for (int beat = 0; beat < int(entry.lesson->beats.size()); ++beat) {
      present_beat(talk.session, talk.view, beat);
      const Board* board = board_named(talk.view.board.board);
      if (!board || !boards.insert(talk.view.board.board).second) continue;
      std::set<std::string> missing;
      for (const Knob& knob : board->knobs)
        if (!knob.label.empty()) missing.insert(fmt::format("label:{}", knob.id));
      CAPTURE(talk.view.board.board);
      for (int page = 0; page < 12 && !missing.empty(); ++page) {
        const Scene scene = talk.scene();
        for (const Region& region : scene.regions) missing.erase(region.id);
        if (scene.find("knob:more/")) talk.click("knob:more/");
      }
      CHECK(missing.empty());
    }
  }
  CHECK(boards.size() > 10);
}

TEST_CASE("A knob that is turned changes the room's picture at once, and the stop is as it was prepared afterwards") {
  Talk talk(kSet);
  for (int k = 0; k < 40 && talk.p().place < 2; ++k) talk.press("Page Down");
  REQUIRE(talk.view.board.board == "clocks");
  const BoardState prepared = talk.view.board;
  const std::string before = talk.room();
  const Scene scene = talk.scene();
  std::string knob;
  for (const Region& region : scene.regions)
    if (region.id.starts_with("knob:") && !region.id.starts_with("knob:more")) knob = region.id;
  REQUIRE_FALSE(knob.empty());
  const Rect at = scene.find(knob)->rect;
  pressed({at.x + 2, at.center().y}, scene, talk.session, talk.view);
  released(talk.view);
  pressed({at.right() - 2, at.center().y}, scene, talk.session, talk.view);
  released(talk.view);
  CHECK(talk.p().turned);
  CHECK(talk.view.board.knobs != prepared.knobs);
  CHECK(talk.room() != before);
  talk.press("Ctrl+Backspace");
  CHECK(talk.view.board.knobs == prepared.knobs);
  CHECK(talk.room() == before);
  CHECK_FALSE(talk.p().turned);
}

TEST_CASE("Mask, schedule, machine, seed and row of a walk are turned at the same step, and coming back restores it") {
  Talk talk(kSet);
  for (int k = 0; k < 40 && talk.p().place < 1; ++k) talk.press("Page Down");
  const Setup prepared = talk.session.setup();
  const auto step = [&] { return *event_now(talk.session, talk.view).step; };
  const Step was = step();
  for (const char* turn :
       {"turn:Mask/+", "turn:Mask/+", "turn:Seed/+", "turn:Seed/-", "turn:Machine/+", "turn:Machine/-"}) {
    CAPTURE(turn);
    const Setup before = talk.session.setup();
    talk.click(turn);
    CHECK(talk.session.setup() != before);
    CHECK(step().kind == was.kind);
    if (talk.session.setup().problem.mask == Mask::Causal) continue;  // the first queries do not see every tile
    CHECK(step().i == was.i);
    CHECK(step().j == was.j);
  }
  const int64_t row = talk.view.row;
  talk.click(row > 0 ? "turn:Row/-" : "turn:Row/+");
  CHECK(talk.view.row != row);
  const int64_t followed = talk.view.row;  // of the walk as it was prepared
  talk.click("turn:Schedule/+");
  CHECK(talk.session.setup().schedule != prepared.schedule);
  CHECK(step().i == was.i);
  CHECK(step().j == was.j);
  CHECK(layout_faults(talk.scene(), 14, 1).empty());
  talk.press("C");
  CHECK(talk.session.setup().problem.mask == Mask::Causal);
  // On and back again.
  talk.press("Page Down");
  REQUIRE(talk.p().place == 2);
  talk.press("Page Up");
  REQUIRE(talk.p().place == 1);
  CHECK(talk.session.setup() == prepared);
  CHECK(talk.view.row == followed);
  CHECK(step().kind == was.kind);
}

TEST_CASE("Other numbers keep the event: where a row was rescaled it is again, and where it was not it is not") {
  Session session;
  ViewState view;
  int rescaled = 0, quiet = 0;
  for (int64_t head = 1; head < session.walk().replay.length(); head += 3) {
    seek(session.walk(), view, head);
    const WalkEvent before = event_now(session, view);
    const uint64_t seed = session.problem().seed;
    REQUIRE(run_command("other-numbers", session, view));
    CHECK(session.problem().seed != seed);
    const WalkEvent after = event_now(session, view);
    CHECK(after.step->kind == before.step->kind);
    CHECK(after.step->j == before.step->j);
    CAPTURE(head);
    REQUIRE(after.rescales == before.rescales);
    if (before.rescales) ++(*before.rescales ? rescaled : quiet);
  }
  CHECK(rescaled > 5);
  CHECK(quiet > 5);
}

TEST_CASE("Page Up comes to the stop as it was left: its question answered, its step where it was") {
  for (const bool set : {true, false}) {
    CAPTURE(set);
    Talk talk(set ? kSet : std::string_view{}, 6, 2);
    if (set) REQUIRE(open_set_item(talk.session, talk.view, 3));
    while (questions_on_show(talk.view).empty()) talk.press("Page Down");
    const StopPlace place = place_now(talk.view);
    std::string answered;  // the last that the room saw of it
    for (int k = 0; k < 9 && place_now(talk.view) == place; ++k) {
      answered = talk.room();
      talk.press("Page Down");
    }
    REQUIRE(place_now(talk.view) != place);
    talk.press("Page Up");
    REQUIRE(place_now(talk.view) == place);
    CHECK(settled(talk.view, asked_now(talk.view)));
    CHECK(talk.room() == answered);
  }
}

TEST_CASE("Ctrl+3 and a tool are no stops: Page Down, Page Up, Esc or Ctrl+Backspace come back to the stop as it was") {
  for (const char* away : {"Ctrl+3", "Ctrl+5", "Ctrl+4"})
    for (const char* back : {"Page Down", "Page Up", "Ctrl+Backspace"})
      for (const std::string_view set : {std::string_view{}, std::string_view(kSet)}) {
        CAPTURE(away);
        CAPTURE(back);
        CAPTURE(set.size());
        Talk talk(set);
        if (!set.empty()) REQUIRE(open_set_item(talk.session, talk.view, 1));
        talk.press("→");
        const std::string room = talk.room();
        talk.press(away);
        CHECK(off_stop(talk.view));
        CHECK(talk.room() != room);
        talk.press(back);
        CHECK_FALSE(off_stop(talk.view));
        CHECK(talk.room() == room);
        CHECK(talk.p().on);
      }
  Talk talk;
  const std::string room = talk.room();
  talk.press("Ctrl+5");
  talk.press("Esc");
  CHECK(talk.p().on);
  CHECK(talk.room() == room);
}

TEST_CASE("Leaving a talk for a while keeps its clock and its place; Ctrl+Shift+F5 begins anew") {
  Talk talk(kSet);
  pass_presentation_time(talk.view, 100);
  while (talk.p().place < 2) talk.press("Page Down");
  const double gone = talk.p().elapsed;
  talk.press("Ctrl+F5");
  REQUIRE_FALSE(talk.p().on);
  pass_presentation_time(talk.view, 30);
  talk.press("Shift+F5");
  CHECK(talk.p().place == 2);
  CHECK(talk.p().elapsed == doctest::Approx(gone + 34));  // and 2 s of each key
  talk.press("Ctrl+Shift+Backspace");
  CHECK(talk.p().elapsed == doctest::Approx(2));
  talk.press("Ctrl+F5");
  talk.press("Ctrl+Shift+F5");
  CHECK(talk.p().place == 0);
  CHECK(talk.p().elapsed == doctest::Approx(2));
}

TEST_CASE("F5 after the end of a talk goes on at its last stop, its clock running, and says how to begin anew") {
  Talk talk(kSet);
  pass_presentation_time(talk.view, 100);
  const int last = int(talk.p().set.items.size()) - 1;
  while (talk.p().place < last) talk.press("Page Down");
  talk.press("Page Down");  // nothing is behind it
  const double gone = talk.p().elapsed;
  talk.press("Esc Esc");
  if (talk.p().on) talk.press("Ctrl+F5");
  REQUIRE_FALSE(talk.p().on);
  const double left = talk.p().elapsed;
  REQUIRE(left >= gone);
  REQUIRE(open_lesson_numbered(talk.session, talk.view, 3, 0));  // something was looked up meanwhile
  talk.press("F5");
  CHECK(talk.p().on);
  CHECK(talk.p().place == last);
  CHECK_FALSE(off_set_list(talk.view));
  CHECK(talk.p().elapsed == doctest::Approx(left + 2));
  CHECK(talk.view.notice.find("Ctrl+Shift+F5 begins anew") != std::string::npos);
  // In the midst of it, too.
  talk.press("Ctrl+Shift+F5");
  CHECK(talk.p().on);
  CHECK(talk.p().place == 0);
  CHECK(talk.p().elapsed == doctest::Approx(2));
  // Another list begins at its beginning.
  talk.press("Ctrl+F5");
  const ScratchFolder folder;
  std::ofstream(folder.path / "b.set") << kSet;
  REQUIRE(use_set_list(talk.session, talk.view, folder.path / "b.set").empty());
  talk.press("F5");
  CHECK(talk.p().place == 0);
  CHECK(talk.view.notice.find("Goes on") == std::string::npos);
}

TEST_CASE("A knob of many words opens the list of them: by a click, by Enter; Esc leaves it as it was") {
  Talk talk("tilewalk://board/estimate\n");
  const Board& board = *board_named("estimate");
  const auto gpu = [&] { return knob_value(board, talk.view.board, "gpu"); };
  const double before = gpu();
  for (int page = 0; page < 9 && !talk.scene().find("knob:gpu/list"); ++page) talk.click("knob:more/");
  talk.click("knob:gpu/list");
  CHECK(is_open<ChoiceList>(talk.view));
  CHECK_FALSE(talk.p().turned);
  CHECK(talk.scene().find(talk.view.focus) != nullptr);
  const Knob& knob = *std::ranges::find(board.knobs, "gpu", &Knob::id);
  for (size_t k = 0; k < knob.words().size(); ++k) {
    const Scene now = talk.scene();
    const Region* line = now.find(fmt::format("choose:{}", k));
    REQUIRE(line);
    CHECK(line->rect.h >= 24);
    CHECK(line->rect.bottom() < now.size.y);
  }
  // The smallest window holds them all, too.
  Scene small;
  layout_overlays(small, talk.session, talk.view, {0, 0, 1024, 600}, Style(Theme::Light, 1));
  for (size_t k = 0; k < knob.words().size(); ++k) {
    const Region* line = small.find(fmt::format("choose:{}", k));
    REQUIRE(line);
    CHECK(line->rect.h >= 24);
    CHECK(line->rect.y > 24);
    CHECK(line->rect.bottom() < 600 - 24);
  }
  talk.press("↓");
  talk.press("Esc");
  CHECK_FALSE(is_open<ChoiceList>(talk.view));
  CHECK(gpu() == before);
  CHECK(talk.p().on);
  CHECK(talk.view.focus == "knob:gpu/list");
  // What has the keyboard by Tab opens with Enter, before a room too.
  talk.view.focus_ring = true;
  talk.press("Enter");
  REQUIRE(is_open<ChoiceList>(talk.view));
  talk.press("↓");
  talk.press("↓");
  talk.press("Enter");
  CHECK_FALSE(is_open<ChoiceList>(talk.view));
  CHECK(gpu() == before + 2);
  CHECK(talk.p().turned);
  talk.click("knob:gpu/list");
  talk.click("choose:0");
  CHECK(gpu() == 0);
  talk.press("Ctrl+Backspace");
  CHECK(gpu() == before);
}

TEST_CASE("Where the followed row is not rescaled in a causal walk, the row of its tile that is rescaled is followed") {
  Talk talk("tilewalk://walk/step/0?schedule=fa2&N=64&seed=7\n");
  int moved = 0;
  for (const int64_t playhead : {0, 1}) {
    const int64_t length = talk.session.walk().replay.length();
    for (int64_t at = playhead; at < length && moved < 3; ++at) {
      if (talk.session.problem().mask == Mask::Causal) talk.press("C");
      seek(talk.session.walk(), talk.view, at);
      for (int64_t row = 0; row < talk.session.problem().n_q; row += 3) {
        talk.view.row = row;
        talk.p().stood.reset();
        if (event_now(talk.session, talk.view).rescales != true) continue;
        turn_walk(talk.session, talk.view, WalkKnob::Mask, 1);
        const WalkEvent now = event_now(talk.session, talk.view);
        CAPTURE(at);
        CAPTURE(row);
        // Another row of the tile that has it, if there is one.
        bool any = false;
        const int64_t br = talk.session.walk().plan().tiling.br, first = now.step ? now.step->i * br : 0;
        for (int64_t other = first; other < first + br && now.step; ++other) {
          ViewState there = talk.view;
          there.row = other;
          any |= event_now(talk.session, there).rescales == true;
        }
        CHECK((now.rescales == true) == any);
        if (talk.view.row != row) {
          ++moved;
          const std::string& said = talk.view.notice;
          CHECK((said.find("is followed") != std::string::npos || said.find("where row") != std::string::npos));
        }
        turn_walk(talk.session, talk.view, WalkKnob::Mask, 1);
        CHECK(talk.view.row == row);  // a turn back leads back
        CHECK(talk.view.playhead == at);
      }
    }
  }
  CHECK(moved > 0);
}

TEST_CASE("By the next schedule, where that stands beside the walk already, the two change places") {
  Talk talk("tilewalk://walk/step/12?schedule=fa1&compare=fa2&N=64&seed=7\n");
  REQUIRE(talk.session.setup().compared == Method::Fa2);
  talk.press("V");
  CHECK(talk.session.setup().schedule == Method::Fa2);
  CHECK(talk.session.setup().compared == Method::Fa1);
  talk.press("V");
  CHECK(talk.session.setup().schedule == Method::Fa3);
  CHECK(talk.session.setup().compared == Method::Fa1);
}

TEST_CASE("A stop's own tool has the stop's numbers, by its key too, and one that was left is no stop") {
  Talk talk("tilewalk://board/estimate?N=16384\ntilewalk://board/clocks\n");
  const auto n = [&] { return talk.view.board.knobs["N"]; };
  REQUIRE(n() == 16384);
  talk.click("knob:N");
  REQUIRE(n() != 16384);
  talk.press("Page Down");
  talk.press("Page Up");
  CHECK(n() == 16384);
  talk.press("Ctrl+5");
  CHECK(talk.view.board.board == "estimate");
  CHECK(n() == 16384);
  CHECK_FALSE(off_set_list(talk.view));
  // By way of another tool, too: what was left there is off the list, and said so.
  talk.press("Ctrl+4");
  talk.press("Ctrl+5");
  CHECK((n() == 16384 || off_set_list(talk.view)));
  talk.press("Ctrl+Backspace");
  CHECK(n() == 16384);
  CHECK_FALSE(off_set_list(talk.view));
}

TEST_CASE("The foot of Curves says no batch and heads but those that are drawn") {
  Talk talk("tilewalk://board/curves?N=8192&d=128\ntilewalk://board/curves?N=8192&d=128&batch=fixed&B=4\n");
  const auto foot = [&] { return talk.room(); };
  CHECK(foot().find("B 1 ·") == std::string::npos);
  CHECK_MESSAGE(foot().find("16 K tokens · fp16\n") != std::string::npos, foot());
  talk.press("Page Down");
  CHECK_MESSAGE(foot().find("B 4 ") != std::string::npos, foot());
}

TEST_CASE("From one of the GPUs that people compare to the next is one press") {
  const auto place = [](std::string_view id) { return int(offered_named(id).value_or(1000)); };
  CHECK(place("h100") == place("a100-80") + 1);
  CHECK(place("h200") == place("h100") + 1);
  CHECK(place("b200") - place("h200") <= 2);  // an H200's measured roofs stand between
}

}  // namespace tilewalk::test_knobs
