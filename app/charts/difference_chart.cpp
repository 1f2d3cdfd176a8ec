#include "app/charts/difference_chart.h"

#include "app/scene/fitted_label.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

double difference(float first, float second) {
  if (first == second) return 0;  // equal infinities too
  return double(first) - double(second);
}

}  // namespace

Difference difference_of(std::span<const float> first, std::span<const float> second, int64_t rows, int64_t cols) {
  Difference out;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      const size_t at = size_t(r * cols + c);
      const double d = difference(first[at], second[at]);
      if (!std::isfinite(d)) {
        ++out.incomparable;
        continue;
      }
      if (std::isfinite(second[at])) out.magnitude = std::max(out.magnitude, std::fabs(double(second[at])));
      if (std::fabs(d) > out.largest) out.largest = std::fabs(d), out.row = r, out.col = c;
    }
  return out;
}

void layout_difference_chart(Scene& scene, std::string_view title, std::span<const float> first,
                             std::span<const float> second, int64_t rows, int64_t cols, Rect area, const Style& style) {
  const auto px = [&](float p) { return style.px(p); };
  const Difference all = difference_of(first, second, rows, cols);
  fitted_label(scene, style, {area.x, area.y, area.w, px(26)}, title, Face::SansBold, style.number(),
               style[Role::Text]);
  std::string words = all.largest == 0
                          ? std::string("No element differs.")
                          : fmt::format("Largest difference {} at row {}, column {}; the largest element is {}.",
                                        number_words(all.largest), all.row + 1, all.col + 1, number_words(all.magnitude));
  if (all.incomparable)
    words = fmt::format("Finite in one of the two only: {}. {}", with_commas(all.incomparable), words);
  fitted_label(scene, style, {area.x, area.y + px(26), area.w, px(24)}, words, Face::Sans, style.small(),
               all.incomparable ? style[Role::WrongText] : style[Role::TextSecondary]);

  const Rect scale{area.x, area.bottom() - px(26), area.w, px(26)};
  const Rect plot{area.x, area.y + px(56), area.w, scale.y - px(8) - (area.y + px(56))};
  const float least = px(3);
  if (plot.h < least || plot.w < least || rows < 1 || cols < 1) return;
  const auto share = [&](int64_t elements, float room) {  // elements per cell
    const int64_t cells = std::min<int64_t>(elements, int64_t(room / least));
    return (elements + cells - 1) / cells;
  };
  const int64_t row_share = share(rows, plot.h), col_share = share(cols, plot.w);
  const int64_t high = (rows + row_share - 1) / row_share, wide = (cols + col_share - 1) / col_share;
  const float side_h = plot.h / float(high), side_w = std::min(plot.w / float(wide), side_h * 4);
  scene.box({plot.x, plot.y, side_w * float(wide), side_h * float(high)}, 0, {}, style[Role::Border], px(1));
  for (int64_t y = 0; y < high; ++y)
    for (int64_t x = 0; x < wide; ++x) {
      double shown = 0;
      bool broken = false;
      for (int64_t r = y * row_share; r < std::min(rows, (y + 1) * row_share); ++r)
        for (int64_t c = x * col_share; c < std::min(cols, (x + 1) * col_share); ++c) {
          const double d = difference(first[size_t(r * cols + c)], second[size_t(r * cols + c)]);
          if (!std::isfinite(d)) broken = true;
          else if (std::fabs(d) > std::fabs(shown)) shown = d;
        }
      const Rect cell{plot.x + float(x) * side_w, plot.y + float(y) * side_h, side_w, side_h};
      if (broken)
        scene.box(cell, 0, style[Role::Wrong]);
      else if (shown != 0)
        scene.box(cell, 0, diverging_fill(style.palette, float(shown / all.largest)).fill);
    }

  // The scale: what blue, white and orange stand for.
  if (all.largest == 0) return;
  const std::string low = "−" + number_words(all.largest), top = "+" + number_words(all.largest);
  const float low_w = text_width(low, Face::Mono, style.small()), top_w = text_width(top, Face::Mono, style.small());
  const float bar_w = std::min(px(160), scale.w - low_w - top_w - px(24));
  if (bar_w < px(40)) return;
  scene.label({scale.x, scale.y, low_w + px(2), scale.h}, low, Face::Mono, style.small(), style[Role::Text]);
  const Rect bar{scale.x + low_w + px(10), scale.y + px(6), bar_w, px(14)};
  constexpr int kSteps = 17;
  for (int k = 0; k < kSteps; ++k) {
    const float t = float(k) / (kSteps - 1) * 2 - 1;
    scene.box({bar.x + bar.w * float(k) / kSteps, bar.y, bar.w / kSteps + px(0.5f), bar.h}, 0,
              diverging_fill(style.palette, t).fill);
  }
  scene.box(bar, 0, {}, style[Role::Border], px(1));
  scene.line({bar.center().x, bar.y - px(3)}, {bar.center().x, bar.bottom() + px(3)}, style[Role::Text], px(2));
  scene.label({bar.right() + px(10), scale.y, top_w + px(2), scale.h}, top, Face::Mono, style.small(),
              style[Role::Text]);
}

}  // namespace tilewalk
