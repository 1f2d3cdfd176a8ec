// What is wrong with a request before anything is allocated, and what it will need.
#pragma once

#include "kernels/forward.h"
#include "kernels/worker/device.h"

#include <string>

namespace tilewalk::gpu {

// Throws Refused("problem"): the first thing that the kernels cannot do, as one sentence.
void check_request(const RunSpec& spec);

// The kernels' view of a problem; all pointers null.
Forward forward_of(const Problem& problem);
// The same of one kernel's part in a run, on so many multiprocessors: heads of K and V, switch and splits.
Request request_of(const RunSpec& spec, const Answer& asked, int multiprocessors);

// GPU memory for one kernel's run, in bytes, everything included.
size_t bytes_needed(const RunSpec& spec, Method kernel, const Provenance& gpu);

// Nothing where `kernel` fits `free` bytes with a tenth to spare; else a "memory" failure that says what is needed and
// the largest N that fits.
std::optional<Failure> memory_fault(const RunSpec& spec, Method kernel, const Provenance& gpu, size_t free);

}  // namespace tilewalk::gpu
