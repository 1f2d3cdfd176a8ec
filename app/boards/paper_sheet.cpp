#include "app/boards/paper_sheet.h"

#include "core/attention/inputs.h"
#include "core/attention/presets.h"
#include "core/io/number.h"
#include "core/io/typeset.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tilewalk {
namespace {

constexpr int64_t kTile = 2;

std::string sign_of(double value) { return value < 0 ? fmt::format("({})", paper_number(value)) : paper_number(value); }

// Half a unit of the third digit.
double allowance(double value) {
  return value == 0 ? 5e-4 : 0.505 * std::pow(10, std::floor(std::log10(std::fabs(value))) - 2);
}

std::optional<double> number_in(std::string_view typed) {
  std::string text;
  for (size_t k = 0; k < typed.size(); ++k) {
    if (typed.substr(k).starts_with("−")) {
      text += '-';
      k += std::string_view("−").size() - 1;
    } else if (typed[k] != ' ') {
      text += typed[k] == ',' ? '.' : typed[k];
    }
  }
  const auto value = number_of<double>(std::string_view(text).substr(text.starts_with('+')));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Whether a tile after the first holds a larger score than all before it.
bool max_rises(const std::vector<double>& scores) {
  const auto second = scores.begin() + kTile;
  return std::max_element(scores.begin(), scores.end()) >= second;
}

}  // namespace

std::string paper_number(double value) {
  return value == std::nearbyint(value) ? fixed_words(value, 0) : general_words(value, 4);
}

PaperSheet make_sheet(uint64_t seed, int tiles, bool backward) {
  PaperSheet sheet;
  if (seed == 0) {
    const Preset& micro = *preset_named("micro");
    const Inputs inputs = inputs_of(micro);
    for (int64_t k = 0; k < inputs.k.rows; ++k)
      sheet.scores.push_back(
          std::inner_product(inputs.q.row(0), inputs.q.row(0) + inputs.q.cols, inputs.k.row(k), 0.0));
    sheet.values = inputs.v;
  } else {
    Problem p;
    p.n_q = 1;
    p.n_k = tiles * kTile;
    p.d = 2;
    p.distribution = Distribution::SmallIntegers;
    // A sheet on which no later tile raises the max has no alpha to compute: other numbers take its place.
    constexpr uint64_t kSheets = 100;
    for (p.seed = seed; sheet.scores.empty() || !max_rises(sheet.scores); p.seed += kSheets) {
      const Inputs inputs = generate_inputs(p);
      sheet.scores.clear();
      for (int64_t k = 0; k < p.n_k; ++k) sheet.scores.push_back(inputs.k.at(k, 0) + 2);
      sheet.values = inputs.v;
    }
  }
  sheet.order.resize(sheet.scores.size());
  std::iota(sheet.order.begin(), sheet.order.end(), 0);
  // Tiles in reverse, keys within a tile as they are.
  if (backward)
    for (size_t k = 0; k < sheet.order.size(); ++k)
      sheet.order[k] = int(sheet.scores.size() - size_t(kTile) * (k / size_t(kTile) + 1) + k % size_t(kTile));
  sheet.stream = stream_row(sheet.scores, sheet.values, sheet.order, kTile);
  return sheet;
}

std::vector<PaperCell> cells_of(const PaperSheet& sheet, const KnowsCell& knows) {
  std::vector<PaperCell> cells;
  const auto told = [&](const std::string& id, double value, const char* otherwise) {
    return !knows || knows(id) ? paper_number(value) : std::string(otherwise);
  };
  const auto factor = [&](const std::string& id, double value, const char* otherwise) {
    return !knows || knows(id) ? sign_of(value) : std::string(otherwise);
  };
  double l_old = 0;
  std::vector<double> o_old(2, 0.0);
  for (int t = 0; t < sheet.tiles(); ++t) {
    const RowStream::Visit& v = sheet.stream.visits[size_t(t)];
    const std::string n = std::to_string(t + 1), before = std::to_string(t);
    const std::string m_old = told("m" + before, v.m_before, "old m"), m_new = told("m" + n, v.m, "m"),
                      alpha = told("alpha" + n, v.alpha, "α"), l_before = told("l" + before, l_old, "old l");
    const std::array<std::string, 2> p{told("p" + n + "a", v.weights[0], "P of the first key"),
                                       told("p" + n + "b", v.weights.back(), "P of the second key")};
    std::vector<double> s;
    for (int key : v.keys) s.push_back(sheet.scores[size_t(key)]);
    const double tile_max = *std::ranges::max_element(s), tile_min = *std::ranges::min_element(s);
    PaperCell m{"m" + n, "m of tile " + n, v.m, "", {}};
    m.formula = t == 0 ? fmt::format("max of {} and {}", paper_number(s[0]), paper_number(s[1]))
                       : fmt::format("max of the old m{}{}, {} and {}", m_old == "old m" ? "" : " ",
                                     m_old == "old m" ? "" : m_old, paper_number(s[0]), paper_number(s[1]));
    m.slips = {{tile_max, "That is the max of this tile alone; m never falls."},
               {tile_min, "That is the tile's smallest score."}};
    cells.push_back(std::move(m));
    if (t > 0)
      cells.push_back({"alpha" + n,
                       "α of tile " + n,
                       v.alpha,
                       fmt::format("e^({} − {})", m_old, m_new),
                       {{1 / v.alpha, "That is the inverse: what is old must shrink, so α is at most 1."},
                        {0, "α is 0 only at the first tile, where there is nothing to rescale."},
                        {1, "α is 1 only where the max did not rise."},
                        {v.m_before - v.m, "That is the exponent; α is e to its power."}}});
    double sum = 0;
    for (size_t c = 0; c < s.size(); ++c) {
      const double p = v.weights[c];
      sum += p;
      PaperCell cell{fmt::format("p{}{}", n, c == 0 ? "a" : "b"),
                     fmt::format("key {}'s weight", v.keys[c] + 1),
                     p,
                     fmt::format("e^({} − {})", paper_number(s[c]), m_new),
                     {{std::exp(s[c]), "That is e^s, without the max taken off."},
                      {std::exp(s[c] - v.m_before), "That is relative to the old max."},
                      {std::exp(s[c] - tile_max), "That is relative to the max of this tile alone."},
                      {s[c] - v.m, "That is the exponent; the weight is e to its power."}}};
      cells.push_back(std::move(cell));
    }
    cells.push_back(
        {"l" + n,
         "l of tile " + n,
         v.l,
         t == 0 ? fmt::format("{} + {}", p[0], p[1]) : fmt::format("{} × {} + {} + {}", alpha, l_before, p[0], p[1]),
         {{l_old + sum, "That is l without α: the old sum is still on the old scale."},
          {v.alpha * (l_old + sum), "α belongs to the old sum alone."},
          {sum, "That is this tile's sum alone; the old one is missing."},
          {v.alpha * l_old, "That is what α leaves of the old sum; the new weights are missing."}}});
    for (size_t c = 0; c < 2; ++c) {
      double product = 0;
      std::string terms;
      for (size_t k = 0; k < s.size(); ++k) {
        const double value = sheet.values.at(v.keys[k], int64_t(c));
        product += v.weights[k] * value;
        terms += fmt::format("{}{} × {}", k ? " + " : "", p[k], sign_of(value));
      }
      const std::string o = c == 0 ? "ox" : "oy";
      cells.push_back(
          {o + n,
           fmt::format("{} number of o, tile {}", c == 0 ? "first" : "second", n),
           v.o[c],
           t == 0 ? terms : fmt::format("{} × {} + {}", alpha, factor(o + before, o_old[c], "old o"), terms),
           {{o_old[c] + product, "That is o without α."},
            {product, "That is this tile's P V alone; the old o is missing."},
            {v.o[c] / v.l, "That is divided by l already; o stays unnormalised until the end."},
            {v.o[1 - c], "That is the other number of o."}}});
    }
    l_old = v.l;
    o_old = v.o;
  }
  const RowStream::Visit& last = sheet.stream.visits.back();
  const std::string end = std::to_string(sheet.tiles()), l_last = told("l" + end, last.l, "l");
  for (size_t c = 0; c < 2; ++c)
    cells.push_back({c == 0 ? "out_x" : "out_y",
                     c == 0 ? "first number of O" : "second number of O",
                     sheet.stream.o[c],
                     fmt::format("{} / {}", factor((c == 0 ? "ox" : "oy") + end, last.o[c], "o"), l_last),
                     {{last.o[c], "That is o; it must still be divided by l."},
                      {last.o[c] * last.l, "Divide by l, do not multiply."},
                      {sheet.stream.o[1 - c], "That is the other number of O."}}});
  cells.push_back({"L",
                   "L",
                   sheet.stream.lse,
                   fmt::format("{} + log {}", told("m" + end, last.m, "m"), l_last),
                   {{std::log(last.l), "That is log l; m is missing."},
                    {last.m + last.l, "That is m + l; the logarithm is missing."},
                    {last.m + std::log10(last.l), "That is the logarithm to base 10; L takes the natural one."},
                    {last.m + std::log2(last.l), "That is the logarithm to base 2; L takes the natural one."}}});
  // Right, but in another cell.
  for (PaperCell& cell : cells)
    for (const PaperCell& other : cells)
      if (other.id != cell.id) cell.slips.emplace_back(other.value, fmt::format("That is right for {}.", other.name));
  return cells;
}

std::string_view rule_of(const PaperCell& cell) {
  const bool first = cell.id.ends_with("1");
  if (cell.id.starts_with("m")) return first ? "the larger of both scores" : "the larger of the old m and both scores";
  if (cell.id.starts_with("alpha")) return "e to the power of old m − new m";
  if (cell.id.starts_with("p")) return "e to the power of its score − m";
  if (cell.id.starts_with("l")) return first ? "both weights added up" : "α × the old l, and both weights";
  if (cell.id.starts_with("out")) return "o divided by l";
  if (cell.id.starts_with("o")) return first ? "each weight × its value" : "α × the old o, and each weight × its value";
  return "m plus the natural logarithm of l";
}

std::string sentence_name(const PaperCell& cell) {
  std::string name = cell.name;
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (lower(name[0]) && lower(name[1])) name[0] = char(name[0] - 'a' + 'A');
  return name;
}

JudgedCell judge(const PaperCell& cell, std::string_view typed) {
  if (typed.find_first_not_of(' ') == std::string_view::npos) return {};
  const std::optional<double> number = number_in(typed);
  const std::string right = fmt::format("{:.6f}", cell.value);
  std::string plain(typed);
  if (plain.starts_with("−")) plain = "-" + plain.substr(std::string_view("−").size());
  if (number && std::fabs(*number - cell.value) <= allowance(cell.value)) return {CellVerdict::Right, {}};
  if (right.starts_with(plain) || plain == "-" || plain == ".") return {CellVerdict::Unfinished, {}};
  if (!number) return {CellVerdict::Wrong, fmt::format("“{}” is no number.", std::string(typed))};
  for (const auto& [value, words] : cell.slips)
    if (std::isfinite(value) && std::fabs(*number - value) <= allowance(value)) return {CellVerdict::Wrong, words};
  if (std::fabs(*number - cell.value) <= 0.02 * std::fabs(cell.value))
    return {CellVerdict::Close, "Close (≈): give three digits."};
  return {CellVerdict::Wrong, "Not yet. Take the hint if you like."};
}

}  // namespace tilewalk
