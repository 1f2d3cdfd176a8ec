// The board of lanes, in pieces: what is laid, and the two charts.
#pragma once

#include "app/boards/board.h"
#include "core/run/run.h"
#include "core/timing/steady.h"

namespace tilewalk {

// One thread block as the knobs have it.
struct LaidBlock {
  Plan plan;
  Overlap overlap;
  Timeline timeline;
  Steady middle;       // its even part
  int64_t products;    // ticks that the matrix products of one K/V tile take
  int64_t exponents;   // ticks that its exponentials take
  int64_t serial;      // ticks that the block would take with one step at a time
  int64_t tiles() const { return plan.tiling.tc; }
};

// The whole block as a strip and a few K/V tiles of it as lanes.
void layout_lanes(Scene& scene, const BoardView& view, Rect area, const LaidBlock& block);

// A recorded run's clock stamps of FA3's warpgroups, or null; and its chart.
const KernelTrace* fa3_stamps(const RunResult& recorded);
void layout_recorded_lanes(Scene& scene, const BoardView& view, Rect area, const RunResult& recorded);

}  // namespace tilewalk
