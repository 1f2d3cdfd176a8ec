// What each step of a thread block must wait for, from what it reads and writes alone: the tile it reads must have been
// written, and a place is written again only after all that read it. No time and no units yet.
//
// Q, K and V lie in shared memory, for all warpgroups of the block, in rings of `stages` buffers: the load number n of
// a tensor takes the buffer of load number n - stages. Everything else is a warpgroup's own, in its registers or its
// rows of memory.
#pragma once

#include "core/schedules/schedule.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

// The steps of one thread block, in the schedule's order. FA2 and FA3: Q tile `block`. Standard: the three kernels'
// blocks of that Q tile, one after the other. FA1: the whole head, whatever `block`.
std::vector<Step> block_steps(const Schedule& schedule, const Plan& plan, int64_t block);

struct Need {
  int32_t step;  // index of an earlier step
  bool buffer;   // it must have read, so that its place is free; else it must have written
  bool operator==(const Need&) const = default;
};

// Whether the step fills shared memory for the whole block, once, rather than being taken by each warpgroup.
bool fills_shared(StepKind kind);

std::vector<std::vector<Need>> needs_of(const std::vector<Step>& steps, int stages);

}  // namespace tilewalk
