// Every board of the registry at the promised sizes, scales and themes, with its knobs at both ends, with readings
// covered, and under a hand that presses, drags and nudges everything: no fault of layout, no crash.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "app/session/hands.h"
#include "tests/app/window_shape.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace tilewalk::test_boards {

namespace {

const std::vector<Shape> kShapes = {
    {{1280, 720}, 1},  {{1280, 720}, 1.25f},  {{1600, 900}, 1},
    {{1920, 1080}, 1}, {{1920, 1080}, 1.75f}, {{3840, 2160}, 2},
};
constexpr Theme kThemes[] = {Theme::Light, Theme::Dark, Theme::Projector};

void check(Session& session, const BoardState& board, const Shape& shape, Theme theme, const std::string& what) {
  ViewState view;
  view.board = board;
  view.theme = theme;
  for (const std::string& fault : window_faults(session, view, shape))
    FAIL_CHECK(fmt::format("{}, {} {}: {}", board.board, what, words_of(shape, view), fault));
}

BoardState fresh(const Board& board) {
  BoardState state;
  state.board = board.id;
  return state;
}

std::vector<Reading> readings_of(Session& session, const BoardState& state) {
  const ViewState view;
  const Board& board = *board_named(state.board);
  return board.readings({state, session, view, board});
}

}  // namespace

TEST_CASE("Boards, their knobs and their readings are told apart by name, and knobs begin where they may stand") {
  Session session;
  std::set<std::string_view> ids;
  for (const Board* board : boards()) {
    CHECK_MESSAGE(ids.insert(board->id).second, board->id);
    std::set<std::string> names;
    for (const Knob& knob : board->knobs) {
      CHECK_MESSAGE(names.insert(std::string(knob.id)).second, fmt::format("{}: {}", board->id, knob.id));
      CHECK_MESSAGE(clamp_knob(knob, knob.initial) == knob.initial, fmt::format("{}: {}", board->id, knob.id));
      CHECK_MESSAGE(!knob.tip.empty(), fmt::format("{}: {}", board->id, knob.id));
    }
    names.clear();
    for (const Reading& reading : readings_of(session, fresh(*board)))
      CHECK_MESSAGE(names.insert(reading.id).second, fmt::format("{}: {}", board->id, reading.id));
  }
}

TEST_CASE("A board has no fault at any promised size, scale and theme") {
  Session session;
  for (const Board* board : boards())
    for (const Shape& shape : kShapes)
      for (const Theme theme : kThemes) check(session, fresh(*board), shape, theme, "as it opens");
}

TEST_CASE("A board has no fault with a knob at either end") {
  Session session;
  size_t turn = 0;
  for (const Board* board : boards())
    for (const Knob& knob : board->knobs)
      for (const double end : {knob.least, knob.most}) {
        BoardState state = fresh(*board);
        state.knobs[std::string(knob.id)] = end;
        state.show = {std::string(knob.id)};
        const std::string what = fmt::format("{} = {}", knob.id, knob_text(knob, end));
        check(session, state, kShapes[0], kThemes[turn % 3], what);
        check(session, state, kShapes[3], kThemes[(turn + 1) % 3], what);
        ++turn;
      }
}

TEST_CASE("A covered reading leaves the board readable and hides its number") {
  Session session;
  for (const Board* board : boards()) {
    BoardState state = fresh(*board);
    for (const Reading& reading : readings_of(session, state)) state.covered.push_back(reading.id);
    for (const size_t shape : {size_t(0), size_t(3)})
      check(session, state, kShapes[shape], Theme::Light, "all covered");
  }
}

TEST_CASE("Everything on a board can be pressed, dragged and nudged" * doctest::test_suite("sweep")) {
  Session session;
  for (const Board* board : boards()) {
    ViewState view;
    view.board = fresh(*board);
    const Vec2 size{1280, 720};
    uint32_t random = 7;
    const auto next = [&] { return float((random = random * 1664525u + 1013904223u) >> 8) / float(1 << 24); };
    for (int turn = 0; turn < 60; ++turn) {
      fit(view, size);
      const Scene scene = layout_window(session, view, size);
      std::vector<const Region*> own;
      for (const Region& region : scene.regions)
        if (region.id.starts_with("board:") || region.id.starts_with("knob:")) own.push_back(&region);
      if (board->knobs.empty() && own.empty()) break;  // a map of lessons: ways and stations, as they are in a course
      REQUIRE_FALSE(own.empty());
      const Region& region = *own[size_t(next() * float(own.size()))];
      CHECK_MESSAGE(!region.tip.empty(), region.id);
      const bool knob = region.id.starts_with("knob:");
      const Vec2 at{next() * 1.4f - 0.2f, next() * 1.4f - 0.2f};
      const bool dragged = next() < 0.5f;
      const int step = next() < 0.5f ? 1 : -1;
      if (next() < 0.5f) {
        if (knob)
          turn_knob(*board, view.board, region.id, at, dragged);
        else if (board->act)
          board->act(region.id, at, dragged, view.board);
      } else {
        if (knob)
          nudge_knob(*board, view.board, region.id, step);
        else if (board->nudge)
          board->nudge(region.id, next() < 0.5f ? step : 0, next() < 0.5f ? step : 0, view.board);
      }
      for (const Reading& reading : readings_of(session, view.board))
        CHECK_MESSAGE(!std::isnan(reading.quantity.value), fmt::format("{}: {}", board->id, reading.id));
    }
    check(session, view.board, kShapes[3], Theme::Dark, "after many turns");
  }
}

}  // namespace tilewalk::test_boards
