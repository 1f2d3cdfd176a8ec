// How much of L2 data really finds room in, measured by reading and writing plain buffers under the hardware counters;
// no attention kernel is involved. On a GPU whose L2 has two halves, what all multiprocessors read is there twice.
#pragma once

#include "kernels/traffic.h"
#include "kernels/worker/timing.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk::gpu {

struct L2Found {
  struct Point {
    int64_t bytes;
    double missed;       // share of them that came from DRAM when they were read once more
    double written = 0;  // share of them that went to DRAM meanwhile
  };
  std::vector<Point> one;      // each line read by one multiprocessor
  std::vector<Point> all;      // each line read by all of them
  std::vector<Point> changed;  // each line read and written by one
  std::vector<Point> random;   // `bytes` of them, read at random by all, again and again; `missed` of what was read
  // The size of which half is missed; 0: none of the sizes tried was.
  int64_t one_bytes = 0, all_bytes = 0;
  int64_t dirty_bytes = 0;  // of a long write, what had not reached DRAM when it ended
};

// Nothing where there are no counters; then `fault` says why. Throws CudaError. `flush` is prepared.
std::optional<L2Found> probe_l2(Traffic& traffic, const L2Flush& flush, const Provenance& gpu, cudaStream_t stream,
                                std::string& fault);

// `tilewalk-gpu l2`: the table, or one JSON document. Returns an exit code.
int l2_command(bool json);

}  // namespace tilewalk::gpu
