// Everything `tilewalk predict` says about one schedule on one problem, as plain numbers.
#pragma once

#include "app/cli/problem_options.h"
#include "core/model/dram.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"

#include <string>
#include <vector>

namespace tilewalk {

struct Prediction {
  const Schedule* schedule = nullptr;
  Count one;                        // one head, computed
  int64_t heads = 1;                // B * H
  Meters all;                       // of all heads, computed
  DramEstimate one_dram, all_dram;  // model
  int64_t nominal_flop = 0;         // 4 N_q N_k d for one head, halved by a causal mask: the papers' convention
  int64_t least_bytes = 0;          // one head: every input read once, every output written once
  Footprint held;                   // by one thread block, computed
  std::string remark;               // a sentence, or empty
};

// Throws CommandError where the tiles do not fit the machine.
std::vector<Prediction> predict(const Asked& asked);

// FLOP of the matrix products per byte; 0 where no byte was moved.
double intensity(int64_t flop, int64_t bytes);
inline int64_t dram_bytes(const DramEstimate& d) { return d.read_bytes + d.written_bytes + d.left_dirty_bytes; }

}  // namespace tilewalk
