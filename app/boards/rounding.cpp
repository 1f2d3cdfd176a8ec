// The same inputs through two schedules, and the difference of their outputs: none in real arithmetic but for float64's
// last bits, some in the last digits of what kernels compute with. The machine runs both, here and now; a shuffled
// order of the K/V tiles changes the last digits again.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/scene/color_math.h"
#include "core/attention/reference.h"
#include "core/io/number.h"
#include "core/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace tilewalk {
namespace {

constexpr int64_t kRows = 32, kD = 16, kTile = 4;  // N, d, Br = Bc
constexpr std::array<std::string_view, 3> kArithmetic{"fp64", "fp32", "fp16"};
constexpr std::array<std::string_view, 3> kOther{"FA1", "FA2", "FA3"}, kOtherIds{"fa1", "fa2", "fa3"};
std::string order_words(double value) { return value == 0 ? "first to last" : fmt::format("shuffle {:.0f}", value); }
constexpr Knob order_knob() {
  Knob knob = linear_knob("order", "Order of the tiles", 0, 20, 0, 1, "First to last, or one of twenty shuffles");
  knob.said = order_words;
  return knob;
}
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("arithmetic", "Arithmetic", kArithmetic, 2,
                "fp64: everything. fp32, fp16: inputs, S, P and O in memory, sums in fp32"),
    choice_knob("schedule", "Beside standard", kOther, 1, "The schedule that is compared", kOtherIds),
    order_knob(),
    linear_knob("seed", "Inputs, by seed", 1, 20, 4, 1, "Seed of Q, K and V"),
});

// O of one schedule, every step taken by the machine.
Matrix output_of(Method id, const Problem& problem, const Inputs& inputs) {
  constexpr int64_t kRoom = int64_t{1} << 40;
  static constexpr MachineSpec kRoomy{"",    "", kRoom, 0,
                                      false, 0,  1,     ""};  // whether tiles fit is another board's affair
  const Schedule& schedule = schedule_of(id);
  const Plan plan = make_plan(schedule, problem, VariantId::Paper);
  const Machine machine(schedule, plan, kRoomy, inputs);
  MachineState state = machine.start();
  for (const Step& step : steps_of(schedule, plan)) machine.apply(state, step);
  Matrix o(problem.n_q, problem.d);
  for (int64_t i = 0; i < plan.tiling.tr; ++i) {
    const Matrix& tile = *state.memory(Tensor::O)->get(i);
    std::ranges::copy(tile.values, o.row(i * problem.br));
  }
  return o;
}

// K and V with their tiles in another order: attention does not see it, sums do.
Inputs shuffled(const Inputs& inputs, int order) {
  std::array<int64_t, size_t(kRows / kTile)> tiles;
  std::iota(tiles.begin(), tiles.end(), 0);
  uint32_t state = uint32_t(order) * 2654435761u;
  for (size_t k = tiles.size() - 1; order > 0 && k > 0; --k) {
    state = state * 1664525u + 1013904223u;
    std::swap(tiles[k], tiles[(state >> 16) % (k + 1)]);
  }
  Inputs out = inputs;
  for (size_t k = 0; k < tiles.size(); ++k)
    for (int64_t r = 0; r < kTile; ++r) {
      std::copy_n(inputs.k.row(tiles[k] * kTile + r), kD, out.k.row(int64_t(k) * kTile + r));
      std::copy_n(inputs.v.row(tiles[k] * kTile + r), kD, out.v.row(int64_t(k) * kTile + r));
    }
  return out;
}

double widest(const Matrix& a, const Matrix& b) {
  double worst = 0;
  for (size_t e = 0; e < a.values.size(); ++e) worst = wider_gap(worst, a.values[e], b.values[e]);
  return worst;
}

struct Compared {
  Matrix standard, other;
  double gap = 0, standard_error = 0, other_error = 0, equal = 0;  // equal: share of elements, bit for bit
  int digits;                                                      // that tell every value of the arithmetic apart
};

Compared compare(const BoardState& board) {
  const auto knob = [&](std::string_view id) { return knob_value(kRoundingBoard, board, id); };
  const int arithmetic = int(knob("arithmetic"));
  constexpr std::array<Format, 3> kFormats{Format::Float64, Format::Float32, Format::Float16};
  Problem p;
  p.n_q = p.n_k = kRows, p.d = kD, p.br = p.bc = kTile;
  p.seed = uint64_t(knob("seed"));
  p.format = kFormats[size_t(arithmetic)];
  p.arithmetic = arithmetic == 0 ? Arithmetic::Exact : Arithmetic::Kernel;
  const Inputs inputs = generate_inputs(p);
  constexpr std::array<Method, 3> kIds{Method::Fa1, Method::Fa2, Method::Fa3};
  Compared out;
  out.standard = output_of(Method::Standard, p, inputs);
  out.other = output_of(kIds[size_t(knob("schedule"))], p, shuffled(inputs, int(knob("order"))));
  const Matrix expected = reference(p, inputs).o;
  out.gap = widest(out.standard, out.other);
  out.standard_error = widest(out.standard, expected);
  out.other_error = widest(out.other, expected);
  for (size_t e = 0; e < expected.values.size(); ++e)
    out.equal += std::bit_cast<uint64_t>(out.standard.values[e]) == std::bit_cast<uint64_t>(out.other.values[e]);
  out.equal /= double(expected.values.size());
  out.digits = std::array{17, 9, 5}[size_t(arithmetic)];
  return out;
}

struct Cell {
  int64_t row, col;
};
// The chosen element; before one is chosen, that of the largest difference.
Cell cell_of(const BoardState& state, const Compared& c) {
  size_t widest = 0;
  const auto gap = [&](size_t e) { return std::fabs(c.other.values[e] - c.standard.values[e]); };
  for (size_t e = 0; e < c.other.values.size(); ++e)
    if (gap(e) > gap(widest)) widest = e;
  Cell cell{int64_t(widest) / kD, int64_t(widest) % kD};
  if (const auto set = state.cells.find("cell"); set != state.cells.end()) {
    std::string_view text = set->second;
    cell.row = take_number<int64_t>(text).value_or(cell.row);
    if (!text.empty()) cell.col = number_or(text.substr(1), cell.col);
  }
  return {std::clamp<int64_t>(cell.row, 0, kRows - 1), std::clamp<int64_t>(cell.col, 0, kD - 1)};
}
void choose(BoardState& state, int64_t row, int64_t col) {
  state.cells["cell"] =
      fmt::format("{},{}", std::clamp<int64_t>(row, 0, kRows - 1), std::clamp<int64_t>(col, 0, kD - 1));
}

std::string_view other_name(const Exhibit& view) { return kOther[size_t(view.knob("schedule"))]; }

std::vector<Reading> readings_of(const Exhibit& view, const Compared& c) {
  const std::string how = fmt::format("the machine ran both, N = {}, d = {}, tiles of {}, {}", kRows, kD, kTile,
                                      kArithmetic[size_t(view.knob("arithmetic"))]);
  const auto quantity = [&](double value, std::string unit = {}) {
    return Quantity{value, std::move(unit), Origin::Computed, how};
  };
  return {
      {"gap", "Largest difference", quantity(c.gap)},
      {"equal", "Equal to the bit", quantity(c.equal)},
      {"standard_error", "Standard's error", quantity(c.standard_error)},
      {"other_error", fmt::format("{}'s error", other_name(view)), quantity(c.other_error)},
  };
}
std::vector<Reading> readings(const Exhibit& view) { return readings_of(view, compare(view.state)); }

std::string caption(const Exhibit& view) {
  if (view.covered("gap") || view.covered("equal")) return "Two schedules, one input: is O the same, bit for bit?";
  const Compared c = compare(view.state);
  if (c.gap == 0) return "Not one bit differs, this time.";
  return fmt::format("N = {}, d = {}. Equal up to rounding: {:.0f} % of O agree to the bit, the rest within {}.", kRows,
                     kD, 100 * c.equal, amount(c.gap, "", "number"));
}

// One matrix as a map of cells; values from -scale to scale. Differences are shown by their roots, so that small ones
// are seen, and so is all on a dark ground, up to the tensor's ink.
void layout_map(const BoardView& view, Rect rect, const Matrix& matrix, double scale, bool difference, Cell cell,
                std::string_view title) {
  const Style& st = view.style;
  view.text({rect.x - st.px(6), rect.y - st.px(28), rect.w + st.px(12), st.px(26)}, title, Face::SansBold, st.number(),
            difference ? Paint(Role::Text) : Tensor::O, Align::Center);
  const float w = rect.w / float(kD), h = rect.h / float(kRows);
  const Color none = fill_for(st.palette, Tensor::O, 0).fill;
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t c = 0; c < kD; ++c) {
      const float t = scale > 0 ? float(matrix.at(r, c) / scale) : 0, size = std::fabs(t);
      const float shown = difference || st.palette.theme == Theme::Dark ? std::sqrt(size) : size;
      const Color fill = difference ? diverging_fill(st.palette, std::copysign(shown, t)).fill
                                    : mix_oklab(none, st.palette.ink(Tensor::O), shown);
      view.box({rect.x + float(c) * w, rect.y + float(r) * h, w + 0.5f, h + 0.5f}, 0, fill);
    }
  view.box(rect.inset(-st.px(1)), 0, {}, Role::Border, st.px(1));
  view.box(
      {rect.x + float(cell.col) * w - st.px(3), rect.y + float(cell.row) * h - st.px(3), w + st.px(6), h + st.px(6)},
      st.px(2), {}, Role::Text, st.px(3));
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Compared c = compare(view.state);
  const std::vector<Reading> all = readings_of(view, c);
  const bool low = area.h < st.px(480), hidden = view.covered("gap") || view.covered("equal");

  const Cell cell = cell_of(view.state, c);
  Matrix difference(kRows, kD);
  double largest = 0;
  for (size_t e = 0; e < difference.values.size(); ++e) {
    difference.values[e] = c.other.values[e] - c.standard.values[e];
    largest = std::max(largest, std::fabs(c.standard.values[e]));
  }
  const float line = st.px(low ? 26 : 34), foot = 2 * line + st.px(low ? 10 : 24), title = st.px(30);
  const float map_h = area.h - foot - title, gap = st.px(low ? 24 : 40);
  const float numbers_w = std::max(area.w * 0.26f, st.px(210));
  const float map_w = std::min((area.w - numbers_w - 3 * gap) / 3, map_h);
  const auto map = [&](int k) {
    return Rect{area.x + st.px(6) + float(k) * (map_w + gap), area.y + title, map_w, map_h};
  };
  layout_map(view, map(0), c.standard, largest, false, cell, "O, standard");
  layout_map(view, map(1), c.other, largest, false, cell, fmt::format("O, {}", other_name(view)));
  if (hidden) {
    plate(view, map(2));
  } else {
    layout_map(view, map(2), difference, c.gap, true, cell, "difference");
  }
  for (int k = 0; k < (hidden ? 2 : 3); ++k)
    view.region(map(k), fmt::format("board:map/{}", k), "Choose an element (arrow keys)", true);

  const float x = map(2).right() + gap, each = std::min((area.h - foot) / 4, st.px(120));
  const std::array<std::string_view, 4> formats{"number", "percent", "number", "number"};
  for (size_t k = 0; k < all.size(); ++k)
    big_number(view, {x, area.y + each * float(k), area.right() - x, std::min(each, st.px(84))}, all[k], formats[k],
               st.px(low ? 24 : 30));

  // One element, digit for digit.
  const auto digits = [&](double value) { return fmt::format("{: #.{}g}", value, c.digits); };
  const std::array<std::pair<std::string, std::string>, 2> lines{
      {{fmt::format("standard  O[{}, {}]", cell.row + 1, cell.col + 1), digits(c.standard.at(cell.row, cell.col))},
       {fmt::format("{}  O[{}, {}]", other_name(view), cell.row + 1, cell.col + 1),
        digits(c.other.at(cell.row, cell.col))}}};
  const float y = area.bottom() - 2 * line, name_w = st.px(200);
  for (size_t k = 0; k < lines.size(); ++k) {
    const Rect row{area.x, y + float(k) * line, area.w, line};
    view.text({row.x, row.y, name_w, row.h}, lines[k].first, Face::Sans, st.body(), Role::TextSecondary);
    if (hidden)
      plate(view, {row.x + name_w, row.y + st.px(2), st.px(160), row.h - st.px(4)});
    else
      view.text({row.x + name_w, row.y, row.w - name_w, row.h}, lines[k].second, Face::MonoBold, st.heading(),
                Role::Text);
  }
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  if (id.starts_with("board:map/"))
    choose(state, int64_t(std::floor(at.y * float(kRows))), int64_t(std::floor(at.x * float(kD))));
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  const Cell cell = cell_of(state, compare(state));
  if (id.starts_with("board:map/")) choose(state, cell.row - up, cell.col + right);
  return {};
}

}  // namespace

static_assert(kRows == 32 && kD == 16 && kTile == 4);  // as the board's premises say
const Board kRoundingBoard{.id = "rounding",
                           .title = "Equal up to rounding",
                           .knobs = kKnobs,
                           .layout = layout,
                           .caption = caption,
                           .readings = readings,
                           .act = act,
                           .nudge = nudge,
                           .fixed = "one head · N 32 · d 16 · tiles 4 × 4 · no mask"};

}  // namespace tilewalk
