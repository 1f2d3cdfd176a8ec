// The recordings that are part of the program.
#pragma once

#include "core/run/ring_run.h"

#include <vector>

namespace tilewalk {

const std::vector<RunResult>& shipped_recordings();  // ours first, then PyTorch's

const std::vector<RingResult>& shipped_rings();
// The one of as many GPUs and tokens, d, mask and split, whose K and V travel so, with multiprocessors left free or
// none; null: there is none.
const RingResult* shipped_ring(const RingSpec& wanted);

}  // namespace tilewalk
