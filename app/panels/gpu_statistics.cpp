// The kernel's numbers over the simulator's: m and l of the followed row after every K/V tile, and O less O as a
// picture with zero marked.
#include "app/panels/gpu_parts.h"
#include "app/session/commands.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// The K/V tiles in the order in which the kernel visits them.
std::vector<int64_t> visits_of(Method kernel, const Problem& problem, int64_t tiles) {
  const Schedule& schedule = schedule_of(kernel);
  const bool backwards = schedule.variant(VariantId::Kernel, kernel_problem(problem, kernel)).last_to_first;
  std::vector<int64_t> order;
  for (int64_t k = 0; k < tiles; ++k) order.push_back(backwards ? tiles - 1 - k : k);
  return order;
}

struct Series {
  std::string_view name, meaning;
  const std::vector<float>*kernel, *simulated;
};

// One statistic over the tiles: the simulator as a wide outline, the kernel as a solid dot in it.
void layout_series(const Column& c, Rect area, const Series& series, const std::vector<int64_t>& order, int64_t rows,
                   int64_t row, bool axis) {
  const Style& s = c.style;
  const auto at = [&](const std::vector<float>& values, int64_t j) { return double(values[size_t(j * rows + row)]); };
  double low = INFINITY, high = -INFINITY;
  for (int64_t j : order)
    for (double value : {at(*series.kernel, j), at(*series.simulated, j)})
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  const float head = s.px(28), foot = axis ? s.px(26) : s.px(4), text = s.px(64);
  fitted_label(c.scene, s, {area.x, area.y, area.w, head},
               fmt::format("{} of row {}: {}", series.name, row + 1, series.meaning), Face::SansBold, s.body(),
               c.color(Role::Text));
  const Rect plot{area.x + text, area.y + head, area.w - text, area.h - head - foot};
  c.scene.box(plot, s.r_small(), c.color(Role::Surface));
  if (!(low <= high))
    return layout_nothing(c, plot, "The mask hides every key from this row", "Follow another row with the arrow keys.");
  // A last bit must not fill the chart: a twentieth of the value is the least that it spans.
  const double pad = std::max({(high - low) * 0.12, std::max(std::fabs(low), std::fabs(high)) * 0.025, 1e-6});
  low -= pad, high += pad;
  const bool differences = plot.w / float(order.size()) >= s.px(64) && plot.h >= s.px(90);
  const Rect inner{plot.x, plot.y + s.px(8), plot.w, plot.h - s.px(16) - (differences ? s.px(24) : 0)};
  const auto y_of = [&](double value) { return inner.bottom() - float((value - low) / (high - low)) * inner.h; };
  const float lowest = y_of(low + pad);
  for (const auto& [value, first] : {std::pair(low + pad, true), {high - pad, false}})
    if (first || lowest - y_of(value) > s.px(20))
      fitted_label(c.scene, s, {area.x, y_of(value) - s.px(11), text - s.px(8), s.px(22)}, number_words(value),
                   Face::Mono, s.small(), c.color(Role::TextSecondary), Align::Right);
  const float pitch = plot.w / float(order.size());
  const float mark = std::clamp(pitch * 0.6f, s.px(3), s.px(46)), dot = std::clamp(pitch * 0.3f, s.px(3), s.px(12));
  const int64_t label_every = std::max<int64_t>(1, int64_t(std::ceil(s.px(40) / pitch)));
  for (size_t k = 0; k < order.size(); ++k) {
    const int64_t j = order[k];
    const float x = plot.x + (float(k) + 0.5f) * pitch;
    const double kernel = at(*series.kernel, j), simulated = at(*series.simulated, j);
    if (std::isfinite(simulated)) {
      const float y = y_of(simulated), h = s.px(18);
      c.scene.box({x - mark / 2, y - h / 2, mark, h}, s.px(3), {}, c.color(Role::Text), s.px(2));
    }
    if (std::isfinite(kernel))
      c.scene.box({x - dot / 2, y_of(kernel) - dot / 2, dot, dot}, dot / 2, c.color(Role::Accent));
    if (differences && std::isfinite(kernel) && std::isfinite(simulated))
      fitted_label(c.scene, s, {x - pitch / 2 + s.px(2), plot.bottom() - s.px(26), pitch - s.px(4), s.px(22)},
                   "Δ " + error_words(kernel - simulated), Face::Mono, s.small(), c.color(Role::Text), Align::Center);
    if (axis && int64_t(k) % label_every == 0)
      c.scene.label({x - s.px(20), plot.bottom() + s.px(3), s.px(40), s.px(22)}, fmt::format("K{}", subscript(j + 1)),
                    Face::SansBold, s.small(), c.style.palette.ink(Tensor::K), Align::Center);
  }
}

// A recording may be of chosen rows; the others are NaN in every tile, those too that the simulator visits.
bool traced(const RowStatistics& kernel, const RowStatistics& simulated, int64_t row) {
  bool visited = false;
  for (int64_t j = 0; j < kernel.tiles; ++j) {
    const size_t at = size_t(j * kernel.rows + row);
    if (!std::isnan(kernel.m[at])) return true;
    visited |= !std::isnan(simulated.m[at]);
  }
  return !visited;
}

void layout_other_inputs(const Column& c, Rect area, std::string_view what) {
  layout_nothing(c, area, fmt::format("{} can only be compared on the same inputs", what),
                 fmt::format("Other numbers of this shape were recorded. The real head ({}) and the presets have "
                             "recordings of their own.",
                             key_of("real-head")));
}

// L less the simulator's, row by row beside the picture of O, each shade of its own largest difference.
void layout_l_strip(const Column& c, Rect area, Rect picture, int64_t by_row, const std::vector<float>& kernel,
                    const std::vector<float>& simulated) {
  const Style& s = c.style;
  const int64_t n = int64_t(kernel.size()), rows = (n + by_row - 1) / by_row;
  std::vector<double> cells(size_t(rows), 0.0);
  double most = 0;
  int64_t broken = 0;
  for (int64_t r = 0; r < n; ++r) {
    const float a = kernel[size_t(r)], b = simulated[size_t(r)];
    const double by = a == b ? 0 : double(a) - double(b);  // both -inf where the mask hides every key
    double& cell = cells[size_t(r / by_row)];
    if (!std::isfinite(by)) ++broken, cell = by;
    if (std::isfinite(cell) && std::fabs(by) > std::fabs(cell)) cell = by;
    if (std::isfinite(by)) most = std::max(most, std::fabs(by));
  }
  const float h = picture.h / float(rows);
  const Rect strip{area.x, picture.y, s.px(40), picture.h};
  for (int64_t r = 0; r < rows; ++r) {
    const double value = cells[size_t(r)];
    const float t = most > 0 && std::isfinite(value) ? float(value / most) : 0;
    c.scene.box({strip.x, strip.y + float(r) * h, strip.w, h}, 0,
                std::isfinite(value) ? diverging_fill(s.palette, t).fill : c.color(Role::Wrong));
  }
  c.scene.box(strip.inset(-s.px(2)), s.px(2), {}, s.palette.fill(Tensor::Lse), s.px(2));
  fitted_label(
      c.scene, s, {area.x, area.y, area.w, s.px(28)},
      broken ? fmt::format("✕ {} of L no numbers", with_commas(broken)) : std::string("L less the simulator’s"),
      Face::SansBold, s.body(), broken ? c.color(Role::WrongText) : c.color(Role::Text));
  const float x = strip.right() + s.px(12);
  const auto tick = [&](float y, const std::string& words) {
    fitted_label(c.scene, s, {x, y - s.px(12), area.right() - x, s.px(24)}, words, Face::Mono, s.number(),
                 c.color(Role::Text));
  };
  if (most == 0) return tick(strip.center().y, broken == 0 ? "all the same" : broken < n ? "rest the same" : "–");
  tick(strip.center().y - s.px(13), "off by at most");
  tick(strip.center().y + s.px(13), error_words(most));
}

}  // namespace

void layout_gpu_statistics(const Column& c, Rect area, const GpuRow& row, const GpuBoard& board) {
  if (row.kernel == Method::Standard)
    return layout_nothing(c, area, "Standard attention keeps no running m and l", "Choose FA1, FA2 or FA3.");
  if (!row.result || !row.result->trace || row.result->trace->statistics.m.empty())
    return layout_nothing(c, area, fmt::format("No trace of {} at this shape", row.name),
                          by_a_run(c, "they are small enough to be traced"));
  if (!row.comparable) return layout_other_inputs(c, area, "m and l");
  if (!row.simulator || row.simulator->simulated->statistics.m.empty())
    return layout_nothing(c, area, "The simulator is still at it", "Its m and l come in a moment.");
  const RowStatistics &kernel = row.result->trace->statistics, &simulated = row.simulator->simulated->statistics;
  if (kernel.rows != simulated.rows || kernel.tiles != simulated.tiles)
    return layout_nothing(c, area, "The trace was made with other tiles", "Run the kernel again (R).");
  const Style& s = c.style;
  const int64_t followed = std::clamp<int64_t>(c.view.row, 0, kernel.rows - 1);
  if (!traced(kernel, simulated, followed))
    return layout_nothing(c, area, fmt::format("Row {} was not traced in this recording", followed + 1),
                          "↑ and ↓ follow another row.");
  const std::vector<int64_t> order = visits_of(row.kernel, board.spec.problem, kernel.tiles);
  const float legend = s.px(26), half = (area.h - legend) / 2;
  layout_series(c, {area.x, area.y, area.w, half - s.px(8)}, {"m", "the largest score so far", &kernel.m, &simulated.m},
                order, kernel.rows, followed, false);
  layout_series(c, {area.x, area.y + half, area.w, half},
                {"l", "the sum of exponentials so far", &kernel.l, &simulated.l}, order, kernel.rows, followed, true);
  // What the marks are.
  const Rect line{area.x, area.bottom() - legend, area.w, legend};
  const float y = line.center().y;
  c.scene.box({line.x, y - s.px(8), s.px(26), s.px(16)}, s.px(3), {}, c.color(Role::Text), s.px(2));
  const float x = line.x + s.px(34), w = text_width("simulator", Face::Sans, s.number());
  c.scene.label({x, line.y, w, line.h}, "simulator", Face::Sans, s.number(), c.color(Role::Text));
  c.scene.box({x + w + s.px(24), y - s.px(6), s.px(12), s.px(12)}, s.px(6), c.color(Role::Accent));
  const float rest = x + w + s.px(44);
  fitted_label(c.scene, s, {rest, line.y, line.right() - rest, line.h},
               fmt::format("{}kernel, traced. Tiles in the order it visits them{}", row.recorded ? "◆ recorded " : "",
                           c.view.present.on ? "." : "; ↑ and ↓ follow another row."),
               Face::Sans, s.number(), c.color(Role::Text));
}

void layout_gpu_difference(const Column& c, Rect area, const GpuRow& row, const GpuBoard& board) {
  if (!row.result || row.result->o.empty())
    return layout_nothing(c, area, fmt::format("No O of {} at this shape", row.name),
                          by_a_run(c, "their O is small enough to be sent"));
  if (!row.comparable) return layout_other_inputs(c, area, "O");
  if (!row.simulator) return layout_nothing(c, area, "The simulator is still at it", "Its O comes in a moment.");
  const Style& s = c.style;
  const Problem& p = board.spec.problem;
  const std::vector<float>&kernel = row.result->o, &simulated = row.simulator->simulated->o;
  if (kernel.size() != simulated.size()) return;
  const std::vector<float>&kernel_l = row.result->lse, &simulated_l = row.simulator->simulated->lse;
  const bool with_l = !kernel_l.empty() && kernel_l.size() == simulated_l.size();
  const float scale_w = s.px(150), strip_w = with_l ? s.px(190) : 0;
  const Rect picture{area.x + s.px(64), area.y + s.px(30), area.w - scale_w - strip_w - s.px(88), area.h - s.px(38)};
  // Neighbours share a cell where there are more than can be told apart; the largest difference speaks for them.
  const float least = s.px(7);
  const int64_t most_rows = std::max<int64_t>(1, int64_t(picture.h / least)),
                most_cols = std::max<int64_t>(1, int64_t(picture.w / least));
  const int64_t by_row = (p.n_q + std::min<int64_t>(most_rows, 64) - 1) / std::min<int64_t>(most_rows, 64);
  const int64_t by_col = (p.d + std::min<int64_t>(most_cols, 64) - 1) / std::min<int64_t>(most_cols, 64);
  const int64_t rows = (p.n_q + by_row - 1) / by_row, cols = (p.d + by_col - 1) / by_col;
  std::vector<double> cells(size_t(rows * cols), 0.0);
  double most = 0;
  int64_t broken = 0;  // elements that are no numbers: drawn as what they are, not as a difference
  for (int64_t r = 0; r < p.n_q; ++r)
    for (int64_t col = 0; col < p.d; ++col) {
      const double by = double(kernel[size_t(r * p.d + col)]) - double(simulated[size_t(r * p.d + col)]);
      double& cell = cells[size_t(r / by_row * cols + col / by_col)];
      if (!std::isfinite(by)) ++broken, cell = by;
      if (std::isfinite(cell) && std::fabs(by) > std::fabs(cell)) cell = by;
      if (std::isfinite(by)) most = std::max(most, std::fabs(by));
    }
  const float w = picture.w / float(cols), h = picture.h / float(rows);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t col = 0; col < cols; ++col) {
      const double value = cells[size_t(r * cols + col)];
      const float t = most > 0 && std::isfinite(value) ? float(value / most) : 0;
      c.scene.box({picture.x + float(col) * w, picture.y + float(r) * h, w, h}, 0,
                  std::isfinite(value) ? diverging_fill(s.palette, t).fill : c.color(Role::Wrong));
    }
  c.scene.box(picture.inset(-s.px(2)), s.px(2), {}, s.palette.fill(Tensor::O), s.px(2));
  fitted_label(c.scene, s, {picture.x, area.y, picture.w, s.px(28)},
               broken ? fmt::format("✕ {} elements of {}'s O are no numbers", with_commas(broken), row.name)
                      : fmt::format("O of {} less the simulator’s: {} rows by d {}", row.name, with_commas(p.n_q), p.d),
               Face::SansBold, s.body(), broken ? c.color(Role::WrongText) : c.color(Role::Text));
  for (const int64_t r : {int64_t{0}, rows - 1})
    if (r == 0 || picture.h > s.px(60))
      fitted_label(c.scene, s, {area.x, picture.y + (float(r) + 0.5f) * h - s.px(11), s.px(56), s.px(22)},
                   fmt::format("{}", r == 0 ? 1 : p.n_q), Face::Mono, s.small(), c.color(Role::TextSecondary),
                   Align::Right);
  if (with_l)
    layout_l_strip(c, {area.right() - strip_w + s.px(16), area.y, strip_w - s.px(16), area.h}, picture, by_row,
                   kernel_l, simulated_l);
  // The scale, with zero marked.
  const Rect bar{picture.right() + s.px(32), picture.y, s.px(28), picture.h};
  constexpr int kSteps = 41;
  for (int k = 0; k < kSteps; ++k) {
    const float t = 1 - 2 * float(k) / (kSteps - 1);
    c.scene.box({bar.x, bar.y + bar.h * float(k) / kSteps, bar.w, bar.h / kSteps + 0.5f}, 0,
                diverging_fill(s.palette, t).fill);
  }
  c.scene.box(bar, 0, {}, c.color(Role::Border), s.px(1.5f));
  c.scene.line({bar.x - s.px(6), bar.center().y}, {bar.right() + s.px(6), bar.center().y}, c.color(Role::Text),
               s.px(3));
  const auto tick = [&](float y, std::string words, Face face) {
    fitted_label(c.scene, s, {bar.right() + s.px(12), y - s.px(12), scale_w - s.px(64), s.px(24)}, words, face,
                 s.number(), c.color(Role::Text));
  };
  tick(bar.center().y, "0", Face::MonoBold);
  if (most == 0) return;
  tick(bar.y + s.px(12), "+" + error_words(most), Face::Mono);
  tick(bar.bottom() - s.px(12), "−" + error_words(most), Face::Mono);
}

}  // namespace tilewalk
