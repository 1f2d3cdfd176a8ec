// The statistics m, alpha and l, one line per query row, level with the rows of S. The followed row stands out; where
// rows are too low for a number each, the others show as bars and only the followed one says its value.
#include "app/stage/pieces.h"
#include "app/stage/tile_view.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

struct Column {
  Tensor tensor;
  Rect rect;
  const Matrix* before = nullptr;
  const Matrix* after = nullptr;
  bool faded = false;
};

const Matrix* data_of(const MachineState& state, Tensor tensor) {
  const Resident* r = state.find(tensor);
  return r ? r->data.get() : nullptr;
}

// An alpha of an earlier visit says nothing about the tile that has come since.
bool stale(const Canvas& canvas, Tensor tensor) {
  const MachineState& state = canvas.now.after;
  const Resident *r = state.find(tensor), *q = state.find(Tensor::Q);
  const Resident* k = state.find(Tensor::K, newest_slot(*canvas.now.walk, canvas.now.playhead, StepKind::LoadK));
  return r && ((q && q->i != r->i) || (by_key_tile(tensor) && k && k->j != r->j));
}

float number_size(const Canvas& canvas, float width, float height, std::string_view text, float wanted, float least) {
  const float smallest = std::max(least, canvas.least_number());
  const float by_width = (width - canvas.px(4)) / std::max(0.1f, text_width(text, Face::Mono, 1));
  const float by_height = height * (least > 0 ? 0.9f : 0.8f);  // digits have nothing below the line
  const float size = std::min({wanted, by_width, std::max(height * 0.62f, std::min(by_height, smallest))});
  return size >= smallest ? std::max(smallest, std::floor(size)) : 0;
}

// The shortest way to say the value that still fits the width at a legible size. `least`: of the size, where it can be.
std::string value_words(const Canvas& canvas, double v, float width, float height, float wanted, float least,
                        float& size) {
  for (const float at_least : {least, 0.0f})
    for (int digits = 3; digits >= 1; --digits) {
      const std::string text = number_words(v, digits);
      size = number_size(canvas, width, height, text, wanted, at_least);
      if (size > 0) return text;
    }
  return "";
}

void chip(const Canvas& canvas, const Column& column, Rect rect, double v, bool followed) {
  const Style& st = canvas.style;
  const bool accent = column.tensor == Tensor::Alpha;
  Color fill = st[Role::StatFill], text = st[Role::StatText];
  if (followed && !column.faded) {
    fill = accent ? st.palette.fill(Tensor::S) : st[Role::Inverse];
    text = accent ? text_on(fill) : st[Role::InverseText];
  }
  if (column.faded) text = st[Role::TextSecondary];
  canvas.scene.box(rect, st.r_small(), fill);
  float size = 0;
  const bool carries = canvas.for_room && followed;
  const float wanted = carries    ? st.display()
                       : followed ? std::clamp(rect.h * 0.42f, st.px(16), st.px(26))
                                  : std::clamp(rect.h * 0.38f, st.px(16), st.px(22));
  const std::string words = value_words(canvas, v, rect.w, rect.h, wanted, carries ? st.display() : 0, size);
  if (!words.empty())
    canvas.scene.label(rect, words, followed && !column.faded ? Face::MonoBold : Face::Mono, size, text, Align::Center);
}

void ghost(const Canvas& canvas, Rect rect) {
  canvas.scene.box(rect, canvas.style.r_small(), {}, canvas[Role::Border], canvas.px(1.5f), canvas.px(4));
}

void draw_column(const Canvas& canvas, const Column& column) {
  const Style& st = canvas.style;
  const int64_t br = std::min(canvas.tiling.br, canvas.tiling.n_q);
  const TileGrid grid(column.rect, br, 1, st);
  const float gap = grid.cell_h >= st.px(30) ? st.px(4) : st.px(2);
  const bool each = grid.row_share == 1 && grid.cell_h >= st.px(21);
  const auto slot = [&](int64_t r) {
    return Rect{column.rect.x, column.rect.y + float(r) * grid.cell_h + gap / 2, column.rect.w, grid.cell_h - gap};
  };
  const Matrix* shown = canvas.timing.values < 0.5f && column.before ? column.before : column.after;
  if (!shown) {
    if (each)
      for (int64_t r = 0; r < grid.rows; ++r) ghost(canvas, slot(r));
    else
      ghost(canvas, column.rect);
    return;
  }
  const int64_t first = canvas.now.tile * canvas.tiling.br;
  if (each) {
    for (int64_t r = 0; r < shown->rows; ++r) chip(canvas, column, slot(r), shown->at(r, 0), r == canvas.now.row);
  } else {
    double low = INFINITY, high = -INFINITY;
    for (double v : shown->values)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    // A factor has a scale of its own: nothing at 0, all of the bar at 1.
    const bool factor = column.tensor == Tensor::Alpha;
    if (factor) low = 0, high = 1;
    for (int64_t g = 0; g < grid.rows && g * grid.row_share < shown->rows; ++g) {
      const int64_t end = std::min(shown->rows, (g + 1) * grid.row_share);
      double sum = 0, count = 0;
      for (int64_t r = g * grid.row_share; r < end; ++r)
        if (std::isfinite(shown->at(r, 0))) sum += shown->at(r, 0), count += 1;
      const Rect bar = slot(g);
      canvas.scene.box(bar, st.px(2), st[Role::StatFill]);
      if (!count) continue;
      const double t = high > low ? (sum / count - low) / (high - low) : 1;
      const float part = float(factor ? std::clamp(t, 0.0, 1.0) : 0.06 + 0.94 * t);
      if (part > 0) canvas.scene.box({bar.x, bar.y, bar.w * part, bar.h}, st.px(2), st[Role::Border]);
    }
    // What is left of a ragged tile may be shorter than the tile at hand: then it has no value for the followed row.
    if (canvas.now.row < shown->rows) {
      const float h = st.px(canvas.for_room ? 42 : 30), y = grid.band(canvas.now.row).center().y - h / 2;
      const Rect big{column.rect.x, std::clamp(y, column.rect.y - st.px(3), column.rect.bottom() + st.px(3) - h),
                     column.rect.w, h};
      canvas.scene.box(big.inset(-st.px(2)), st.r_small() + st.px(2), st[Role::Background]);
      chip(canvas, column, big, shown->at(canvas.now.row, 0), true);
    }
  }
  // Regions: one per row, at least as high as can be pointed at; else the followed row alone.
  const auto point = [&](int64_t r, Rect rect) {
    const std::string id = stat_id(column.tensor, first + r);
    canvas.scene.region(rect, id, tip_of_stat(canvas, column.tensor, first + r));
    canvas.lit(rect, st.r_small(), id);
  };
  if (grid.row_share == 1 && grid.cell_h >= st.px(10))
    for (int64_t r = 0; r < shown->rows; ++r) point(r, slot(r));
  else
    point(canvas.now.row, grid.band(canvas.now.row).inset(0, -st.px(8)));
}

}  // namespace

void layout_row_numbers(Canvas& canvas, Rect numbers, Rect tile, float right) {
  const Style& st = canvas.style;
  const int64_t br = std::min(canvas.tiling.br, canvas.tiling.n_q), rows = canvas.tiling.rows(canvas.now.tile);
  const TileGrid grid(tile, br, canvas.tiling.d, st);
  const int64_t first = canvas.now.tile * canvas.tiling.br;
  const bool each = grid.row_share == 1 && grid.cell_h >= st.px(16);
  const float line = st.px(20);
  for (int64_t r = 0; r < rows; ++r) {
    const bool followed = r == canvas.now.row;
    const Rect band = grid.band(r);
    if (each || followed) {
      const float y = std::clamp(band.center().y - line / 2, tile.y, std::max(tile.y, tile.bottom() - line));
      canvas.fit({numbers.x, y, numbers.w - st.px(11), line}, {std::to_string(first + r + 1)},
                 followed ? Face::SansBold : Face::Sans, st.small(),
                 followed ? st[Role::Text] : st[Role::TextSecondary], Align::Right);
    }
    // Rows can be chosen by their numbers and by the rows of S.
    if (grid.row_share > 1) continue;
    const std::string id = "row:" + std::to_string(first + r);
    const std::string tip = "Row " + std::to_string(first + r + 1) + ": one query. Click to follow it.";
    canvas.scene.region({numbers.x, band.y, numbers.w, band.h}, id, tip, rows <= 24 && band.h >= st.px(24));
    const Rect across{numbers.x, band.y, right - numbers.x, band.h};
    if (canvas.is_lit(id)) canvas.scene.box(across, st.px(4), {}, st[Role::Focus], st.px(2.5f));
  }
}

namespace {

// What the letters mean, in the room over their columns.
void legend(const Canvas& canvas, const SramPlan& plan, bool done) {
  const Style& st = canvas.style;
  const float line = st.px(22);
  const Rect room{plan.m.x, plan.v.y, plan.v.x - plan.m.x - st.px(24), plan.v.h};
  if (room.h < 3 * line + st.px(16) || room.w < st.px(200)) return;
  struct Entry {
    std::string_view letter, words;
    Color color;
  };
  std::vector<Entry> entries{{"m", "largest score so far", st[Role::Text]}};
  if (done)
    entries.push_back({"L", "m + log l, for training", st[Role::Text]});
  else if (canvas.alpha != AlphaUse::None)
    entries.push_back({"α", canvas.alpha == AlphaUse::Used ? "what the past shrinks by" : "made here and never used",
                       st[Role::AccentText]});
  entries.push_back({"l", "sum of the weights so far", st[Role::Text]});
  float y = room.center().y - line * float(entries.size()) / 2;
  for (const Entry& e : entries) {
    canvas.scene.label({room.x, y, st.px(18), line}, e.letter, Face::SansBold, st.small(), e.color);
    canvas.fit({room.x + st.px(20), y, room.w - st.px(20), line}, {e.words}, Face::Sans, st.small(),
               st[Role::TextSecondary]);
    y += line;
  }
}

}  // namespace

void layout_statistic(Canvas& canvas, Tensor tensor, Rect rect, Rect slot) {
  const Style& st = canvas.style;
  const Column column{tensor, rect, data_of(canvas.now.before, tensor), data_of(canvas.now.after, tensor),
                      stale(canvas, tensor)};
  const bool alpha = tensor == Tensor::Alpha;
  canvas.fit(slot, {symbol_of(tensor)}, Face::SansBold, st.heading(), st[alpha ? Role::AccentText : Role::Text],
             Align::Center);
  canvas.scene.region(slot, std::string("word:").append(alpha ? "alpha" : symbol_of(tensor)), meaning_of(tensor));
  draw_column(canvas, column);
  canvas.lit_by_line(rect, st.r_small(), tensor);
  canvas.emphasis(rect.inset(-st.px(1), 0), st.r_small(), canvas.story.of(tensor));
}

void layout_statistics(Canvas& canvas, const SramPlan& plan) {
  const Style& st = canvas.style;
  const MachineState& after = canvas.now.after;
  // L needs no alpha any more: it takes its place when the row is done.
  const bool done = data_of(after, Tensor::Lse) && !stale(canvas, Tensor::Lse);
  const Tensor middle = done ? Tensor::Lse : Tensor::Alpha;
  layout_row_numbers(canvas, plan.row_numbers, plan.q, plan.o.right() + st.px(5));
  if (left_out(canvas.view, "statistics")) return;
  legend(canvas, plan, done);
  const std::pair<Tensor, Rect> columns[] = {{Tensor::M, plan.m}, {middle, plan.alpha}, {Tensor::L, plan.l}};
  for (const auto& [tensor, rect] : columns) {
    const Rect slot{rect.x, plan.stat_labels.y, rect.w, plan.stat_labels.h};
    if (tensor == Tensor::Alpha && canvas.alpha == AlphaUse::None)
      canvas.fit(slot, {"no α"}, Face::Sans, st.small(), st[Role::TextSecondary], Align::Center);
    else
      layout_statistic(canvas, tensor, rect, slot);
  }
}

}  // namespace tilewalk
