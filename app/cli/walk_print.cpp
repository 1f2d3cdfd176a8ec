#include "app/cli/walk_print.h"

#include "core/machine/words.h"
#include "core/playback/narrate.h"
#include "core/playback/row_view.h"
#include "core/walk/program.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr int kMargin = 4;                           // before the lines of a unit
constexpr int64_t kMostReferenceWork = 300'000'000;  // N_q * N_k * d that is checked against the reference

bool has(std::span<const Step> steps, std::initializer_list<StepKind> kinds) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& s) { return std::find(kinds.begin(), kinds.end(), s.kind) != kinds.end(); });
}

std::string kinds_words(std::span<const Step> steps) {
  std::vector<std::string_view> names;
  for (const Step& step : steps)
    if (names.empty() || names.back() != info_of(step.kind).name) names.push_back(info_of(step.kind).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string outer_words(const Schedule& schedule, const Variant& variant, const Step& step, const Tiling& t) {
  const WalkProgram& program = *schedule.forms[variant.form].program;
  return program.keys_outside(step.pass)
             ? fmt::format("{}: K/V tile {} of {}", schedule.passes[step.pass], step.j + 1, t.tc)
             : fmt::format("{}: Q tile {} of {}", schedule.passes[step.pass], step.i + 1, t.tr);
}

void print_head(const AskedWalk& walk, Console& console) {
  const Problem& p = walk.asked.problem;
  const std::string n = p.n_q == p.n_k ? fmt::format("N {}", p.n_q) : queries_and_keys(p);
  const auto line = [&](const std::string& text) {
    fmt::print(console.out, "{}\n", wrapped(text, console.columns, 2));
  };
  line(inked(console, Ink::Bold, fmt::format("{}: {}", walk.asked.schedule().name, walk.asked.schedule().title)));
  line(fmt::format("{}, d {}, Br {}, Bc {} · {} mask · {} · {} arithmetic · {} variant", n, p.d, p.br, p.bc,
                   name_of(p.mask), name_of(p.format), name_of(p.arithmetic), name_of(walk.asked.variant)));
  line(fmt::format("Inputs: {} ({:016x}) · {} · following row {}", words_of_inputs(walk.asked, walk.inputs),
                   hash_of(walk.inputs), walk.asked.machine->title, walk.row + 1));
  if (walk.asked.choices > 1)
    line(fmt::format("The file offers {} groups of Q, K and V; --layer chooses another.", walk.asked.choices));
}

// "15-16  tile 2 of 2, part 4 of 7  Exponentiate, RowSum"
void print_unit_head(std::span<const Step> steps, int64_t from, int64_t to, Unit unit, int number_width,
                     Console& console) {
  std::string line = to - from == 1 ? fmt::format("{}", to) : fmt::format("{}-{}", from + 1, to);
  fmt::print(console.out, "\n{}", unit == Unit::Row ? line : padded(line, number_width));
  if (unit != Unit::Row) {
    const Place place = place_of(steps, to);
    const std::string part = unit == Unit::Tile ? "" : fmt::format(", part {} of {}", place.part, place.parts);
    const std::string where = fmt::format("tile {} of {}{}", place.tile, place.tiles, part);
    fmt::print(console.out, "  {}", inked(console, Ink::Dim, where));
    if (unit != Unit::Tile) {
      const std::string names = kinds_words(steps.subspan(size_t(from), size_t(to - from)));
      const bool fits = number_width + 4 + width_of(where) + width_of(names) <= console.columns;
      fmt::print(console.out, "{}{}", fits ? "  " : "\n" + std::string(kMargin, ' '), inked(console, Ink::Bold, names));
    }
  }
  fmt::print(console.out, "\n");
}

// A name and the row's numbers, in columns; what is over is counted.
void print_numbers(std::string_view name, const std::vector<double>& values, Console& console) {
  if (values.empty()) return;
  std::vector<std::string> cells;
  int width = 9;
  for (double v : values) cells.push_back(precise(v)), width = std::max(width, width_of(cells.back()));
  const size_t a_line = size_t(std::max(1, (console.columns - kMargin - 2) / (width + 1)));
  const size_t shown = std::min(cells.size(), 3 * a_line);
  for (size_t c = 0; c < shown; ++c) {
    if (c % a_line == 0) fmt::print(console.out, "{}{}", std::string(kMargin, ' '), padded(c ? "" : name, 2));
    fmt::print(console.out, " {}", right_aligned(cells[c], width));
    if (c % a_line == a_line - 1 || c + 1 == shown) fmt::print(console.out, "\n");
  }
  if (shown < cells.size())
    fmt::print(console.out, "{}   and {} more\n", std::string(kMargin, ' '), cells.size() - shown);
}

// The numbers of the followed row that these steps are about.
void print_row(std::span<const Step> steps, const MachineState& state, int64_t row, Console& console) {
  using enum StepKind;
  const RowView v = view_row(state, steps.back().i, steps.back().j, row);
  if (has(steps, {Score, Mask, LoadS})) print_numbers("S", v.s, console);
  if (has(steps, {Exponentiate, NormalizeP, LoadP, Recompute})) print_numbers("P", v.p, console);
  if (has(steps, {GradientP, LoadDP})) print_numbers("dP", v.dp, console);
  if (has(steps, {GradientS, LoadDS})) print_numbers("dS", v.ds, console);
  if (has(steps, {AccumulateDQ, LoadDQ})) print_numbers("dQ", v.dq, console);
  std::vector<std::string> scalars;
  const auto scalar = [&](std::string_view name, const std::optional<double>& value, bool told) {
    if (told && value) scalars.push_back(fmt::format("{}  {}", name, right_aligned(precise(*value), 9)));
  };
  scalar("m", v.m, has(steps, {RowMax, InitStats, LoadStats}));
  scalar("α", v.alpha, has(steps, {RowMax, Rescale}));
  scalar("l", v.l, has(steps, {RowSum, InitStats, LoadStats, Normalize}));
  scalar("L", v.lse, has(steps, {LogSumExp, LoadLse}));
  scalar("D", v.d, has(steps, {DotO, DotP, LoadD}));
  if (!scalars.empty()) fmt::print(console.out, "{}{}\n", std::string(kMargin, ' '), fmt::join(scalars, "     "));
  if (has(steps, {LoadO, InitO, Denormalize, Rescale, Accumulate, Normalize, Convert}))
    print_numbers("O", v.o, console);
}

void print_totals(const Meters& m, bool whole, Console& console) {
  const auto tensors = [](const std::array<int64_t, kTensorCount>& bytes) {
    std::vector<std::string> parts;
    for (size_t t = 0; t < size_t(kTensorCount); ++t)
      if (bytes[t]) parts.push_back(fmt::format("{} {}", symbol_of(Tensor(t)), with_commas(bytes[t])));
    return fmt::format("{}", fmt::join(parts, ", "));
  };
  const auto line = [&](std::string_view name, int64_t value, const std::string& rest) {
    const std::string figure = padded(name, 26) + right_aligned(with_commas(value), 14);
    fmt::print(console.out, "  {}\n", wrapped(rest.empty() ? figure : figure + "  " + rest, console.columns - 2, 44));
  };
  fmt::print(console.out, "\n{}\n", inked(console, Ink::Bold, whole ? "In all, computed" : "Up to here, computed"));
  line("L2 → SM, bytes", m.fill_bytes(), tensors(m.loaded));
  line("SM → L2, bytes", m.drain_bytes(), tensors(m.stored));
  if (m.paper_bytes() != m.fill_bytes() + m.drain_bytes())
    line("papers' count, bytes", m.paper_bytes(), "without the re-reads it leaves out");
  line("matrix products, FLOP", m.matrix_flop, "");
  line("everything else, FLOP", m.vector_flop, "");
  line("exponentials", m.exponentials, "");
}

// What is left of rounding differs from one processor to the next, so it gets no digits.
std::string gap_words(double gap) { return gap < 1e-12 ? "less than 1e-12" : number_words(gap, 2); }

// "O differs from attention in float64 by 0.00023 and L by less than 1e-12."
std::string deviation_words(const Deviation& d, bool backward) {
  const bool nan = std::ranges::any_of(d.tensors, [](const Deviation::Of& of) { return std::isnan(of.largest); });
  if (nan)
    return fmt::format("{} is NaN somewhere: scores ran past the largest number there is. Scale the inputs down.",
                       backward ? "dQ, dK or dV" : "O or L");
  if (backward) {
    const bool tiny = d.of_results() < 1e-12;
    std::string gaps = tiny ? gap_words(0) : "";
    for (const Deviation::Of& of : d.tensors)
      if (!tiny) gaps += (gaps.empty() ? "" : of.tensor == Tensor::DV ? " and " : ", ") + gap_words(of.largest);
    return fmt::format("dQ, dK and dV differ from attention in float64 by {}.", gaps);
  }
  std::string words;
  for (const Deviation::Of& of : d.tensors)
    words += of.tensor == Tensor::O ? fmt::format("O differs from attention in float64 by {}", gap_words(of.largest))
                                    : fmt::format(" and {} by {}", symbol_of(of.tensor), gap_words(of.largest));
  return words + ".";
}

}  // namespace

std::string precise(double value) {
  if (!std::isfinite(value)) return number_words(value);
  const double size = std::fabs(value);
  std::string out = size < 1e6 && value == std::nearbyint(value) ? fmt::format("{:.0f}", size)
                    : size >= 1e-4 && size < 1e6                 ? fmt::format("{:.6f}", size)
                                                                 : fmt::format("{:.6e}", size);
  return (value < 0 ? "−" : "") + out;
}

std::optional<Deviation> deviation(AskedWalk& walk) {
  const Problem& p = walk.asked.problem;
  if (p.n_q * p.n_k > kMostReferenceWork / p.d) return std::nullopt;
  return deviation(*walk.replay, walk.inputs);
}

void print_walk(AskedWalk& walk, Portion portion, Unit unit, Console& console) {
  Replay& replay = *walk.replay;
  const std::span<const Step> steps = replay.steps();
  const Tiling& tiling = replay.plan().tiling;
  print_head(walk, console);
  const int digits = width_of(std::to_string(portion.to)), number_width = unit == Unit::Step ? digits : 2 * digits + 1;

  for (int64_t from = portion.from; from < portion.to;) {
    const int64_t to = std::min(unit_forward(steps, from, unit), portion.to);
    const std::span<const Step> taken = steps.subspan(size_t(from), size_t(to - from));
    const Step& last = taken.back();
    if (from == portion.from || steps[size_t(from - 1)].section != last.section)
      fmt::print(console.out, "\n{}\n",
                 inked(console, Ink::Bold, outer_words(replay.schedule(), replay.plan().variant, last, tiling)));

    const Narration words = narrate(replay, from, to, walk.row);
    const std::string margin(kMargin, ' ');
    print_unit_head(steps, from, to, unit, number_width, console);
    fmt::print(console.out, "{}{}\n", margin, wrapped(words.caption, console.columns - kMargin, kMargin));
    if (!words.formula.empty())
      fmt::print(console.out, "{}{}\n", margin,
                 inked(console, Ink::Accent, wrapped(words.formula, console.columns - kMargin, kMargin)));
    const int64_t row = std::min(walk.row % tiling.br, tiling.rows(last.i) - 1);
    print_row(taken, replay.at(to), row, console);
    from = to;
  }

  const bool whole = portion.to == replay.length();
  print_totals(replay.at(portion.to).meters, whole, console);
  const std::optional<Deviation> d = whole ? deviation(walk) : std::nullopt;
  if (!d) return;
  const std::string verdict = deviation_words(*d, replay.schedule().backward());
  fmt::print(console.out, "  {}\n", wrapped(verdict, console.columns - 2, 2));
}

}  // namespace tilewalk
