// A place on chip for one tensor's tile: what lies there before and after the unit on show, and how it is drawn. Dashed
// where nothing does. A gradient's place is told from its tensor's by a hatched edge.
#pragma once

#include "app/stage/tile_view.h"

#include <initializer_list>
#include <optional>
#include <string>

namespace tilewalk {

// A tensor's tile on chip before and after the unit on show, and how it is to be drawn.
struct Held {
  const Resident* before = nullptr;
  const Resident* after = nullptr;
  const Resident* shown = nullptr;  // the newer one, once it has arrived
  bool arriving = false;            // `after` is on its way
  bool faded = false;
};
Held held(const Canvas& canvas, std::initializer_list<Tensor> tensors, int32_t slot);

struct Seat {
  Tensor tensor;
  Rect rect;
  int64_t rows, cols;  // elements of a full tile, as it is drawn
  bool transposed = false;
};
void draw_seat(Canvas& canvas, const Seat& seat, const Held& held, Part part);

// "each cell = 8×4" where neighbours share a cell, else nothing.
std::string share_note(const Canvas& canvas, const Seat& seat);

// The newest step that made the weights what they are.
std::optional<Step> weights_made_by(const Canvas& canvas, const Resident& weights);

// Short lines across the edges of a rectangle: this is a gradient.
void hatch_edge(const Canvas& canvas, Rect rect, Color color);

}  // namespace tilewalk
