// The boards of lessons 1 to 5: what they show against closed formulas, datasheets and the papers' counts, and that
// every drag can be done with the arrow keys.
#include "app/boards/board.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tilewalk::test_memory_boards {

namespace {

struct Stage {
  explicit Stage(std::string_view words) : state(read_board_state(words)), board(*board_named(state.board)) {}

  double operator[](std::string_view id) {
    const Exhibit now{state, session, view, board};
    for (const Reading& reading : board.readings(now))
      if (reading.id == id) return reading.quantity.value;
    FAIL("no reading " << id);
    return 0;
  }
  std::string caption() { return board.caption({state, session, view, board}); }
  double knob(std::string_view id) const { return knob_value(board, state, id); }
  void nudge(std::string_view id, int right, int up) { CHECK(board.nudge(id, right, up, state).empty()); }
  void drag(std::string_view id, float x, float y) { CHECK(board.act(id, {x, y}, true, state).empty()); }

  Session session;
  ViewState view;
  BoardState state;
  const Board& board;
};

constexpr double kKiB = 1024, kGiB = 1024.0 * 1024 * 1024;

}  // namespace

TEST_CASE("Two clocks: bytes, intensity and times of the paper's three kernels") {
  Stage stage("clocks?N=4096&d=64&gpu=a100-80");
  CHECK(stage["bytes"] == 136'314'880);
  CHECK(stage["intensity"] == doctest::Approx(31.5).epsilon(0.001));
  CHECK(stage["memory_time"] == doctest::Approx(66.9e-6).epsilon(0.001).scale(0));
  CHECK(stage["math_time"] == doctest::Approx(13.8e-6).epsilon(0.003).scale(0));
  for (const int n : {256, 2048, 16384})
    for (const int d : {64, 128}) {
      Stage other(fmt::format("clocks?N={}&d={}", n, d));
      CHECK(other["bytes"] == 8.0 * n * n + 8.0 * n * d);
      CHECK(other["flop"] == 4.0 * n * n * d);
      CHECK(other["bytes_softmax"] == 4.0 * n * n);
      CHECK(other["bytes_s"] == 2.0 * n * n + 4.0 * n * d);
      CHECK(other["bytes_pv"] == 2.0 * n * n + 4.0 * n * d);
    }
}

TEST_CASE("Two clocks: faster tensor cores save nothing, faster memory does") {
  Stage stage("clocks?N=4096&d=64&gpu=a100-80");
  const double before = stage["time"];
  stage.nudge("board:tensor", -1, 0);
  CHECK(stage.knob("tensor") == 2);
  CHECK(stage["time"] == before);
  stage.drag("board:memory", 0.5f, 0);
  CHECK(stage.knob("memory") == 2);
  CHECK(stage["time"] == doctest::Approx(before / 2).scale(0));
  stage.nudge("board:memory", 1, 0);
  CHECK(stage.knob("memory") == 1);
}

TEST_CASE("The tile pad: a real kernel's tile to the byte") {
  Stage stage("tiles?Br=128&Bc=64&d=128&gpu=a100-80&threads=128&schedule=fa2&N=4096");
  CHECK(stage["smem"] == 65'536);
  CHECK(stage["smem_limit"] == 166'912);
  CHECK(stage["s_registers"] == 64);
  CHECK(stage["o_registers"] == 128);
  CHECK(stage["registers"] == 192);
  CHECK(stage["traffic"] == 69'222'400);
  CHECK(stage["blocks"] == 32);
  const double traffic = stage["traffic"];
  for (int k = 0; k < 4; ++k) stage.nudge("board:pad", 1, 0);
  CHECK(stage.knob("Bc") == 128);
  CHECK(stage["traffic"] == traffic);  // only Br decides
  for (int k = 0; k < 4; ++k) stage.nudge("board:pad", 0, 1);
  CHECK(stage.knob("Br") == 64);
  CHECK(stage["traffic"] > 1.8 * traffic);
}

TEST_CASE("The tile pad: what cannot launch and what spills says so") {
  Stage stage("tiles?d=128&gpu=a100-80&threads=128");
  stage.drag("board:pad", 1, 1);
  CHECK(stage["smem"] == 192 * kKiB);
  CHECK(stage.caption().find("cannot launch") != std::string::npos);
  CHECK(stage.caption().find("cudaErrorInvalidValue") != std::string::npos);
  Stage spilling("tiles?Br=256&Bc=64&d=128&gpu=a100-80&threads=128");
  CHECK(spilling.caption().find("spills") != std::string::npos);
  Stage fa3("tiles?Br=128&Bc=176&d=128&gpu=h100&threads=256&schedule=fa3");
  CHECK(fa3["smem"] == 208 * kKiB);
  CHECK(fa3.caption().find("runs") != std::string::npos);
  // More threads have fewer registers each: 65,536 are a multiprocessor's.
  Stage many("tiles?Br=224&Bc=192&d=128&gpu=a100-80&threads=384");
  CHECK(many["registers"] > 186);
  CHECK(many.caption().find("spills") != std::string::npos);
  CHECK(many.caption().find("168 registers") != std::string::npos);
  Stage three("tiles?Br=192&Bc=128&d=64&gpu=h100&threads=384&schedule=fa3");  // 160 of 160, as released
  CHECK(three["registers"] == 160);
  CHECK(three.caption().find("runs") != std::string::npos);
  Stage more("tiles?Br=192&Bc=144&d=64&gpu=h100&threads=384&schedule=fa3");
  CHECK(more.caption().find("160 registers") != std::string::npos);
}

TEST_CASE("The memories: what fits one block of an A100") {
  Stage stage("hierarchy?gpu=a100-80&N=288&S=sram");
  CHECK(stage["largest_n"] == 288);
  CHECK(stage["sram"] == 166'912);
  CHECK(stage["sram_rate"] == doctest::Approx(19.49e12).epsilon(0.0005));
  CHECK(stage["ratio"] == doctest::Approx(9.56).epsilon(0.001));
  CHECK(stage["s_bytes"] == 288 * 288 * 2);
  CHECK(stage["sram_used"] == stage["s_bytes"]);
  Stage larger("hierarchy?gpu=a100-80&N=320&S=sram");
  CHECK(larger["sram_used"] == 0);
  CHECK(larger.caption().find("bounces off SRAM") != std::string::npos);
}

TEST_CASE("The memories: three tiles share one pad, and the last one moved bounces") {
  Stage stage("hierarchy?gpu=a100-80&d=128&rows=256&Q=sram&V=sram");
  CHECK(stage["sram_used"] == 128 * kKiB);
  stage.nudge("board:item/1", 0, 1);
  CHECK(stage["sram_used"] == 128 * kKiB);  // in L2
  stage.nudge("board:item/1", 0, 1);
  CHECK(stage["sram_used"] == 128 * kKiB);  // bounced
  CHECK(stage.caption().find("K tile bounces off SRAM") != std::string::npos);
  CHECK(stage.caption().find("cudaErrorInvalidValue") != std::string::npos);
  stage.drag("board:item/0", 0.5f, 0.99f);  // Q back to DRAM: now there is room
  CHECK(stage["sram_used"] == 128 * kKiB);
  CHECK(stage.caption().find("bounces") == std::string::npos);
}

TEST_CASE("The matrix: sizes of S, P and what stays") {
  CHECK(Stage("matrix?N=2048&heads=1")["s"] == 8 * 1024 * kKiB);
  Stage stage("matrix?N=32768&heads=32&gpu=a100-80");
  CHECK(stage["s"] == 64 * kGiB);
  CHECK(stage["sp"] == 128 * kGiB);
  CHECK(stage["l"] == 4 * 1024 * kKiB);
  CHECK(stage["largest_n"] == std::floor(std::sqrt(80 * 1024.0 * 1024 * 1024 / 64)));  // 80 GiB
  Stage longest("matrix?N=131072&heads=1");
  CHECK(longest["s"] == 32 * kGiB);
  CHECK(longest["l"] == 512 * kKiB);
  CHECK(longest["out"] == 32 * 1024 * kKiB + 512 * kKiB);
}

TEST_CASE("The matrix: tiles of S pile up only where they are kept") {
  Stage stage("matrix?N=32768&heads=32&gpu=a100-80");
  stage.nudge("board:grid", 1, 0);
  stage.nudge("board:grid", 0, -1);
  CHECK(stage.state.step == 9);
  CHECK(stage["kept"] == 0);
  stage.state.knobs["keep"] = 1;
  CHECK(stage["kept"] == 9 * kGiB);
  stage.drag("board:grid", 0.99f, 0.99f);
  CHECK(stage["kept"] == stage["s"]);
  CHECK(stage.caption().find("more than the GPU's") != std::string::npos);
  stage.nudge("board:plot", -1, 0);
  CHECK(stage.knob("N") == 16384);
}

TEST_CASE("Kernel fusion: each seam takes its matrix out of DRAM") {
  Stage stage("launches?N=4096&d=64&gpu=a100-80");
  CHECK(stage["launches"] == 3);
  CHECK(stage["bytes"] == 136'314'880);
  CHECK(stage["scores"] == 134'217'728);
  CHECK(stage["time"] == doctest::Approx(66.9e-6).epsilon(0.001).scale(0));
  CHECK(stage.board.act("board:seam/0", {}, false, stage.state).empty());
  CHECK(stage["bytes"] == 136'314'880 - 67'108'864);
  stage.nudge("board:seam/1", 1, 0);
  CHECK(stage["launches"] == 1);
  CHECK(stage["bytes"] == 2'113'536);  // Q, K, V in, O and L out
  CHECK(stage["fills"] == 34'619'392);
  CHECK(stage["time"] == doctest::Approx(13.8e-6).epsilon(0.003).scale(0));
}

TEST_CASE("Rounding: equal in exact arithmetic, different in the last digits of a kernel's") {
  for (const std::string_view schedule : {"fa1", "fa2", "fa3"})
    for (const int seed : {1, 4, 9}) {
      Stage exact(fmt::format("rounding?arithmetic=fp64&schedule={}&seed={}", schedule, seed));
      CHECK(exact["gap"] < 1e-14);
      Stage single(fmt::format("rounding?arithmetic=fp32&schedule={}&seed={}", schedule, seed));
      CHECK(single["gap"] > exact["gap"]);
      CHECK(single["gap"] < 3e-6);
      Stage half(fmt::format("rounding?arithmetic=fp16&schedule={}&seed={}", schedule, seed));
      CHECK(half["gap"] > single["gap"]);
      CHECK(half["gap"] < 4e-3);
      CHECK(half["equal"] < 1);
      CHECK(half["other_error"] < 2e-3);
    }
}

TEST_CASE("Rounding: another order of the tiles moves only the last digits") {
  Stage in_order("rounding?arithmetic=fp32&schedule=fa2&order=0");
  bool moved = false;
  for (int order = 1; order <= 5; ++order) {
    Stage shuffled(fmt::format("rounding?arithmetic=fp32&schedule=fa2&order={}", order));
    CHECK(shuffled["other_error"] < 3e-6);
    moved = moved || shuffled["other_error"] != in_order["other_error"];
  }
  CHECK(moved);
  const Board& board = *board_named("rounding");
  const Knob& order = *std::ranges::find(board.knobs, "order", &Knob::id);
  CHECK(knob_text(order, 0) == "first to last");
  CHECK(knob_text(order, 3) == "shuffle 3");
}

}  // namespace tilewalk::test_memory_boards
