// What a GPU kernel should leave behind, computed by the simulator: m and l of every row after every K/V tile, O and L,
// for one head, with the kernel's tiles, order and number formats (inputs and P in the problem's format, sums in fp32).
// The machine takes the kernel's steps once from start to end and keeps nothing but this, so that it costs the
// arithmetic alone: N = 2048, d = 64 takes under a second.
#pragma once

#include "core/attention/inputs.h"
#include "core/run/run.h"
#include "core/kernel/kernel_shapes.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct SimulatedRun {
  RowStatistics statistics;   // none for Standard, whose softmax sees whole rows
  std::vector<float> o, lse;  // [n_q, d] and [n_q], as in KernelResult
};

// `inputs` are of that head and fit the problem. Or nothing where it would take too long or too much memory, with the
// reason as a sentence in `fault`: up to kMostSimulatedFlop in matrix products, and for Standard kMostSimulatedScores.
std::optional<SimulatedRun> simulate_run(const Problem& problem, Method kernel, const Inputs& inputs,
                                         std::string& fault, KernelVersion version = KernelVersion::Now);

constexpr int64_t kMostSimulatedFlop = 20'000'000'000;
constexpr int64_t kMostSimulatedScores = int64_t{1} << 24;

}  // namespace tilewalk
