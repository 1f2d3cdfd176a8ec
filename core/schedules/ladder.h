// The rungs of the ladder: from the plainest kernel to the fastest, each with one idea more than the one before
// (kernels/README.md).
#pragma once

#include "core/schedules/kernel_shapes.h"

#include <span>
#include <string_view>
#include <vector>

namespace tilewalk {

std::span<const KernelId> ladder();
std::string_view idea_of(KernelId rung);  // what is new in it, in a line; empty for what is no rung

// The kernel with the rungs next to it, in the ladder's order. A kernel that is no rung (another form of FA1, small
// tiles, standard attention) stands alone, and FA3 in FP8 beside that in 16 bits.
std::vector<KernelId> with_neighbours(KernelId kernel);

}  // namespace tilewalk
