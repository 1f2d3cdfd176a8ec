// A tile as a grid of shaded cells, with numbers where they fit. A tile with more rows or columns than there is room
// for is drawn as averages over groups of neighbours; the row that is followed then keeps a strip of its own.
//
// Shading: magnitude for Q, K, V, P and O, from the background (0) to the tensor's colour (the tile's largest). S runs
// from the tile's lowest score (lightest) to its highest (darkest), so that the darkest cell is the row max's; masked
// scores, and weights that are handed in as −∞, are grey and hatched.
#pragma once

#include "app/stage/canvas.h"

#include <string>

namespace tilewalk {

// How a tile of rows x cols elements is cut into cells on `rect`.
struct TileGrid {
  Rect rect;
  int64_t rows = 1, cols = 1;            // cells
  int64_t row_share = 1, col_share = 1;  // elements per cell
  float cell_w = 0, cell_h = 0, gap = 0;
  TileGrid() = default;
  TileGrid(Rect rect, int64_t element_rows, int64_t element_cols, const Style& style);
  bool aggregated() const { return row_share > 1 || col_share > 1; }
  Rect cell(int64_t r, int64_t c) const {
    return {rect.x + float(c) * cell_w + gap / 2, rect.y + float(r) * cell_h + gap / 2, cell_w - gap, cell_h - gap};
  }
  // The band of one row of elements.
  Rect band(int64_t element_row) const {
    return {rect.x, rect.y + float(element_row) / float(row_share) * cell_h, rect.w, cell_h / float(row_share)};
  }
};

// Those of the softmax and their gradients: 0 for a key that the mask hides.
constexpr bool is_weights(Tensor t) { return t == Tensor::P || t == Tensor::DS; }

struct TileLook {
  Tensor tensor = Tensor::Q, tensor_before = Tensor::Q;  // colours; they differ where S turns into P
  const Matrix* before = nullptr;                        // as it was; null where nothing was
  const Matrix* after = nullptr;                         // as it is
  float blend = 1;                                       // 0 before .. 1 after
  bool transposed = false;
  bool faded = false;     // used up: still on chip, of no use any more
  int64_t followed = -1;  // row of the tile
  bool numbers = true;    // where they fit
  bool absolute = false;  // shade against 1 rather than against the tile's largest (weights)
};

// Cells, numbers and the followed row. Returns whether numbers were written.
bool draw_cells(const Canvas& canvas, const TileGrid& grid, const TileLook& look);

}  // namespace tilewalk
