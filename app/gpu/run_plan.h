// Which run goes to the worker: the problem on the stage with its own inputs, the same mask, d and format at a size
// where times mean something (B * N = 16384, H * d = 2048), or the rungs of the ladder at such a size.
#pragma once

#include "core/attention/inputs.h"
#include "core/run/run.h"

#include <array>
#include <memory>
#include <string>

namespace tilewalk {

constexpr std::array<int64_t, 6> kBenchmarkN{512, 1024, 2048, 4096, 8192, 16384};
constexpr std::array<int64_t, 3> kDecodeN{8192, 32768, 131072};
constexpr std::array<int64_t, 3> kGroups{1, 4, 8};

struct RunPlan {
  RunSpec spec;
  std::string fault;                     // one sentence: why no kernel runs this; then the spec is not for sending
  std::shared_ptr<const Inputs> inputs;  // of the stage's problem, as the kernels see them; null for a benchmark
};

// The stage's problem. Generated inputs go as their seed, others as values; `hash` is hash_of(inputs). What is wider
// than fp16 on the stage is rounded to fp16.
RunPlan stage_run(const Problem& problem, const Inputs& inputs, uint64_t hash);

// The benchmark shape with N rows, by the kernels of that direction; the hash of its inputs is left 0, since making
// them takes a while: see input_hash().
RunPlan benchmark_run(const Problem& stage, int64_t n, Direction direction = Direction::Forward);
// FA2 and FA3 at that shape with so many heads of Q for each of K and V; hash left 0.
RunPlan grouped_run(const Problem& stage, int64_t n, int64_t group);
// FA3 at that shape, d = 128, in 16 bits and in FP8, whose numbers are rounded in four ways; hash left 0.
RunPlan fp8_run(const Problem& stage, int64_t n);
// A step of decoding: one query a head, 32 heads of Q in groups, n keys; K and V split and not. Hash left 0.
RunPlan decode_run(int64_t n, int64_t group);
// The rungs at N = 4096, fp16, d 64 or 128, as `tilewalk-gpu ladder` measures them; hash left 0.
RunPlan ladder_run(int64_t d, Mask mask);
uint64_t input_hash(const RunSpec& spec);  // of generated inputs, head 0

// Standard, FA1, FA2 and FA3; with 16-row K/V tiles on the stage also the small instances that cut as the stage does.
std::vector<Method> kernels_for(const Problem& stage);

}  // namespace tilewalk
