// The boards of lanes, occupancy and FP8: laid out without faults whatever they are set to, and what their readings,
// presses and arrow keys do.
#include "app/boards/board.h"
#include "app/boards/lanes.h"
#include "app/gpu/recordings.h"
#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"
#include "tests/app/window_shape.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk::test_timing_boards {

namespace {

const std::vector<Shape> kShapes = {{{1280, 720}, 1},  {{1280, 720}, 1.25f}, {{1920, 1080}, 1}, {{1920, 1080}, 1.5f},
                                    {{3840, 2160}, 1}, {{3840, 2160}, 2},    {{3840, 2160}, 3}};

const std::vector<std::string> kSettings = {
    "lanes",
    "lanes?producer=on&stages=1",
    "lanes?producer=on&pingpong=on&pipeline=on&d=64&step=7&show=stages,d,format",
    "lanes?pingpong=on&vector=on&format=FP8&step=15&show=vector,schedule",
    "occupancy",
    "occupancy?loop=q&N=16384&H=32&B=8&gpu=h100&step=30",
    "occupancy?loop=q&mask=causal&order=longest&step=100&show=mask,order,gpu",
    "occupancy?H=1&N=512&loop=q",
    "fp8",
    "fp8?method=both&seed=2",
    "fp8?inputs=normal&method=tile",
};

std::shared_ptr<const RunResult> recorded_stamps() {
  return pick_stamps(load_recordings({TILEWALK_SOURCE_DIR "/assets/recordings"}), RecordedGpu::H200);
}

// A board with its state, as a panel sees it.
struct Shown {
  Session session;
  ViewState view;
  const Board* board;
  explicit Shown(std::string_view words) {
    view.board = read_board_state(words);
    board = board_named(view.board.board);
  }
  Exhibit look() const { return {view.board, session, view, *board}; }
  double reading(std::string_view id) const {
    for (const Reading& r : board->readings(look()))
      if (r.id == id) return r.quantity.value;
    FAIL("no reading " << id);
    return 0;
  }
};

}  // namespace

TEST_CASE("nothing cut, covered or faint on the boards of lanes, occupancy and FP8") {
  const auto recorded = recorded_stamps();
  REQUIRE(recorded);
  Session session;
  for (const std::string& words : kSettings)
    for (Theme theme : {Theme::Light, Theme::Dark, Theme::Projector})
      for (const Shape& shape : kShapes)
        for (bool covered : {false, true}) {
          if (covered && (theme != Theme::Light || shape.scale != 1)) continue;
          ViewState view;
          view.theme = theme;
          view.board = read_board_state(words);
          REQUIRE(!view.board.board.empty());
          if (covered) view.board.covered = {"idle", "used", "rmse"};
          view.gpu.fa3_stamps = recorded;
          for (const std::string& fault : window_faults(session, view, shape))
            FAIL_CHECK(fmt::format("{} {}: {}", words, words_of(shape, view), fault));
          const Board& board = *board_named(view.board.board);
          CHECK(board.caption({view.board, session, view, board}).size() < 220);
        }
}

TEST_CASE("lanes: serial 1.5, overlapped 1, one buffer brings bubbles back") {
  CHECK(Shown("lanes?producer=on").reading("units") == 1.5);
  CHECK(Shown("lanes?producer=on").reading("idle") == doctest::Approx(1.0 / 3));
  CHECK(Shown("lanes?producer=on&pingpong=on").reading("units") == 1.0);
  CHECK(Shown("lanes?producer=on&pipeline=on").reading("units") == 1.0);
  CHECK(Shown("lanes?producer=on&pipeline=on&schedule=FA2").reading("units") == 1.5);
  CHECK(Shown("lanes?producer=on&pingpong=on&pipeline=on&stages=1").reading("idle") > 0.1);
  CHECK(Shown("lanes").reading("exp_share") == 0.5);
  CHECK(Shown("lanes?d=64").reading("exp_share") == 1.0);
  CHECK(Shown("lanes?format=FP8").reading("exp_share") == 1.0);
  CHECK(Shown("lanes").reading("speedup") == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("occupancy: 16 of 108 against 512 blocks, divisions and loads of O") {
  const Shown fa1("occupancy"), fa2("occupancy?loop=q");
  CHECK(fa1.reading("used") == doctest::Approx(16.0 / 108));
  CHECK(fa1.reading("blocks") == 16);
  CHECK(fa2.reading("blocks") == 512);
  CHECK(fa2.reading("used") == 1);
  CHECK(fa1.reading("divisions") == 32);
  CHECK(fa2.reading("divisions") == 1);
  CHECK(fa1.reading("loads") == 32);
  CHECK(fa2.reading("loads") == 0);
  CHECK(fa2.reading("speedup") == doctest::Approx(1024.0 / 160));
  CHECK(Shown("occupancy?loop=q&mask=causal&order=longest").reading("busy") >
        Shown("occupancy?loop=q&mask=causal").reading("busy"));
}

TEST_CASE("FP8: the readings are the methods'") {
  const Shown tensor("fp8"), both("fp8?method=both");
  CHECK(tensor.reading("rmse") == tensor.reading("rmse_tensor"));
  CHECK(both.reading("rmse") == tensor.reading("rmse_both"));
  CHECK(both.reading("gain") > 1.1);
  CHECK(tensor.reading("published") == 2.4e-2);
}

TEST_CASE("pressing the strip and the time axis moves the window; a method is chosen by its bars") {
  for (const auto& [words, id] : {std::pair{"lanes", "board:strip"}, std::pair{"occupancy", "board:time"}}) {
    Shown shown(words);
    CHECK(shown.board->act(id, {0.5f, 0}, false, shown.view.board).empty());
    const int middle = shown.view.board.step;
    CHECK(middle > 0);
    shown.board->nudge(id, 1, 0, shown.view.board);
    CHECK(shown.view.board.step > middle);
    shown.board->act(id, {-2, 0}, true, shown.view.board);
    CHECK(shown.view.board.step == 0);
    shown.board->nudge(id, -1, 0, shown.view.board);
    CHECK(shown.view.board.step == 0);
    shown.board->act(id, {9, 0}, true, shown.view.board);
    CHECK(shown.view.board.step <= shown.board->steps(shown.look()));
  }
  Shown fp8("fp8");
  fp8.board->act("board:method/2", {0, 0}, false, fp8.view.board);
  CHECK(fp8.look().knob("method") == 2);
}

TEST_CASE("recorded stamps stand under the lanes, said to be recorded, and only there") {
  Shown shown("lanes");
  const auto says = [&](std::string_view words) {
    const Scene scene = layout_window(shown.session, shown.view, {1920, 1080});
    return std::ranges::any_of(scene.items, [&](const Item& item) {
      const Label* label = std::get_if<Label>(&item);
      return label && label->text.find(words) != std::string::npos;
    });
  };
  CHECK_FALSE(says("Recorded, does not follow the knobs"));
  shown.view.gpu.fa3_stamps = recorded_stamps();
  REQUIRE(shown.view.gpu.fa3_stamps);
  CHECK(says("Recorded, does not follow the knobs: FA3 on NVIDIA H200"));
  CHECK(says("model"));
  shown.view.board.covered = {"idle"};
  CHECK_FALSE(says("Recorded, does not follow the knobs"));
}

}  // namespace tilewalk::test_timing_boards
