// The numbers of one kernel's result, each kind held against what can be; a sentence for each that cannot. Private to
// the audit.
#pragma once

#include "core/run/run.h"

#include <string>
#include <vector>

namespace tilewalk {

// What one launch must do at the least, whoever computes: all heads.
struct LeastWork {
  double flop = 0;     // 4 d for every pair of a query and a key that it sees
  double read = 0;     // bytes of Q, K and V that some query or key needs, once
  double written = 0;  // bytes of O
  double times = 1;    // the tensor cores' rate over that of 16 bits
};
// `width`: d as it lies in memory. `group`: heads of Q that share one of K and V.
LeastWork least_work(const Problem& problem, int64_t width, int64_t group = 1);
// The same of one of this project's kernels.
LeastWork least_work(const RunSpec& spec, Method kernel);

// `name` is the kernel's, for the sentences.
using Sentences = std::vector<std::string>;
void check_errors(const std::string& name, const KernelResult& said, const RunSpec& spec, Sentences& out);
void check_timing(const std::string& name, const Timing& timing, const RunSpec& spec, const Provenance& gpu,
                  const LeastWork& least, Sentences& out);
void check_counters(const std::string& name, const KernelResult& said, const RunSpec& spec, const Provenance& gpu,
                    const LeastWork& least, Sentences& out);
void check_trace(const std::string& name, const KernelResult& said, const RunSpec& spec, const Provenance& gpu,
                 Sentences& out);

}  // namespace tilewalk
