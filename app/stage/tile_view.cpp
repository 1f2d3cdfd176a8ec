#include "app/stage/tile_view.h"

#include "app/text/text.h"
#include "core/io/typeset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

// Values of the cells of one state of the tile, laid out as they are seen.
struct Cells {
  int64_t rows = 0, cols = 0;
  std::vector<double> values;  // mean of magnitudes; of S the mean of scores; -inf where all are masked
  double low = 0, high = 0;    // of the finite ones
  double at(int64_t r, int64_t c) const { return values[size_t(r * cols + c)]; }
};

double mean_of(const Matrix& x, int64_t r0, int64_t r1, int64_t c0, int64_t c1, bool signed_values) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t r = r0; r < r1; ++r) {
    const double* row = x.row(r);
    for (int64_t c = c0; c < c1; ++c) {
      if (!std::isfinite(row[c])) continue;
      sum += signed_values ? row[c] : std::fabs(row[c]);
      ++count;
    }
  }
  return count ? sum / double(count) : kMinusInfinity;
}

// `first` and `last`: rows of the picture, so rows of the matrix, or its columns where it is transposed.
Cells cells_of(const Matrix& x, const TileGrid& grid, const TileLook& look, bool scores, int64_t first, int64_t last,
               int64_t row_share) {
  const int64_t cols = look.transposed ? x.rows : x.cols;
  Cells cells;
  cells.rows = (last - first + row_share - 1) / row_share;
  cells.cols = std::min(grid.cols, (cols + grid.col_share - 1) / grid.col_share);
  cells.values.reserve(size_t(cells.rows * cells.cols));
  cells.low = std::numeric_limits<double>::infinity();
  cells.high = kMinusInfinity;
  for (int64_t r = 0; r < cells.rows; ++r) {
    const int64_t r0 = first + r * row_share, r1 = std::min(last, r0 + row_share);
    for (int64_t c = 0; c < cells.cols; ++c) {
      const int64_t c0 = c * grid.col_share, c1 = std::min(cols, c0 + grid.col_share);
      const double v = look.transposed ? mean_of(x, c0, c1, r0, r1, scores) : mean_of(x, r0, r1, c0, c1, scores);
      cells.values.push_back(v);
      if (!std::isfinite(v)) continue;
      cells.low = std::min(cells.low, v);
      cells.high = std::max(cells.high, v);
    }
  }
  return cells;
}

ValueColors colors_of(const Canvas& canvas, Tensor tensor, double v, double low, double high, bool absolute) {
  if (!std::isfinite(v)) return {canvas[Role::SurfaceStrong], canvas[Role::TextSecondary]};
  const bool scores = tensor == Tensor::S;
  const double floor = scores ? low : 0, top = absolute ? 1 : high;
  const double t = top > floor ? (v - floor) / (top - floor) : scores ? 0.5 : 0;
  return fill_for(canvas.style.palette, tensor, float(t));
}

// Decimals and size at which every number of the tile fits its cell, or none.
struct NumberFit {
  int decimals = -1;
  float size = 0, width = 0;
  bool bare = false;  // "-.1" for -0.1: a sign that touches the neighbour's last digit reads as a dash between them
};
// A weight that is none, rounded to so many decimals: "0.0" is what a key has that nobody looks at.
bool rounds_to_zero(double weight, int decimals) {
  return weight > 0 && weight < 1 && fixed_words(weight, decimals).find_first_not_of("0.") == std::string::npos;
}

NumberFit number_fit(const Canvas& canvas, const TileGrid& grid, const TileLook& look) {
  if (!look.numbers || grid.aggregated()) return {};
  const float smallest = canvas.least_number();
  const bool scores = is_scores(look.tensor);
  if (grid.cell_h < smallest * 1.25f || grid.cell_w < canvas.px(scores ? 24 : 34)) return {};
  const float by_height = std::max(grid.cell_h * 0.44f, std::min(grid.cell_h * 0.75f, smallest));
  // Air to both sides, less of it before a number is left out.
  const float tight = canvas.px(grid.cell_w >= canvas.px(44) ? 3 : 1), loose = std::max(tight, grid.cell_w * 0.16f);
  double largest = 0, shown = 0, smallest_weight = 1;  // shown: of what is written now
  bool negative = false, ever_negative = false, whole = true;
  for (const Matrix* x : {look.before, look.after}) {
    if (!x) continue;
    for (double v : x->values) {
      if (!std::isfinite(v)) continue;
      largest = std::max(largest, std::fabs(v));
      if (x == look.after || look.blend < 0.5f) shown = std::max(shown, std::fabs(v));
      if (v > 0 && look.tensor == Tensor::P && x == look.after) smallest_weight = std::min(smallest_weight, v);
      ever_negative |= v < 0;
      negative |= v < 0 && (x == look.after || look.blend < 0.5f);
      whole &= v == std::floor(v);
    }
  }
  // Before a tile of weights there were scores: room for their sign, so that nothing jumps.
  const bool room_for_sign = ever_negative || look.tensor == Tensor::P;
  const float digit = text_width("0", Face::Mono, 1);
  const int before_point = largest >= 1 ? int(std::floor(std::log10(largest))) + 1 : 1;
  const bool rounded = whole && look.tensor != Tensor::P;
  // A tile in which all would print as zero shows its first digit that is none, or its colours alone.
  if (largest > 0 && largest < 0.05) {
    const int decimals = int(std::ceil(-std::log10(largest)));
    const auto characters = float(decimals + 1 + (room_for_sign ? 1 : 0));
    const float size = std::min({(grid.cell_w - grid.gap - tight) / (digit * characters), by_height, canvas.px(26)});
    if (size < smallest) return {};
    const bool signs = negative || rounds_to_zero(smallest_weight, decimals);
    return {decimals, std::floor(size), digit * std::floor(size) * float(decimals + 1 + (signs ? 1 : 0)), true};
  }
  for (int decimals = rounded ? 0 : 2; decimals >= (rounded || largest >= 9.5 ? 0 : 1); --decimals) {
    const int characters = before_point + (room_for_sign ? 1 : 0) + (decimals ? decimals + 1 : 0);
    const auto by_pad = [&](float pad) { return (grid.cell_w - grid.gap - pad) / (digit * float(characters)); };
    const float by_width = std::max(by_pad(loose), std::min(by_pad(tight), smallest));
    const float size = std::min({by_width, by_height, canvas.px(26)});
    // With one decimal of what is so small hardly a digit would be left.
    const bool small = shown > 0 && shown < 0.3;
    const float wanted = canvas.px(canvas.for_room ? (small ? 16 : 20) : (small ? 12 : 15));
    const float enough = decimals == 2 ? std::min(by_height, wanted) : smallest;
    if (size < std::max(smallest, enough) && !(decimals == 0 && size >= smallest)) continue;
    const float whole_size = std::max(smallest, std::floor(size));
    const bool signs = negative || rounds_to_zero(smallest_weight, decimals);
    const auto width = [&](int before) {
      return digit * whole_size * float(before + (signs ? 1 : 0) + (decimals ? decimals + 1 : 0));
    };
    const bool bare =
        signs && decimals > 0 && largest < 0.95 && grid.cell_w - grid.gap - width(before_point) < canvas.px(8);
    return {decimals, whole_size, width(bare ? 0 : before_point), bare};
  }
  return {};
}

// Of a key that the mask hides the score is −∞, the weight a dash; a weight that rounds to zero is "<0.1".
void write_number(const Canvas& canvas, Rect cell, Tensor of, double v, const NumberFit& fit, Color color, bool bold) {
  const Face face = bold ? Face::MonoBold : Face::Mono;
  if (!std::isfinite(v)) {
    const std::string_view words = v > 0 ? "∞" : !(v < 0) ? "NaN" : is_weights(of) ? "—" : "−∞";
    canvas.scene.label(cell, std::string(words), face, fit.size, color, Align::Center);
    return;
  }
  // Right-aligned in a slot in the middle, so that the points stand under each other.
  const float width = std::min(fit.width + canvas.px(1), cell.w);
  const Rect slot{cell.x + (cell.w - width) / 2, cell.y, width, cell.h};
  std::string words = fixed_words(v, fit.decimals);
  if (of == Tensor::P && rounds_to_zero(v, fit.decimals))
    words = "<" + fixed_words(std::pow(10, -fit.decimals), fit.decimals);
  if (const size_t zero = words.find("0."); fit.bare && zero != std::string::npos) words.erase(zero, 1);
  canvas.scene.label(slot, words, face, fit.size, color, Align::Right);
}

}  // namespace

TileGrid::TileGrid(Rect rect, int64_t element_rows, int64_t element_cols, const Style& style) : rect(rect) {
  const float smallest = style.px(5.5f);
  const auto most = [&](float length) { return std::clamp<int64_t>(int64_t(length / smallest), 1, kMostCells); };
  row_share = share(element_rows, most(rect.h));
  col_share = share(element_cols, most(rect.w));
  rows = (element_rows + row_share - 1) / row_share;
  cols = (element_cols + col_share - 1) / col_share;
  cell_w = rect.w / float(cols);
  cell_h = rect.h / float(rows);
  gap = std::min(cell_w, cell_h) >= style.px(18) ? style.px(2) : style.px(1);
}

bool draw_cells(const Canvas& canvas, const TileGrid& grid, const TileLook& look) {
  const Matrix* shown = look.after ? look.after : look.before;
  if (!shown) return false;
  const bool blending = look.before && look.after && look.blend < 1 && look.before->rows == look.after->rows &&
                        look.before->cols == look.after->cols && look.before != look.after;
  const NumberFit fit = number_fit(canvas, grid, look);
  const int64_t rows = look.transposed ? shown->cols : shown->rows;
  const float radius = std::min(canvas.px(3), std::min(grid.cell_w, grid.cell_h) * 0.2f);
  const bool hatch = std::min(grid.cell_w, grid.cell_h) >= canvas.px(10);
  const Color background = canvas[Role::Background];

  const auto draw = [&](int64_t first, int64_t last, int64_t row_share, auto&& place, bool bold) {
    const Cells now = cells_of(*shown, grid, look, look.tensor == Tensor::S, first, last, row_share);
    Cells was;
    if (blending) was = cells_of(*look.before, grid, look, look.tensor_before == Tensor::S, first, last, row_share);
    const bool absolute = look.absolute && row_share == 1 && grid.col_share == 1;
    for (int64_t r = 0; r < now.rows; ++r)
      for (int64_t c = 0; c < now.cols; ++c) {
        const double v = now.at(r, c);
        ValueColors colors = colors_of(canvas, look.tensor, v, now.low, now.high, absolute && look.tensor == Tensor::P);
        double number = v;
        if (blending) {
          const double old = was.at(r, c);
          const ValueColors before = colors_of(canvas, look.tensor_before, old, was.low, was.high,
                                               absolute && look.tensor_before == Tensor::P);
          colors.fill = mix(before.fill, colors.fill, look.blend);
          if (look.blend < 0.5f) number = old, colors.text = before.text;
        }
        if (look.faded) colors = {mix(colors.fill, background, 0.8f), canvas[Role::TextSecondary]};
        const Rect cell = place(r, c);
        canvas.scene.box(cell, radius, colors.fill);
        if (!std::isfinite(number) && hatch)
          canvas.scene.line({cell.x + 2 * radius, cell.bottom() - radius}, {cell.right() - radius, cell.y + 2 * radius},
                            with_alpha(canvas[Role::Ghost], 0.45f), canvas.px(1));
        if (fit.decimals < 0) continue;
        // The number itself, with its sign: shading is by magnitude.
        if (std::isfinite(number)) {
          const Matrix& x = blending && look.blend < 0.5f ? *look.before : *shown;
          number = look.transposed ? x.at(c, first + r) : x.at(first + r, c);
        }
        const Tensor written = blending && look.blend < 0.5f ? look.tensor_before : look.tensor;
        write_number(canvas, cell, written, number, fit, colors.text, bold && first + r == look.followed);
      }
  };
  draw(
      0, rows, grid.row_share, [&](int64_t r, int64_t c) { return grid.cell(r, c); }, true);

  // Among averages the followed row shows its own values.
  if (look.followed >= 0 && grid.row_share > 1 && !look.transposed && look.followed < rows) {
    const Rect band = grid.band(look.followed);
    const float h = std::max(band.h, canvas.px(8));
    const float y = std::clamp(band.center().y - h / 2, grid.rect.y, grid.rect.bottom() - h);
    canvas.scene.box({grid.rect.x, y - canvas.px(2), grid.rect.w, h + canvas.px(4)}, canvas.px(3), background);
    draw(
        look.followed, look.followed + 1, 1,
        [&](int64_t, int64_t c) {
          return Rect{grid.cell(0, c).x, y, grid.cell(0, c).w, h};
        },
        false);
  }
  return fit.decimals >= 0;
}

}  // namespace tilewalk
