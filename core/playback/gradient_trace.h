// One query row through a backward walk: its weight P and its dS for every key, and which of them the walk has made by
// now. This is what the chart of a backward walk draws. Computed on its own from the row, in the walk's arithmetic for
// scores and in float64 for the rest.
#pragma once

#include "core/playback/replay.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

struct GradientTrace {
  struct Key {
    double p, ds;  // 0 where the mask hides the key from the row
    int32_t tile;  // K/V tile, from 0
    bool weighed;  // its P has been made again, or lay in memory all the time
    bool graded;   // its dS has been made
    bool hidden;
  };
  std::vector<Key> keys;  // [N_k]
  double lse = 0, d = 0;  // L and D of the row
};

// `row` counts from 0 over the whole of Q. For backward schedules.
GradientTrace trace_gradients(const Replay& replay, int64_t playhead, int64_t row);

}  // namespace tilewalk
