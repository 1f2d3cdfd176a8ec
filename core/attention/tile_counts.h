// What a causal mask makes of a tiling: how many tiles are skipped, cut by the mask, or whole, and how many scores are
// computed only to be hidden. Source: FlashAttention-2 (arXiv:2307.08691) section 3.1.1.
#pragma once

#include "core/attention/tiling.h"

#include <cstdint>

namespace tilewalk {

struct TileCounts {
  int64_t tiles = 0;                          // Tr x Tc
  int64_t skipped = 0, masked = 0, full = 0;  // they add up to tiles
  int64_t computed_scores = 0;                // of the visited tiles; a ragged tile's real ones
  int64_t visible_scores = 0;                 // those that the mask leaves
  int64_t visited() const { return masked + full; }
  double visited_share() const { return tiles ? double(visited()) / double(tiles) : 0; }
  // Scores computed to be hidden, for each visible one.
  double wasted_share() const {
    return visible_scores ? double(computed_scores - visible_scores) / double(visible_scores) : 0;
  }
  // Tiles with every key over tiles visited: no kernel gains more from the mask.
  double speedup_bound() const { return visited() ? double(tiles) / double(visited()) : 0; }
};

TileCounts count_tiles(const Tiling& tiling);  // O(Tr + N_q)

}  // namespace tilewalk
