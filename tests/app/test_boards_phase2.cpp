// The boards of lessons 6, 7 and 9 and of the relatives: nothing cut off at any size, scale and theme, at the ends of
// every knob and with readings covered; readings that equal the core's numbers; and hands on them, pointer and
// keyboard.
#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/boards/paper_sheet.h"
#include "app/scene/layout_check.h"
#include "core/attention/tile_counts.h"
#include "tests/app/board_picture.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace tilewalk::test_boards_phase2 {

namespace {

constexpr Size kSizes[] = {{{700, 480}, 1},  {{820, 572}, 1},   {{1120, 912}, 1},
                           {{1656, 912}, 1}, {{2240, 1824}, 2}, {{2100, 1500}, 3}};
constexpr Theme kThemes[] = {Theme::Light, Theme::Dark, Theme::Projector};

BoardState state_of(std::string_view words) { return read_board_state(words); }

std::vector<Reading> readings_of(const BoardState& state) {
  static const Session session;
  ViewState view;
  view.board = state;
  const Board& board = *board_named(state.board);
  return board.readings({state, session, view, board});
}
double reading(const BoardState& state, std::string_view id) {
  for (const Reading& r : readings_of(state))
    if (r.id == id) return r.quantity.value;
  FAIL(std::string("no reading ") << std::string(id));
  return 0;
}
std::string caption_of(const BoardState& state) {
  static const Session session;
  ViewState view;
  view.board = state;
  const Board& board = *board_named(state.board);
  return board.caption({state, session, view, board});
}

void expect_no_faults(const BoardState& state, const std::string& words) {
  for (const Size& at : kSizes)
    for (Theme theme : kThemes) {
      if (theme != Theme::Light && at.scale == 3) continue;
      const std::string all = faults_of(state, at, theme);
      CHECK_MESSAGE(all.empty(), words, " at ", at.size.x, "x", at.size.y, " scale ", at.scale, " theme ", int(theme),
                    all);
    }
}

const std::vector<std::string_view> kBoardIds{"row",  "paper",        "causal", "split",
                                              "ring", "differential", "sparse", "latent"};
const std::vector<std::string_view> kStates{
    "split",
    "split?splits=4&step=1",
    "split?splits=64&step=3&heads=256",
    "split?step=2&splits=2&gpu=a100-80",
    "ring",
    "ring?step=2",
    "ring?devices=8&mask=causal&step=8",
    "ring?devices=2&step=1&striped=on&mask=causal",
    "ring?time=on&step=4",
    "ring?time=on&N=8192&mask=causal",
    "ring?time=on&devices=3",
    "differential",
    "differential?layer=1&noise=3",
    "differential?second=none",
    "differential?second=first&layer=32",
    "sparse",
    "sparse?N=2048&branch=selected",
    "sparse?N=131072&choices=16",
    "latent",
    "latent?groups=64",
    "latent?keep=heads",
    "latent?keep=heads&groups=64",

    "row",
    "row?step=1",
    "row?step=2",
    "row?step=2&skip_rescale=on",
    "row?step=2&skip_max=on&s3=100",
    "row?keys=8&tile=1&step=8",
    "row?keys=8&tile=4&step=2&order=reverse&s1=-4&s2=-50&s6=200",
    "paper",
    "paper?given=tile 1",
    "paper?given=all but three&numbers=7&tiles=3",
    "paper?given=everything&backward=on",
    "causal",
    "causal?N=16&Br=4&Bc=4&paint=on",
    "causal?N=4096&exit=off",
    "causal?N=16384&Br=2&Bc=2&paint=on",
    "causal?queries=1&align=top left",
    "causal?queries=N / 4&N=16&Br=4&Bc=2&paint=on",
    "causal?N=2048&Bc=64&queries=N / 2&align=top left",
};

}  // namespace

TEST_CASE("boards of phase 2 lay out at every size, scale and theme") {
  for (std::string_view words : kStates) {
    const BoardState state = state_of(words);
    REQUIRE_MESSAGE(!state.board.empty(), words);
    expect_no_faults(state, std::string(words));
  }
}

TEST_CASE("they lay out with every knob at its ends, and at each step") {
  for (std::string_view id : kBoardIds) {
    const Board& board = *board_named(id);
    for (const Knob& knob : board.knobs)
      for (double value : {knob.least, knob.most}) {
        BoardState state = state_of(id);
        state.knobs[std::string(knob.id)] = value;
        state.show = {std::string(knob.id)};
        state.step = 1;
        expect_no_faults(state, std::string(id) + " " + std::string(knob.id) + " = " + std::to_string(value));
      }
  }
}

TEST_CASE("a covered reading is not to be seen, and covering it cuts nothing off") {
  for (std::string_view words : kStates) {
    BoardState state = state_of(words);
    for (const Reading& r : readings_of(state)) state.covered.push_back(r.id);
    expect_no_faults(state, std::string(words) + " covered");
  }
  BoardState state = state_of("row?step=2");
  state.covered = {"l", "alpha", "ox", "out_x", "direct_x"};
  const Scene scene = scene_of(state, kSizes[2], Theme::Light);
  for (const Item& item : scene.items)
    if (const auto* label = std::get_if<Label>(&item))
      for (const char* secret : {"1.553", "0.135", "1.871", "1.2048"})
        CHECK_MESSAGE(label->text.find(secret) == std::string::npos, label->text);
  CHECK(caption_of(state).find("0.135") == std::string::npos);
}

TEST_CASE("captions are at most two sentences that fit") {
  for (std::string_view words : kStates) CHECK(caption_of(state_of(words)).size() <= 160);
}

TEST_CASE("the row board shows the worked example to the last digit") {
  const BoardState end = state_of("row?step=2");
  CHECK(std::fabs(reading(end, "l1") - 1.367879) < 5e-7);
  CHECK(std::fabs(reading(end, "alpha2") - 0.135335) < 5e-7);
  CHECK(std::fabs(reading(end, "l") - 1.553002) < 5e-7);
  CHECK(std::fabs(reading(end, "ox") - 1.871094) < 5e-7);
  CHECK(std::fabs(reading(end, "oy") - 1.049787) < 5e-7);
  CHECK(std::fabs(reading(end, "out_x") - 1.204824) < 5e-7);
  CHECK(std::fabs(reading(end, "out_y") - 0.675973) < 5e-7);
  CHECK(std::fabs(reading(end, "L") - 4.440190) < 5e-7);
  CHECK(reading(end, "gap") < 1e-12);

  const BoardState broken = state_of("row?step=2&skip_rescale=on");
  CHECK(reading(broken, "out_x") == doctest::Approx(1.0));
  CHECK(reading(broken, "out_y") == doctest::Approx(0.5));
  CHECK(std::fabs(reading(broken, "l") - 2.735759) < 5e-7);

  const BoardState backward = state_of("row?step=2&order=reverse");
  CHECK(reading(backward, "alpha2") == 1);
  CHECK(std::fabs(reading(backward, "out_x") - 1.204824) < 5e-7);

  const BoardState overflown = state_of("row?step=2&skip_max=on&s3=100");
  CHECK(std::isinf(reading(overflown, "l")));
  CHECK(std::isnan(reading(overflown, "out_x")));
  CHECK(std::isfinite(reading(overflown, "direct_x")));
  CHECK(reading(state_of("row?step=2&skip_max=on"), "gap") < 2e-3);  // right, but for fp16's rounding
}

TEST_CASE("any order and any tiles give the row the same answer") {
  for (std::string_view tile : {"1", "2", "4"})
    for (std::string_view order : {"forward", "reverse"}) {
      const BoardState state =
          state_of("row?keys=8&step=8&s2=-3&tile=" + std::string(tile) + "&order=" + std::string(order));
      CHECK(reading(state, "gap") < 1e-12);
    }
}

TEST_CASE("bars and cards of the row are moved by pointer and by keyboard") {
  const Board& board = *board_named("row");
  BoardState state = state_of("row");
  board.act("board:bar/2", {0.5f, 0}, false, state);
  CHECK(knob_value(board, state, "s2") == 6.5);
  board.act("board:bar/2", {0.5f, -0.2f}, true, state);  // over the top: the chart grows
  CHECK(knob_value(board, state, "s2") == 12.5);
  board.nudge("board:bar/2", 0, -1, state);
  CHECK(knob_value(board, state, "s2") == 12);
  for (int k = 0; k < 1000; ++k) board.nudge("board:bar/2", 0, 1, state);
  CHECK(knob_value(board, state, "s2") == 200);

  BoardState cards = state_of("row?step=2");
  board.nudge("board:card/1", 1, 0, cards);
  CHECK(cards.cells["order"] == "2134");
  CHECK(knob_text(board.knobs[0], knob_value(board, cards, "order")) == "yours");
  board.act("board:card/4", {-0.5f, 0}, true, cards);
  CHECK(cards.cells["order"] == "2143");
  board.act("board:card/4", {0.5f, 0}, true, cards);
  CHECK(cards.cells["order"] == "2143");
  for (int k = 0; k < 9; ++k) board.nudge("board:card/4", -1, 0, cards);
  CHECK(cards.cells["order"] == "4213");
  CHECK(reading(cards, "gap") < 1e-12);
  CHECK(bool(board.steps));
}

TEST_CASE("the causal board counts as the papers do") {
  const BoardState square = state_of("causal?N=4096");
  CHECK(reading(square, "tiles") == 1024);
  CHECK(reading(square, "visited") == 528);
  CHECK(reading(square, "masked") == 32);
  CHECK(reading(square, "full") == 496);
  CHECK(reading(square, "skipped") == 496);
  CHECK(std::round(reading(square, "waste") * 1000) == 31);
  CHECK(reading(square, "bound") == doctest::Approx(2.0 * 32 / 33));
  const BoardState wide = state_of("causal?N=4096&Bc=64");
  CHECK(reading(wide, "tiles") == 2048);
  CHECK(reading(wide, "visited") == 1056);
  CHECK(reading(wide, "masked") == 64);
  CHECK(std::round(reading(state_of("causal?N=1024"), "waste") * 1000) == 124);
  const BoardState all = state_of("causal?N=4096&exit=off");
  CHECK(reading(all, "visited") == 1024);
  CHECK(reading(all, "excess") == doctest::Approx(1024.0 / 528));
  CHECK(reading(state_of("causal?queries=1"), "masked") == 0);
  CHECK(reading(state_of("causal?queries=1&align=top left"), "visited") == 1);
}

TEST_CASE("tile counts add up, against every tile on its own") {
  for (int64_t n_q : {1, 5, 16, 33})
    for (int64_t n_k : {1, 7, 16, 40})
      for (int64_t br : {1, 3, 8})
        for (int64_t bc : {2, 5, 16})
          for (CausalAlign align : {CausalAlign::BottomRight, CausalAlign::TopLeft})
            for (Mistake mistake : {Mistake::None, Mistake::NoEarlyExit}) {
              const Problem p{
                  .n_q = n_q, .n_k = n_k, .br = br, .bc = bc, .mask = Mask::Causal, .align = align, .mistake = mistake};
              const Tiling t(p);
              TileCounts slow;
              for (int64_t i = 0; i < t.tr; ++i)
                for (int64_t j = 0; j < t.tc; ++j) {
                  ++slow.tiles;
                  const TileKind kind = t.kind(i, j);
                  (kind == TileKind::Skipped ? slow.skipped : kind == TileKind::Masked ? slow.masked : slow.full) += 1;
                  if (kind != TileKind::Skipped) slow.computed_scores += t.rows(i) * t.cols(j);
                }
              for (int64_t r = 0; r < n_q; ++r)
                for (int64_t c = 0; c < n_k; ++c) slow.visible_scores += t.visible(r, c);
              const TileCounts quick = count_tiles(t);
              CHECK(quick.tiles == slow.tiles);
              CHECK(quick.skipped == slow.skipped);
              CHECK(quick.masked == slow.masked);
              CHECK(quick.full == slow.full);
              CHECK(quick.computed_scores == slow.computed_scores);
              CHECK(quick.visible_scores == slow.visible_scores);
            }
}

TEST_CASE("tiles are painted by pointer and by keyboard, and judged") {
  const Board& board = *board_named("causal");
  BoardState state = state_of("causal?N=16&Br=4&Bc=4&paint=on");
  board.act("board:brush/0", {0.5f, 0.5f}, false, state);
  board.act("board:grid", {0.9f, 0.1f}, false, state);  // skip, right
  board.act("board:grid", {0.6f, 0.1f}, true, state);   // dragged on: skip, right
  CHECK(reading(state, "painted") == 2);
  board.act("board:grid", {0.1f, 0.9f}, false, state);  // skip where the tile is whole
  CHECK(reading(state, "painted") == 2);
  CHECK(caption_of(state).starts_with("No. Q tile 4, K tile 1"));
  board.nudge("board:brush/0", 0, -1, state);  // mask
  board.nudge("board:cursor", 0, 1, state);    // one tile up
  board.act("board:cursor", {0.5f, 0.5f}, false, state);
  CHECK(caption_of(state).starts_with("No. Q tile 3, K tile 1"));
  // All of it, by keyboard alone: Space paints with the kind in hand, and once more with the next one.
  state = state_of("causal?N=16&Br=4&Bc=4&paint=on");
  const Problem p{.n_q = 16, .n_k = 16, .br = 4, .bc = 4, .mask = Mask::Causal};
  const Tiling t(p);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k) board.nudge("board:cursor", -1, 1, state);
      for (int64_t k = 0; k < i; ++k) board.nudge("board:cursor", 0, -1, state);
      for (int64_t k = 0; k < j; ++k) board.nudge("board:cursor", 1, 0, state);
      const double before = reading(state, "painted");
      for (int k = 0; k < 3 && reading(state, "painted") == before; ++k)
        board.act("board:cursor", {0.5f, 0.5f}, false, state);
    }
  CHECK(reading(state, "painted") == 16);
  CHECK(caption_of(state).find("visits 10") != std::string::npos);
  state.knobs["N"] = 32;  // another grid begins empty
  CHECK(reading(state, "painted") == 0);
}

TEST_CASE("a cell of the sheet is right to three digits, and a slip is named") {
  const PaperSheet sheet = make_sheet(0, 2, false);
  const std::vector<PaperCell> cells = cells_of(sheet);
  const auto cell = [&](std::string_view id) -> const PaperCell& {
    return *std::ranges::find(cells, id, &PaperCell::id);
  };
  CHECK(judge(cell("l2"), "1.553").verdict == CellVerdict::Right);
  CHECK(judge(cell("l2"), "1,553").verdict == CellVerdict::Right);
  CHECK(judge(cell("l2"), "1.55").verdict == CellVerdict::Right);
  CHECK(judge(cell("l2"), "1.5").verdict == CellVerdict::Unfinished);
  CHECK(judge(cell("l2"), " ").verdict == CellVerdict::Empty);
  CHECK(judge(cell("l2"), "1.56").verdict == CellVerdict::Close);
  CHECK(judge(cell("l2"), "2.736").words.find("without α") != std::string::npos);
  CHECK(judge(cell("l2"), "1.368").words.find("alone") != std::string::npos);
  CHECK(judge(cell("alpha2"), "7.39").words.find("inverse") != std::string::npos);
  CHECK(judge(cell("alpha2"), "-2").words.find("exponent") != std::string::npos);
  CHECK(judge(cell("ox2"), "2.736").words.find("without α") != std::string::npos);
  CHECK(judge(cell("out_x"), "1.871").words.find("divided") != std::string::npos);
  CHECK(judge(cell("L"), "0.44").words.find("m is missing") != std::string::npos);
  CHECK(judge(cell("L"), "four").verdict == CellVerdict::Wrong);
  CHECK(std::fabs(cell("L").value - 4.440190) < 5e-7);
  // No slip may be named where the number is right.
  for (uint64_t seed = 0; seed < 100; ++seed)
    for (const PaperCell& each : cells_of(make_sheet(seed, 3, seed % 2)))
      CHECK_MESSAGE(judge(each, paper_number(each.value)).verdict == CellVerdict::Right, each.id, " of sheet ", seed);
}

TEST_CASE("hints fill the sheet one cell at a time; another sheet begins empty") {
  const Board& board = *board_named("paper");
  BoardState state = state_of("paper?given=tile 1");
  const int asked = int(reading(state, "asked"));
  CHECK(asked == 10);
  board.act("board:hint", {}, false, state);
  CHECK(reading(state, "right") == 0);
  CHECK(caption_of(state).find("m of tile 2: the larger of the old m and both scores. Here: max of") == 0);
  board.act("board:hint", {}, false, state);
  CHECK(reading(state, "right") == 1);
  for (int k = 0; k < 2 * asked; ++k) board.act("board:hint", {}, false, state);
  CHECK(reading(state, "right") == asked);
  CHECK_FALSE(board.act("board:hint", {}, false, state).empty());
  expect_no_faults(state, "paper filled");
  // A wrong number stays, however often the hint is asked for; a hint may be for one cell.
  state.cells["0.0.0/m2"] = "3";
  for (int k = 0; k < 3; ++k) board.act("board:hint", {}, false, state);
  CHECK(state.cells["0.0.0/m2"] == "3");
  CHECK(caption_of(state).find("m of tile 2: the larger") == 0);
  state.cells["0.0.0/p2a"] = "0.99";
  state.cells["0.0.0/p2b"].clear();
  board.act("board:hint/p2b", {}, false, state);
  CHECK(caption_of(state).find("Key 4's weight: e to the power of its score − m") == 0);
  state.cells["0.0.0/m2"] = "4";
  state.cells["0.0.0/p2b"] = paper_number(std::exp(-1));
  CHECK(caption_of(state) == "Key 3's weight is close (≈); give three digits.");
  state.knobs["backward"] = 1;
  CHECK(reading(state, "right") == 0);
  state.knobs["backward"] = 0;
  board.act("board:clear", {}, false, state);
  CHECK(reading(state, "right") == 0);
  // Typed wrong: the caption says what it would be right for.
  state.cells["0.0.0/l2"] = "2.736";
  CHECK(caption_of(state) == "l of tile 2: That is l without α: the old sum is still on the old scale.");
  expect_no_faults(state, "paper with a slip");
  CHECK(std::fabs(reading(state_of("paper?backward=on"), "out_x") - 1.204824) < 5e-7);
}

TEST_CASE("the sheet is filled by digits to press, and what hints filled is not by hand") {
  const Board& board = *board_named("paper");
  BoardState state = state_of("paper?given=all but three");
  const auto press = [&](std::string_view cell, std::string_view keys) {
    for (const char key : keys) board.act(fmt::format("board:digit/{}/{}", cell, key), {}, false, state);
  };
  // A hint names what is not known yet.
  board.act("board:hint/l2", {}, false, state);
  CHECK(caption_of(state).ends_with("Here: α × 1.368 + 1 + 0.3679."));
  press("alpha2", "0.1359<3");
  CHECK(state.cells["0.0.0/alpha2"] == "0.1353");
  CHECK(reading(state, "right") == 1);
  board.act("board:hint/l2", {}, false, state);
  CHECK(caption_of(state).ends_with("Here: 0.1353 × 1.368 + 1 + 0.3679."));
  board.act("board:hint/l2", {}, false, state);
  CHECK(reading(state, "right") == 2);
  press("out_x", "1.205");
  CHECK(reading(state, "right") == 3);
  CHECK(caption_of(state) == "All right, 1 with hints. Another sheet brings other numbers.");
  board.act("board:clear", {}, false, state);
  press("alpha2", "0.1353"), press("l2", "1.553"), press("out_x", "1.205");
  CHECK(caption_of(state).starts_with("All right, and all by hand."));
}

TEST_CASE("everything on these boards that can be done has a name, and the keyboard reaches it") {
  for (std::string_view words : kStates) {
    const Scene scene = scene_of(state_of(words), kSizes[2], Theme::Light);
    std::set<std::string> ids;
    for (const Region& region : scene.regions) {
      CHECK_FALSE(region.tip.empty());
      CHECK(ids.insert(region.id).second);
      const bool acts =
          region.id.starts_with("board:") || region.id.starts_with("field:") || region.id.starts_with("knob:");
      // The options of a choice have one stop, the chosen one; arrows go on from it.
      const std::string knob = region.id.substr(0, region.id.find('/') + 1);
      const bool option = region.id.starts_with("knob:") && !knob.empty() &&
                          std::ranges::any_of(scene.regions, [&](const Region& other) {
                            return other.focusable && other.id.starts_with(knob);
                          });
      // Digits to press are a pointer's; the keyboard types into the cell itself.
      const bool digit = region.id.starts_with("board:digit/");
      // A number is typed on its slider, too, which is a stop.
      const bool number = region.id.starts_with("field:knob/");
      CHECK((!acts || region.focusable || option || digit || number || region.id == "board:grid"));
    }
  }
}

TEST_CASE("splitting the keys fills the chip, and the parts merge to the row") {
  const BoardState alone = state_of("split");
  CHECK(reading(alone, "busy") == 32);
  CHECK(reading(alone, "chosen") == 4);
  CHECK(reading(alone, "kv_bytes") == 2147483648.0);
  CHECK(reading(alone, "part_bytes") == 0);
  CHECK(std::fabs(reading(alone, "least_time") - 0.64e-3) < 0.005e-3);
  CHECK(std::fabs(reading(state_of("split?gpu=a100-80"), "least_time") - 1.05e-3) < 0.005e-3);
  // Splitting helps, and what it helps is said: by the model, and as it was recorded on an H200.
  CHECK(std::fabs(reading(alone, "time") - 1.356e-3) < 0.5e-6);
  CHECK(std::fabs(reading(state_of("split?splits=4"), "time") - 641e-6) < 1e-6);
  CHECK(std::fabs(reading(state_of("split?gpu=h200"), "time") - 1.356e-3) < 0.5e-6);
  CHECK(std::fabs(reading(state_of("split?gpu=h200&splits=4"), "time") - 483.8e-6) < 1e-9);
  CHECK(std::fabs(reading(state_of("split?gpu=h200&splits=64"), "time") - 511.7e-6) < 1e-9);
  CHECK(std::fabs(reading(state_of("split?gpu=h200&splits=4&N=65536"), "time") / 241.9e-6 - 1) < 0.1);  // half of it
  const BoardState split = state_of("split?splits=4&step=3");
  CHECK(reading(split, "busy") == 128);
  CHECK(reading(split, "waves") == 1);
  CHECK(std::fabs(reading(split, "L1") - 2.313262) < 5e-7);
  CHECK(std::fabs(reading(split, "L2") - 4.313262) < 5e-7);
  CHECK(std::fabs(reading(split, "w1") - 0.119203) < 5e-7);
  CHECK(std::fabs(reading(split, "w2") - 0.880797) < 5e-7);
  CHECK(std::fabs(reading(split, "out_x") - 1.204824) < 5e-7);
}

TEST_CASE("the ring's last turn is the softmax over all keys") {
  for (const char* words : {"ring?step=4", "ring?devices=7&mask=causal&striped=on&step=7", "ring?devices=3"}) {
    const BoardState state = state_of(words);
    CHECK(reading(state, "gap") < 1e-12);
    CHECK(std::fabs(reading(state, "L") - reading(state, "expected")) < 1e-12);
  }
  CHECK(reading(state_of("ring"), "device_bytes") * 4 == reading(state_of("ring"), "whole_bytes"));
  CHECK(reading(state_of("ring?mask=causal"), "busy") < 0.65);
  CHECK(reading(state_of("ring?mask=causal&striped=on"), "busy") > 0.95);
  // What was recorded is shown where there is a recording, and only when it is asked for.
  CHECK(reading(state_of("ring?time=on"), "hidden") >= 0.9);
  CHECK(reading(state_of("ring?time=on"), "hidden_nccl") < 0.9);
  CHECK(reading(state_of("ring?time=on&N=8192"), "hidden_nccl") < 0.9);
  CHECK(reading(state_of("ring?time=on&mask=causal"), "hidden_zigzag_together") <
        reading(state_of("ring?time=on&mask=causal"), "hidden_together") * 0.7);
  CHECK(reading(state_of("ring?time=on"), "hidden_sent") ==
        doctest::Approx(reading(state_of("ring?time=on"), "hidden_predicted")).epsilon(0.01));
  CHECK(reading(state_of("ring?step=2"), "m") >= reading(state_of("ring?step=1"), "m"));
}

TEST_CASE("the relatives' figures are the papers'") {
  CHECK(reading(state_of("sparse"), "compressed") == 4095);
  CHECK(reading(state_of("sparse"), "selected") == 1024);
  CHECK(reading(state_of("sparse"), "window") == 512);
  CHECK(std::round(reading(state_of("sparse"), "ratio") * 10) == 116);
  CHECK(reading(state_of("latent"), "mha") == 32768);
  CHECK(reading(state_of("latent"), "mla") == 576);
  CHECK(std::round(reading(state_of("latent"), "ratio")) == 57);
  CHECK(reading(state_of("differential?layer=1"), "lambda") == doctest::Approx(0.2));
  // On most seeds the difference puts more of its weight on the key that matters.
  int better = 0;
  for (int seed = 1; seed <= 50; ++seed) {
    const BoardState state = state_of("differential?seed=" + std::to_string(seed));
    better += reading(state, "on_both") > reading(state, "on_first");
  }
  CHECK(better >= 45);
}

TEST_CASE("what breaks the relatives shows in their numbers") {
  // Without λ, or with the same softmax twice, the key's share is that of the first softmax alone.
  for (const std::string_view words : {"differential?second=none", "differential?second=first"}) {
    const BoardState state = state_of(words);
    CHECK(reading(state, "on_both") == doctest::Approx(reading(state, "on_first")));
  }
  CHECK(reading(state_of("differential?second=none"), "sum") == 1);
  CHECK(reading(state_of("differential?second=first"), "sum") == reading(state_of("differential"), "sum"));
  // K of 128 + 64 values and V of 128, for each of 128 heads: more than MHA.
  CHECK(reading(state_of("latent?keep=heads"), "mla") == 40960);
  CHECK(reading(state_of("latent?keep=heads"), "ratio") < 1);
  // Choices apart: the first, the last two, and up to thirteen more for each head.
  const double one = reading(state_of("sparse?N=131072"), "selected");
  CHECK(one == 16 * 64);
  double before = one;
  for (int choices = 2; choices <= 16; choices *= 2) {
    const double now = reading(state_of(fmt::format("sparse?N=131072&choices={}", choices)), "selected");
    CHECK(now > before);
    CHECK(now <= (3 + 13 * choices) * 64);
    before = now;
  }
}

}  // namespace tilewalk::test_boards_phase2
