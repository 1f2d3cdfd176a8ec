// The boards of lessons 12 to 14: which kernel runs, the family tree, the detective. Laid out without
// faults whatever they are set to, and what presses and arrow keys do.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "core/model/dispatch.h"
#include "core/model/family.h"
#include "core/quantity/published.h"
#include "tests/app/window_shape.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace tilewalk::test_family_boards {

namespace {

const std::vector<Shape> kShapes = {
    {{1280, 720}, 1}, {{1280, 720}, 1.25f}, {{1920, 1080}, 1}, {{1920, 1080}, 1.75f}, {{3840, 2160}, 2}};

Scene scene_of(const BoardState& board, const Shape& shape, Theme theme, float& scale) {
  static Session session;
  ViewState view;
  view.board = board;
  view.theme = theme;
  return window_of(session, view, shape, scale);
}

std::string text_of(const BoardState& board) {
  float scale = 1;
  std::string all;
  for (const Item& item : scene_of(board, kShapes[2], Theme::Light, scale).items)
    if (const Label* label = std::get_if<Label>(&item)) all += label->text + "\n";
  return all;
}

bool shows(const BoardState& board, std::string_view words) { return text_of(board).find(words) != std::string::npos; }

void check(const BoardState& board, const Shape& shape, Theme theme, const std::string& what) {
  float scale = 1;
  const Scene scene = scene_of(board, shape, theme, scale);
  for (const std::string& fault : layout_faults(scene, 14 * scale, scale))
    FAIL_CHECK(fmt::format("{} at {}x{}, {:.0f} %: {}", what, shape.size.x, shape.size.y, shape.scale * 100, fault));
}

}  // namespace

TEST_CASE("every answer of the dispatch board has room") {
  size_t turn = 0;
  for (const char* entry : {"sdpa", "flash_attn", "flash_attn_interface", "flash_attn.cute", "xformers", "hf-eager",
                            "hf-sdpa", "hf-fa2", "hf-fa3", "hf-fa4", "hf-flex"})
    for (const char* rest : {"gpu=h100", "gpu=t4&dtype=bf16", "gpu=b200&d=192/128&grad=on", "gpu=rtx4090&mask=float",
                             "gpu=v100&torch=2.1&gqa=on", "gpu=a100-80&mask=causal&queries=one query&dropout=0.1"}) {
      const std::string words = fmt::format("dispatch?entry={}&{}", entry, rest);
      const BoardState state = read_board_state(words);
      REQUIRE(state.knobs.contains("gpu"));
      check(state, kShapes[turn % kShapes.size()], Theme(turn % 3), words);
      ++turn;
    }
}

TEST_CASE("the dispatch board says who runs and why the others do not") {
  const BoardState h100 = read_board_state("dispatch?entry=flash_attn&gpu=h100");
  CHECK(shows(h100, "FA2"));
  CHECK(shows(h100, "flash::flash_fwd_kernel"));
  CHECK(shows(h100, "from flash_attn_interface import"));
  CHECK(shows(read_board_state("dispatch?gpu=a100-80&dtype=fp32"), "fmha_cutlassF_f32"));
  CHECK(shows(read_board_state("dispatch?gpu=a100-80&mask=float"), "Flash takes no attn_mask"));
  CHECK(shows(read_board_state("dispatch?entry=flash_attn_interface&gpu=b200"), "nothing runs"));

  BoardState covered = h100;
  covered.covered = {"winner"};
  CHECK_FALSE(shows(covered, "flash::flash_fwd_kernel"));
  CHECK_FALSE(shows(covered, "in the profiler"));
  CHECK(shows(covered, what_is(Backend::Cudnn)));  // who is asked is said, too
  check(covered, kShapes[0], Theme::Dark, "covered");
}

TEST_CASE("a chip goes on to its next value") {
  BoardState state = read_board_state("dispatch?gpu=a100-80&show=gpu,torch");
  float scale = 1;
  const Scene scene = scene_of(state, kShapes[2], Theme::Light, scale);
  const Region* chip = scene.find("knob:dtype/+");
  REQUIRE(chip);
  CHECK(chip->focusable);
  turn_knob(*board_named("dispatch"), state, chip->id, {0.5f, 0.5f}, false);
  turn_knob(*board_named("dispatch"), state, chip->id, {0.5f, 0.5f}, false);
  CHECK(shows(state, "fmha_cutlassF_f32"));
  CHECK_FALSE(scene.find("knob:gpu/+") == nullptr);  // within reach: below, not as a chip
}

TEST_CASE("every member of the family has room, picked or left out") {
  size_t turn = 0;
  for (const FamilyMember& member : family()) {
    BoardState state = read_board_state(fmt::format("family?gpu={}&year={}", turn % 2 ? "T4" : "any", 2026 - turn % 4));
    board_named("family")->act("board:member/" + member.id, {0, 0}, false, state);
    CHECK(shows(state, member.source));
    check(state, kShapes[turn % kShapes.size()], Theme(turn % 3), member.id);
    ++turn;
  }
}

TEST_CASE("names of the family come with their year") {
  CHECK(shows(read_board_state("family?year=2022"), "New: FA1, CUTLASS, Triton."));
  CHECK(shows(read_board_state("family?year=2022"), "CUTLASS"));
  CHECK_FALSE(shows(read_board_state("family?year=2022"), "xFormers"));
  CHECK(shows(read_board_state("family?year=2026"), "xFormers"));
  CHECK(shows(read_board_state("family?year=2026&only=decode"), "MLA"));  // left out, but there
}

TEST_CASE("arrow keys walk the family") {
  const Board& board = *board_named("family");
  BoardState state = read_board_state("family");
  const auto go = [&](int right, int up) { board.nudge("board:member/fa2", right, up, state); };
  const auto picked = [&] { return state.cells["picked"]; };
  board.act("board:member/fa2", {0, 0}, false, state);
  go(1, 0);
  CHECK(picked() == "flash-decoding");
  go(0, -1);
  CHECK(picked() == "ring");  // down: the next of its lane
  go(0, 1);
  CHECK(picked() == "flash-decoding");
  board.act("board:member/online-softmax", {0, 0}, false, state);
  go(-1, 0);
  CHECK(picked() == "online-softmax");  // there is nobody before
  CHECK(board.readings({state, Session(), ViewState(), board})[0].quantity.value == 21);
}

TEST_CASE("the tree is one stop for Tab, at the member that is picked") {
  BoardState state = read_board_state("family");
  const auto stops = [&] {
    float scale = 1;
    std::vector<std::string> out;
    for (const Region& region : scene_of(state, kShapes[2], Theme::Light, scale).regions)
      if (region.focusable && region.id.starts_with("board:")) out.push_back(region.id);
    return out;
  };
  CHECK(stops() == std::vector<std::string>{"board:picked"});
  const auto place = [&](std::string_view id) {
    float scale = 1;
    return scene_of(state, kShapes[2], Theme::Light, scale).find(id)->rect;
  };
  board_named("family")->nudge("board:picked", 1, 0, state);
  CHECK(place("board:picked").x == place("board:member/" + state.cells["picked"]).x);
}

TEST_CASE("every published table has room for its figures, and says whose they are") {
  size_t turn = 0;
  for (const char* table : {"fa2-a100", "fa2-h100", "fa3-forward", "fa3-backward", "fa3-fp8", "h200-torch",
                            "h200-upstream", "fa1-forward", "fa1-forward-backward", "fa2-training", "fa3-ablation"})
    for (const char* rest : {"d=64", "d=128", "d=128&mask=causal", "d=256"}) {
      const std::string words = fmt::format("published?table={}&{}", table, rest);
      const BoardState state = read_board_state(words);
      REQUIRE(state.knobs.contains("table"));
      for (size_t k = 0; k < 2; ++k, ++turn) check(state, kShapes[turn % kShapes.size()], Theme(turn % 3), words);
      CHECK(shows(state, published_table(table)->source));
      CHECK(shows(state, published_table(table)->origin == Origin::Recorded ? "◆ recorded" : "◇ published"));
    }
  // A row of each, to the digit; where memory ran out it says so.
  CHECK(shows(read_board_state("published?table=fa2-a100&d=128"), "At N = 8,192, FA2 reaches 201 TFLOP/s"));
  CHECK(shows(read_board_state("published?table=fa2-a100&d=128"), "OOM"));
  CHECK(shows(read_board_state("published?table=fa3-fp8&d=128"), "1,008"));
  CHECK(shows(read_board_state("published?table=fa1-forward&d=64"), "33.5"));
  CHECK(shows(read_board_state("published?table=fa2-training"), "without FA"));
  CHECK(shows(read_board_state("published?table=fa3-backward&d=256"), "This table has nothing for d = 256"));
}

TEST_CASE("the detective keeps names back until they are asked for") {
  const Board& board = *board_named("detective");
  const auto time = evaluate("recorded(pytorch-eager, time, N=4096, d=128, B=4, H=16)").quantity;
  REQUIRE(time);
  const std::string eager = "◆ " + format_quantity(*time, "").value_or("");
  BoardState state = read_board_state("detective?clues=0");
  CHECK(shows(state, "◆ 10.7 GB"));
  CHECK_FALSE(shows(state, eager));
  CHECK_FALSE(shows(state, "memory-efficient"));
  state = read_board_state("detective?clues=2");
  CHECK(shows(state, eager));
  for (int press = 0; press < 2; ++press) board.act("board:row/0", {0, 0}, false, state);
  CHECK(state.cells["guess0"] == "pytorch-mem-efficient");
  CHECK(shows(state, "memory-efficient"));
  board.nudge("board:row/1", -1, 0, state);
  CHECK(state.cells["guess1"] == "pytorch-cudnn");
  board.nudge("board:row/2", -1, 0, state);
  board.nudge("board:row/2", -1, 0, state);
  CHECK(state.cells["guess2"] == "pytorch-fa2");
  CHECK_FALSE(shows(state, "pytorch_flash"));
  state.knobs["names"] = 1;
  CHECK(shows(state, "✓ memory-efficient"));
  CHECK(shows(state, "✓ cuDNN"));
  CHECK(shows(state, "✕ you: FA2"));  // where eager ran
  CHECK_FALSE(shows(state, "✕ eager"));
  CHECK(shows(state, "2 of 4 are right"));
  CHECK(shows(state, "pytorch_flash::flash_fwd_kernel"));
  for (const Shape& shape : kShapes)
    for (const char* words : {"detective?clues=0&shape=0", "detective?clues=2&names=on", "detective?shape=0&names=on"})
      check(read_board_state(words), shape, Theme::Projector, words);
}

}  // namespace tilewalk::test_family_boards
