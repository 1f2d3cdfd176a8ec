// What a launch kept busy: measured counts over measured time, held against what the GPU can do at that clock.
#pragma once

#include "core/run/run.h"

#include <string>
#include <vector>

namespace tilewalk {

// How much of what a multiprocessor, L2 or DRAM can do a launch used.
struct Busy {
  std::string what;  // "issue slots", "tensor cores", ...
  double share = 0;  // of what that unit does in the time at most
};
// The busiest first. Only what was counted, and of which the most is known, is in it.
std::vector<Busy> busy_units(const KernelResult& kernel, const Problem& problem, const Provenance& gpu);
// "it waits for tensor cores, 81 % of what there is", or that nothing is near its limit; empty where nothing was
// counted.
std::string limit_words(const std::vector<Busy>& units);

}  // namespace tilewalk
