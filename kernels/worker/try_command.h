// `tilewalk-gpu try KERNEL`: one rung of the ladder measured beside its neighbours, for people.
#pragma once

#include "core/run/run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewalk::gpu {

// From the plainest kernel to the fastest; each adds one idea to the one before.
std::span<const KernelId> ladder();

// The kernel with the rungs next to it, in the ladder's order. A kernel that is no rung (another form of FA1, small
// tiles, standard attention) stands alone.
std::vector<KernelId> with_neighbours(KernelId kernel);

// How much of what a multiprocessor, L2 or DRAM can do a launch used: measured counts over measured time.
struct Busy {
  std::string what;  // "issue slots", "tensor cores", ...
  double share = 0;  // of what that unit does in the time at most
};
// The busiest first. Only what was counted, and of which the most is known, is in it.
std::vector<Busy> busy_units(const KernelResult& kernel, const Problem& problem, const Provenance& gpu);
// "issue slots, 83 % busy", or that nothing is near its limit; empty where nothing was counted.
std::string limit_words(const std::vector<Busy>& units);

struct Tried {
  std::string kernel;         // its key
  std::string without, with;  // at most one of them names a switch of it (kernels/switches.h)
};
// Leaves as run_command() does.
int try_command(const Tried& tried, RunSpec spec, bool anyway, bool json);

}  // namespace tilewalk::gpu
