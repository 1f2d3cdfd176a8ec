// The tape board: what is kept, computed and moved for the backward pass, against closed formulas.
#include "app/boards/board.h"
#include "core/machine/gpus.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace tilewalk::test_tape_board {

namespace {

struct Stage {
  explicit Stage(std::string_view words) : state(read_board_state(words)), board(*board_named(state.board)) {}
  Exhibit now() { return {state, session, view, board}; }
  double operator[](std::string_view id) {
    for (const Reading& reading : board.readings(now()))
      if (reading.id == id) return reading.quantity.value;
    FAIL("no reading " << id);
    return 0;
  }

  Session session;
  ViewState view;
  BoardState state;
  const Board& board;
};

}  // namespace

TEST_CASE("The tape: P, or O and L, to the byte") {
  Stage stage("tape?N=4096&d=128&heads=1");
  CHECK(stage["kept_store"] == 33'554'432);
  CHECK(stage["kept_again"] == 1'064'960);
  CHECK(stage["moved_store"] == 243'269'632);
  CHECK(stage["moved_again"] == 146'817'024);
  CHECK(stage["flop_again"] == 1.25 * stage["flop_store"]);
  for (const double n : {1024.0, 16384.0, 131072.0})
    for (const double d : {64.0, 128.0}) {
      Stage other(fmt::format("tape?N={}&d={}&heads=8", n, d));
      CHECK(other["flop_store"] == 8 * 8 * n * n * d);
      CHECK(other["flop_again"] == 8 * 10 * n * n * d);
      CHECK(other["moved_store"] == 8 * 2 * (7 * n * n + 8 * n * d));
      CHECK(other["kept_store"] == 8 * 2 * n * n);
      CHECK(other["kept_again"] == 8 * (2 * n * d + 4 * n));
    }
}

TEST_CASE("The tape: more products, less time, until nothing is moved in vain") {
  for (const char* gpu : {"a100-80", "rtx4090", "h100", "h200", "b200"}) {
    Stage stage(fmt::format("tape?N=4096&d=128&gpu={}", gpu));
    CHECK(stage["time_again"] < stage["time_store"]);
    CHECK(stage["time_store"] * gpu_named(gpu)->dram_rate >= 243'269'632 * 0.999);
  }
}

TEST_CASE("The tape's captions say what is chosen, and whether it fits") {
  Stage again("tape?N=4096&keep=again"), store("tape?N=4096&keep=store"), large("tape?N=131072&heads=128&keep=store");
  CHECK(again.board.caption(again.now()).find("25 % more products") != std::string::npos);
  CHECK(store.board.caption(store.now()).find("32 times") != std::string::npos);
  CHECK(large.board.caption(large.now()).find("more than the") != std::string::npos);
  Stage covered("tape?N=4096");
  covered.state.covered = {"kept_store"};
  CHECK(covered.board.caption(covered.now()).find("32") == std::string::npos);
}

TEST_CASE("The tape names one head and many as they are, and what a number after a tile gives away is covered") {
  Stage one("tape?N=4096&d=64&heads=1"), many("tape?N=4096&d=64&heads=32");
  for (const Reading& reading : one.board.readings(one.now()))
    CHECK(reading.quantity.source.find("1 heads") == std::string::npos);
  CHECK(many.board.readings(many.now()).front().quantity.source.find("32 heads") != std::string::npos);
  Stage row("row?order=forward");
  row.state.covered = {"l"};
  CHECK(row.now().covered("l"));
  CHECK(row.now().covered("l2"));
  CHECK_FALSE(row.now().covered("m2"));
  CHECK_FALSE(row.now().covered("largest"));
}

TEST_CASE("The desk carries the squares that the growing prompt shows, of the same layer on the same GPU") {
  Stage desk("desk?N=4096"), growth("growth?N=4096");
  const double inputs_and_output = 4 * 32 * 4096.0 * 64 * 2;
  CHECK(desk["bytes"] == 2 * growth["memory"] + inputs_and_output);
  CHECK(desk["archive"] == growth["capacity"]);
}

TEST_CASE("The tape: N is dragged and stepped") {
  Stage stage("tape?N=4096");
  CHECK(stage.board.nudge("board:plot", 1, 0, stage.state).empty());
  CHECK(knob_value(stage.board, stage.state, "N") == 8192);
  CHECK(stage.board.act("board:plot", {0, 0.5f}, true, stage.state).empty());
  CHECK(knob_value(stage.board, stage.state, "N") == 512);
}

}  // namespace tilewalk::test_tape_board
