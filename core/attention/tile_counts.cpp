#include "core/attention/tile_counts.h"

namespace tilewalk {

TileCounts count_tiles(const Tiling& t) {
  TileCounts out;
  out.tiles = t.tr * t.tc;
  for (int64_t i = 0; i < t.tr; ++i) {
    const int64_t visits = t.visits(i);
    // A ragged last tile is whole to the mask, so kind() is asked and not whole_tiles(): full tiles come first.
    int64_t full = std::min(visits, t.whole_tiles(i));
    while (full < visits && t.kind(i, full) == TileKind::Full) ++full;
    out.full += full;
    out.masked += visits - full;
    out.skipped += t.tc - visits;
    out.computed_scores += t.rows(i) * std::min(t.n_k, visits * t.bc);
  }
  if (!t.causal) {
    out.visible_scores = t.n_q * t.n_k;
    return out;
  }
  for (int64_t r = 0; r < t.n_q; ++r) out.visible_scores += std::clamp(r + t.offset + 1, int64_t{0}, t.n_k);
  return out;
}

}  // namespace tilewalk
