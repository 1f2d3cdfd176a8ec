// The drawing board: what its files share. The sheet is what a person has drawn and set, read from the board's state;
// the truth is what the model, and a GPU where there is one, say to it.
#pragma once

#include "app/boards/board.h"
#include "app/boards/board_runs.h"
#include "app/boards/gpu_offer.h"
#include "app/boards/kit.h"
#include "core/roofline/drawing.h"
#include "core/roofline/rest.h"
#include "core/roofline/score.h"
#include "core/roofline/typed_amount.h"
#include "core/run/benchmark.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

extern const Board kDrawBoard;

// The paper beside the plot shows one thing at a time.
enum class DrawTab : uint8_t { Roofs, Points, Predict, Missing };

// The last choice of the knob "given": a whole drawing of the program's, in place of the learner's until it is changed.
constexpr int kGivenExample = 5;

// What people get wrong, for a lesson that shows it: the example is drawn with that mistake, the model lies over it.
enum class DrawMistake : uint8_t { None, Factor, Elements, Sparse, SramTraffic };

struct DrawSheet {
  int64_t n = 8192;
  std::string gpu;    // id of the GPU: "h100", "this"
  Roofs roofs;        // its roofs; without any where nobody has measured them yet
  bool known = true;  // whether there are any
  Drawing drawing;    // with what is given
  bool snap = true;   // what is dragged keeps to the grid
  bool l2 = true;     // off: the model takes every fill for a DRAM byte
  DrawMistake mistake = DrawMistake::None;
  bool locked = false;
  bool reveal = false;  // the truth is shown: locked, or by the knob
  DrawTab tab = DrawTab::Roofs;
  std::optional<Roof> roof;  // what is selected: a roof, or a point by its index
  int point = -1;

  int64_t d() const { return drawing.d; }
  std::string lock_word() const;  // what was locked holds for these N, d and GPU alone
};
DrawSheet sheet_of(const BoardState& state);
// A board has more than one sheet of squared paper: what is drawn on one stays there while another one lies on top. The
// cell in which "roofs", "points" or "locked" of the sheet on top is kept.
std::string sheet_cell(const BoardState& state, std::string_view name);
void put_drawing(const Drawing& drawing, BoardState& state);  // what was given is the learner's own from then on

// Roofs in the order in which they are listed.
constexpr std::array<Roof, kRoofCount> kRoofOrder{Roof::Dram,   Roof::L2,     Roof::Sram,
                                                  Roof::Tensor, Roof::Vector, Roof::Exponential};
std::string_view short_name(Roof roof);              // "DRAM", "tensor", "exp"
std::string rate_words(Roof roof, double rate);      // "3.35 TB/s", "989 TFLOP/s", "3.86 T/s"
std::string si_words(double value, int digits = 3);  // "34.4 G"
std::string time_words(double seconds);     // "34.74 µs": who divides two of them has the win as it is written
std::string intensity_words(double value);  // "62.1", "4,080"

// The axes, FLOP/s over FLOP/byte; five decades each, so that a bandwidth rises by one in one.
constexpr double kLeastX = 1, kMostX = 1e5, kLeastY = 1e11, kMostY = 1e16;
double handle_x(Roof bandwidth);  // where on its slope the handle of a bandwidth lies, FLOP/byte

struct MeasuredTime {
  double seconds = 0, low = 0, high = 0;  // of one head: median, p10, p90
  double intensity = 0;                   // FLOP/byte as DRAM sees it, behind L2: runs have one, whatever is modelled
  RunKind kind = RunKind::Shipped;
  std::string source;  // GPU, date
  Timing timing;
};
struct TruePoint {
  DrawnPoint point;    // flop and bytes filled in: as benchmarks count, of one head
  Estimate estimate;   // of all heads
  double seconds = 0;  // of one head, by the model
  double rate() const { return seconds > 0 ? point.flop / seconds : 0; }
  std::optional<MeasuredTime> measured;
  double best_seconds() const { return measured ? measured->seconds : seconds; }
};
struct Truth {
  Roofs roofs;
  TruePoint standard, fused;
  std::vector<TruePoint> points;  // of the drawing's, in its order
  // Of one kind both times: a run's over a run's, else the model's over the model's.
  bool win_measured() const { return standard.measured && fused.measured; }
  double win() const {
    return win_measured() ? standard.measured->seconds / fused.measured->seconds : standard.seconds / fused.seconds;
  }
};
TruePoint true_point(const DrawSheet& sheet, const Roofs& roofs, const DrawnPoint& of);
Truth truth_of(const DrawSheet& sheet);
// Adds what was recorded, or measured in this session, of these shapes on that GPU.
void add_measured(Truth& truth, const DrawSheet& sheet, const GpuView& gpu);

// What a person predicts: typed, else read off the drawing; 0 where neither is there.
struct Predicted {
  double seconds = 0, win = 0;
  bool seconds_typed = false, win_typed = false;
  std::string seconds_fault, win_fault;
};
Predicted predicted_of(const DrawSheet& sheet, const BoardState& state);
const DrawnPoint* drawn_standard(const Drawing& drawing, Direction direction = Direction::Forward,
                                 Mask mask = Mask::Full);
const DrawnPoint* drawn_fused(const Drawing& drawing);  // forward, no mask: FA3 before FA2 before FA1
RooflineScore score_of(const DrawSheet& sheet, const Truth& truth, const Predicted& predicted);

// Within 10 %: what the board ticks.
bool is_close(double drawn, double truth);

// What can be pressed instead of typed while a point's FLOP or bytes are missing: the right one is among them.
// "board:fill/flop/1" takes the second one.
constexpr std::array<std::string_view, 3> kFlopChoices{"N² d", "4 N² d", "8 N² d"};
constexpr std::array<std::string_view, 3> kByteChoices{"8 N d + 4 N", "2 N d", "8 N² + 8 N d"};

// The fields of the paper: cells "roof/dram", "point/2/flop", "point/2/bytes", "time", "win".
std::string field_text(std::string_view cell, const BoardState& state);
void take_field(std::string_view cell, BoardState& state);
std::string field_fault(std::string_view cell, const BoardState& state);  // why what was typed was not taken
std::string act_on_drawing(std::string_view id, Vec2 at, bool dragged, BoardState& state);
std::string nudge_drawing(std::string_view id, int right, int up, BoardState& state);
bool key_on_drawing(std::string_view id, const KeyPress& press, BoardState& state);

// What pages of the class have locked for the same N, d and GPU, and how many have: to who teaches it. Else none.
std::vector<Drawing> class_drawings(const ViewState& view, const DrawSheet& sheet);
size_t class_drawings_count(const ViewState& view, const DrawSheet& sheet);

// The two halves of the picture. `truth` is null while it is not revealed.
void layout_plot(const BoardView& view, Rect area, const DrawSheet& sheet, const Truth& truth);
void layout_graph_paper(const BoardView& view, Rect area, const DrawSheet& sheet, const Truth& truth);

}  // namespace tilewalk
