// One query row through a whole walk: every score it meets, and its m, alpha and l after every visit. This is what the
// strip chart draws. The row is computed on its own with the machine's arithmetic, so it costs N * d products and
// equals the machine's values bit for bit, without replaying anything.
#pragma once

#include "core/playback/replay.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewalk {

struct RowTrace {
  struct Visit {
    int32_t j;           // K/V tile
    int64_t step;        // playhead at which l was brought up to date; in `open`, at which m was
    double m, alpha, l;  // after the visit; alpha is 1 in a schedule that takes no sum before the max is final
    double tile_sum;     // rowsum of P of this tile
  };
  struct Key {
    double score;  // scale * q . k, or -inf where the mask hides the key from the row
    int32_t tile;  // K/V tile, from 0
    bool seen;     // its tile of S has been computed for this row
  };
  std::vector<Visit> visits;  // up to and including the playhead, in the order in which they happen
  std::optional<Visit> open;  // a visit whose m and alpha are known already; l is still the one before it
  std::vector<Key> keys;      // [N_k], also those that are still to come
};

// `row` counts from 0 over the whole of Q.
RowTrace trace_row(const Replay& replay, int64_t playhead, int64_t row);

}  // namespace tilewalk
