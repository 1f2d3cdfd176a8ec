// What a GPU's DRAM counters should see of a schedule: all B * H heads, with as many thread blocks at once as the
// multiprocessors hold, in the kernel's launch order, their loads and stores interleaved one K/V tile at a time,
// through l2_cache.h. Unlike the stage, it heeds Variant::p_over_s.
#pragma once

#include "core/machine/machine_spec.h"
#include "core/schedules/schedule.h"

#include <cstdint>

namespace tilewalk {

struct DramEstimate {
  int64_t read_bytes = 0;
  int64_t written_bytes = 0;     // written while the kernels ran
  int64_t left_dirty_bytes = 0;  // still in L2 at the end; a counter stopped there has not seen them
  bool modelled = true;          // false: too large to follow; the numbers are zero
};

// Programs up to this many steps and bytes, all heads together, are followed (in a second or two).
constexpr int64_t kMostL2Steps = 32'000'000, kMostL2Bytes = 128'000'000'000;

// How a kernel's thread blocks come to the multiprocessors.
struct LaunchOrder {
  int resident = 1;        // blocks that a multiprocessor holds at once, as registers and shared memory allow
  int64_t group = 0;       // heads that go side by side (core/kernel/launch_order.h)
  bool rest_last = false;  // heads left over from whole groups go last, not first
  bool ahead = false;      // a multiprocessor takes its next block as it begins one, not as it ends it
  // By how much blocks drift apart (in_turns.h). Fitted to the DRAM bytes that were counted (docs/measurements.md).
  double turns_lost = 0.025;
};

DramEstimate estimate_dram(const Schedule& schedule, const Plan& plan, const MachineSpec& spec,
                           const LaunchOrder& order = {});

}  // namespace tilewalk
