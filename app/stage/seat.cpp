#include "app/stage/seat.h"

#include "app/stage/pieces.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

bool same_tile(const Resident& a, const Resident& b) { return a.i == b.i && a.j == b.j; }

// Used up, or of another visit than the tiles that came last.
bool spent(const Resident& r, const MachineState& state) {
  const Resident* q = state.find(Tensor::Q);
  const Resident* k = state.find(Tensor::K, r.slot);
  if (by_query_tile(r.tensor) && q && q->i != r.i) return true;
  return by_query_tile(r.tensor) && by_key_tile(r.tensor) && k && k->j != r.j;
}

// Weights with −∞, as their scores had it, for the keys that the mask hides; nothing where it hides none.
std::optional<Matrix> masked_weights(const Canvas& canvas, const Resident& r) {
  const Tiling& t = canvas.tiling;
  if (!is_weights(r.tensor) || !t.causal) return std::nullopt;
  std::optional<Matrix> out;
  for (int64_t row = 0; row < r.data->rows; ++row)
    for (int64_t col = 0; col < r.data->cols; ++col) {
      if (t.visible(t.first_row(r.i) + row, r.j * t.bc + col) || r.data->at(row, col) != 0) continue;
      if (!out) out = *r.data;
      out->at(row, col) = kMinusInfinity;
    }
  return out;
}

void ghost(const Canvas& canvas, const TileGrid& grid, Tensor tensor) {
  const Color color = mix(canvas.style.palette.fill(tensor), canvas[Role::Background], 0.35f);
  canvas.scene.box(grid.rect.inset(-canvas.px(2)), canvas.style.r_small(), {}, color, canvas.px(1.5f), canvas.px(5));
}

// " Row 3: 0.5, −1." of the row that is followed, where a tip has room for all of it.
std::string row_words(const Canvas& canvas, const Resident& tile) {
  constexpr int64_t kMostNumbers = 16;
  const int64_t row = canvas.now.row;
  if (!by_query_tile(tile.tensor) || row < 0 || row >= tile.data->rows || tile.data->cols > kMostNumbers) return "";
  std::string numbers;
  for (int64_t c = 0; c < tile.data->cols; ++c) numbers += (c > 0 ? ", " : "") + num(tile.data->at(row, c));
  return fmt::format(" Row {}: {}.", canvas.tiling.first_row(tile.i) + row + 1, numbers);
}

}  // namespace

Held held(const Canvas& canvas, std::initializer_list<Tensor> tensors, int32_t slot) {
  Held h;
  for (Tensor t : tensors) {
    if (const Resident* r = canvas.now.before.find(t, slot)) h.before = r;
    if (const Resident* r = canvas.now.after.find(t, slot)) h.after = r;
  }
  const Story::Move* move = h.after ? canvas.story.move_of(h.after->tensor) : nullptr;
  h.arriving = h.after && move && move->load && canvas.timing.values < 1;
  h.shown = h.arriving && canvas.timing.values <= 0 ? h.before : h.after;
  const MachineState& state = h.shown == h.before ? canvas.now.before : canvas.now.after;
  h.faded = h.shown && spent(*h.shown, state);
  return h;
}

std::optional<Step> weights_made_by(const Canvas& canvas, const Resident& weights) {
  return newest(*canvas.now.walk, canvas.now.playhead, [&](const Step& s) {
    return s.slot == weights.slot &&
           (s.kind == StepKind::Exponentiate || s.kind == StepKind::NormalizeP || s.kind == StepKind::LoadP);
  });
}

void hatch_edge(const Canvas& canvas, Rect rect, Color color) {
  const float band = canvas.px(5), pitch = canvas.px(6), x = rect.x - canvas.px(2) - band;
  for (float y = rect.y + canvas.px(2); y + band <= rect.bottom(); y += pitch)
    canvas.scene.line({x, y + band}, {x + band, y}, color, canvas.px(1.5f));
}

void draw_seat(Canvas& canvas, const Seat& seat, const Held& h, Part part) {
  const TileGrid grid(seat.rect, seat.rows, seat.cols, canvas.style);
  const float radius = canvas.style.r_small();
  const Rect outer = grid.rect.inset(-canvas.px(3));
  if (!h.shown || !h.shown->data) {
    ghost(canvas, grid, seat.tensor);
    canvas.emphasis(outer, radius, part);
    return;
  }
  TileLook look;
  look.tensor = h.shown->tensor;
  std::optional<Matrix> masked_after, masked_before;
  const auto matrix_of = [&](const Resident& r, std::optional<Matrix>& masked) -> const Matrix* {
    masked = masked_weights(canvas, r);
    return masked ? &*masked : r.data.get();
  };
  look.after = matrix_of(*h.shown, masked_after);
  look.transposed = seat.transposed;
  look.faded = h.faded;
  if (look.tensor == Tensor::P) {
    const auto made = weights_made_by(canvas, *h.shown);
    look.absolute = made && made->kind == StepKind::Exponentiate;  // relative to m: up to 1
  }
  look.followed = seat.transposed || is_keyed(seat.tensor) ? -1 : canvas.now.row;
  if (h.before && h.before->data && h.shown == h.after && (h.arriving || same_tile(*h.before, *h.after))) {
    look.before = matrix_of(*h.before, masked_before);
    look.tensor_before = h.before->tensor;
    look.blend = canvas.timing.values;
  }

  // The outline takes in what the tile really has: a last tile may be short.
  const int64_t rows = seat.transposed ? look.after->cols : look.after->rows;
  const int64_t cols = seat.transposed ? look.after->rows : look.after->cols;
  const Rect full = outer;
  Rect real = outer;
  if (rows < seat.rows) real.h = float((rows + grid.row_share - 1) / grid.row_share) * grid.cell_h + canvas.px(6);
  if (cols < seat.cols) real.w = float((cols + grid.col_share - 1) / grid.col_share) * grid.cell_w + canvas.px(6);
  const Color color = canvas.style.palette.fill(look.tensor);
  canvas.scene.box(real, radius, canvas[Role::Background], h.faded ? mix(color, canvas[Role::Background], 0.6f) : color,
                   canvas.px(2));
  draw_cells(canvas, grid, look);
  if (is_gradient(look.tensor)) hatch_edge(canvas, real, h.faded ? mix(color, canvas[Role::Background], 0.6f) : color);
  canvas.emphasis(real, radius, part);

  // What can be pointed at: the tile, and where cells are large enough, the elements of the inputs.
  const std::string id = tile_id(h.shown->tensor, h.shown->i, h.shown->j);
  canvas.lit(real, radius, id);
  canvas.lit_by_line(real, radius, h.shown->tensor);
  if (h.shown->tensor == Tensor::P) canvas.lit(real, radius, tile_id(Tensor::S, h.shown->i, h.shown->j));
  const std::string row_numbers = row_words(canvas, *h.shown);
  canvas.scene.region(full, id,
                      tip_of_tile(canvas, h.shown->tensor, h.shown->i, h.shown->j, h.shown->level) + row_numbers,
                      std::min(full.w, full.h) >= canvas.px(24));
  const bool input = seat.tensor == Tensor::Q || seat.tensor == Tensor::K || seat.tensor == Tensor::V;
  if (!input || grid.aggregated() || std::min(grid.cell_w, grid.cell_h) < canvas.px(24)) return;
  const int64_t first = seat.tensor == Tensor::Q ? h.shown->i * canvas.tiling.br : h.shown->j * canvas.tiling.bc;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t row = first + (seat.transposed ? c : r), col = seat.transposed ? r : c;
      const double value = seat.transposed ? look.after->at(c, r) : look.after->at(r, c);
      const std::string cell = fmt::format("cell:{}/{}/{}", symbol_of(seat.tensor), row, col);
      const Rect rect{grid.rect.x + float(c) * grid.cell_w, grid.rect.y + float(r) * grid.cell_h, grid.cell_w,
                      grid.cell_h};
      canvas.scene.region(
          rect, cell,
          fmt::format("{} row {}, column {}: {}. Click to change it.{}", symbol_of(seat.tensor), row + 1, col + 1,
                      number_words(value), seat.tensor == Tensor::Q && r == canvas.now.row ? row_numbers : ""),
          true);
      if (canvas.is_lit(cell) || canvas.view.editing == cell)
        canvas.scene.box(rect, canvas.px(3), {}, canvas[Role::Focus], canvas.px(2.5f));
    }
}

std::string share_note(const Canvas& canvas, const Seat& seat) {
  const TileGrid grid(seat.rect, seat.rows, seat.cols, canvas.style);
  return grid.aggregated() ? fmt::format("each cell = {}×{}", grid.row_share, grid.col_share) : "";
}

}  // namespace tilewalk
