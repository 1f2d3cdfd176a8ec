// One thread block of FA3's tiles on an H100, laid by the timing pass: what the board of lanes and lessons speak of.
#pragma once

#include "core/timing/steady.h"

namespace tilewalk {

struct LaidBlock {
  Plan plan;
  Overlap overlap;
  Timeline timeline;
  Steady middle;      // its even part
  int64_t products;   // ticks that the matrix products of one K/V tile take
  int64_t exponents;  // ticks that its exponentials take
  int64_t serial;     // ticks that the block would take with one step at a time
  int64_t tiles() const { return plan.tiling.tc; }
  double exp_share() const { return double(exponents) / double(products); }
};

// As long as the recorded runs that have clock stamps; the rhythm is the same at any length.
constexpr int64_t kLaidN = 2048;

// The schedule's steps on the tiles and warpgroups that our FA3 kernel has at this d, 64 or 128, with inputs in fp16 or
// e4m3. `vector_unit`: max, sums and rescaling take time too. The warpgroups of `overlap` are the kernel's.
LaidBlock lay_fa3_block(Method schedule, int d, Format format, Overlap overlap, bool vector_unit);

}  // namespace tilewalk
