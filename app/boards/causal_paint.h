// Painting the tiles of a causal mask by hand: what the learner says of each tile, the kind that is in hand, and the
// frame that the keyboard moves. All of it is kept in the board's cells.
#pragma once

#include "app/state/board_state.h"
#include "core/attention/tiling.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewalk {

constexpr int64_t kMostPainted = 12;  // tiles along a side: more are too many for a hand
bool can_paint(const Tiling& t);

// One letter a tile, row by row, '.' where nothing is painted yet. Another tiling begins empty.
std::string paint_of(const BoardState& state, const Tiling& t);
char letter_of(TileKind kind);
TileKind kind_of(char letter);

// The kind in hand: 0 skip, 1 mask, 2 whole.
size_t brush_of(const BoardState& state);
void set_brush(BoardState& state, int kind);

struct Cursor {
  int64_t i = 0, j = 0;
};
Cursor cursor_of(const BoardState& state, const Tiling& t);  // within the tiling
void set_cursor(BoardState& state, Cursor at);

// The tile gets the kind in hand, and the frame goes there.
void paint_tile(BoardState& state, const Tiling& t, Cursor at);
// By key, in the frame: the kind in hand, or the next one where that is painted already.
void paint_next(BoardState& state, const Tiling& t);

struct Painted {
  int64_t right = 0, wrong = 0, all = 0;
};
std::string reason(const Tiling& t, Cursor at);  // why that tile is what it is, in its own numbers
Painted judged(const std::string& paint, const Tiling& t);

}  // namespace tilewalk
