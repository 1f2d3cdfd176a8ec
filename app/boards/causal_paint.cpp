#include "app/boards/causal_paint.h"

#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tilewalk {
namespace {

constexpr std::string_view kLetters = "smf";  // in the order of TileKind

// The name holds the tiling, so that another one begins empty.
std::string cell_of(const Tiling& t) { return fmt::format("paint {} {} {} {} {}", t.n_q, t.n_k, t.br, t.bc, t.offset); }

}  // namespace

bool can_paint(const Tiling& t) { return t.tr <= kMostPainted && t.tc <= kMostPainted; }

std::string paint_of(const BoardState& state, const Tiling& t) {
  const auto found = state.cells.find(cell_of(t));
  std::string paint = found == state.cells.end() ? std::string() : found->second;
  paint.resize(size_t(t.tr * t.tc), '.');
  return paint;
}

char letter_of(TileKind kind) { return kLetters[size_t(kind)]; }
TileKind kind_of(char letter) { return TileKind(kLetters.find(letter)); }

size_t brush_of(const BoardState& state) {
  const auto found = state.cells.find("brush");
  return found == state.cells.end() ? 2 : std::min<size_t>(2, size_t(found->second[0] - '0'));
}
void set_brush(BoardState& state, int kind) { state.cells["brush"] = std::to_string(kind); }

Cursor cursor_of(const BoardState& state, const Tiling& t) {
  Cursor at;
  const auto found = state.cells.find("cursor");
  if (found != state.cells.end()) {
    std::string_view text = found->second;
    at.i = take_number<int64_t>(text).value_or(at.i);
    if (!text.empty()) at.j = number_or(text.substr(1), at.j);
  }
  return {std::clamp<int64_t>(at.i, 0, t.tr - 1), std::clamp<int64_t>(at.j, 0, t.tc - 1)};
}
void set_cursor(BoardState& state, Cursor at) { state.cells["cursor"] = fmt::format("{},{}", at.i, at.j); }

void paint_tile(BoardState& state, const Tiling& t, Cursor at) {
  std::string paint = paint_of(state, t);
  paint[size_t(at.i * t.tc + at.j)] = kLetters[brush_of(state)];
  state.cells[cell_of(t)] = paint;
  set_cursor(state, at);
}

void paint_next(BoardState& state, const Tiling& t) {
  const Cursor at = cursor_of(state, t);
  if (paint_of(state, t)[size_t(at.i * t.tc + at.j)] == kLetters[brush_of(state)])
    set_brush(state, int((brush_of(state) + 1) % kLetters.size()));
  paint_tile(state, t, at);
}

Painted judged(const std::string& paint, const Tiling& t) {
  Painted out;
  out.all = t.tr * t.tc;
  for (int64_t i = 0; i < t.tr; ++i)
    for (int64_t j = 0; j < t.tc; ++j) {
      const char c = paint[size_t(i * t.tc + j)];
      if (c != '.') (c == letter_of(t.kind(i, j)) ? out.right : out.wrong) += 1;
    }
  return out;
}

std::string reason(const Tiling& t, Cursor at) {
  const int64_t first_key = at.j * t.bc + 1, last_key = at.j * t.bc + t.cols(at.j);
  const int64_t sees_first = std::min(t.n_k, at.i * t.br + t.offset + 1),
                sees_last = std::min(t.n_k, at.i * t.br + t.rows(at.i) + t.offset);
  const std::string tile = fmt::format("Q tile {}, K tile {}", at.i + 1, at.j + 1);
  switch (t.kind(at.i, at.j)) {
    case TileKind::Skipped:
      return fmt::format("{}: its first key is {}, and no row sees beyond key {}. Skip it.", tile, first_key,
                         std::max<int64_t>(0, sees_last));
    case TileKind::Full:
      return fmt::format("{}: even its first row sees up to key {}, and the tile ends at {}. It is whole.", tile,
                         sees_first, last_key);
    case TileKind::Masked: break;
  }
  return fmt::format("{}: its first row sees up to key {}, its last one up to {}. Mask it.", tile,
                     std::max<int64_t>(0, sees_first), sees_last);
}

}  // namespace tilewalk
