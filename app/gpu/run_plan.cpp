#include "app/gpu/run_plan.h"

#include "core/run/benchmark.h"
#include "core/method/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr int64_t kMostStatistics = 1 << 18;  // rows times tiles of m and l that a run brings back
constexpr int64_t kMostOutputs = 1 << 20;     // elements of O

std::vector<float> floats(const Matrix& matrix) {
  std::vector<float> out(matrix.values.size());
  std::ranges::transform(matrix.values, out.begin(), [](double value) { return float(value); });
  return out;
}

std::string first_fault_of(const Problem& p) {
  if (p.softmax_scale() <= 0)
    return "The kernels take a positive softmax scale, and the stage's is not: change it under Problem.";
  if (p.format == Format::E4M3)
    return "The kernels compute in fp16 and bf16, and the stage's numbers are e4m3: choose one under Problem.";
  return {};
}

void ask_for_all(RunSpec& spec) {
  const Problem& p = spec.problem;
  spec.counters = true;
  spec.outputs = p.n_q * p.d <= kMostOutputs;
  spec.trace = p.n_q * ((p.n_k + 15) / 16) <= kMostStatistics;
}

}  // namespace

std::vector<Method> kernels_for(const Problem& stage) {
  std::vector<Method> out;
  for (const MethodInfo& info : compared_kernels()) out.push_back(info.id);
  if (stage.bc == 16)
    for (Method small : {Method::Fa1Small, Method::Fa2Small}) out.push_back(small);
  return out;
}

RunPlan stage_run(const Problem& problem, const Inputs& inputs, uint64_t hash) {
  RunPlan plan{{}, first_fault_of(problem), nullptr};
  RunSpec& spec = plan.spec;
  spec.problem = problem;
  auto seen = std::make_shared<Inputs>(inputs);
  if (problem.format == Format::Float32 || problem.format == Format::Float64) {
    spec.problem.format = Format::Float16;
    round_inputs(*seen, Format::Float16);
    hash = hash_of(*seen);
  }
  spec.problem.arithmetic = Arithmetic::Kernel;
  spec.kernels = kernels_for(problem);
  spec.inputs.source = inputs.source;
  spec.inputs.hash = hash;
  if (problem.distribution == Distribution::Custom) {
    spec.inputs.kind = RunInputs::Kind::Values;
    spec.inputs.q = floats(seen->q);
    spec.inputs.k = floats(seen->k);
    spec.inputs.v = floats(seen->v);
  }
  plan.inputs = std::move(seen);
  ask_for_all(spec);
  return plan;
}

RunPlan benchmark_run(const Problem& stage, int64_t n, Direction direction) {
  RunPlan plan{{}, first_fault_of(stage), nullptr};
  RunSpec& spec = plan.spec;
  Problem& p = spec.problem;
  p = stage;
  p.arithmetic = Arithmetic::Kernel;
  p.n_q = p.n_k = n;
  p.d = padded_d(std::min(stage.d, kMostKernelD));
  p.batch = std::max<int64_t>(1, kBenchmarkTokens / n);
  p.heads = kBenchmarkWidth / p.d;
  p.br = p.bc = 128;
  p.scale = 0;
  if (p.format != Format::BFloat16) p.format = Format::Float16;
  if (p.distribution == Distribution::Custom) p.distribution = Distribution::Normal, p.seed = Problem{}.seed;
  spec.inputs.source = fmt::format("{}, seed {}", name_of(p.distribution), p.seed);
  if (direction == Direction::Backward) {
    for (const MethodInfo& info : backward_kernels()) spec.kernels.push_back(info.id);
    spec.counters = true;
    return plan;
  }
  spec.kernels = kernels_for(p);
  // At sizes at which times mean something, both forms of FA1.
  spec.kernels.insert(std::ranges::find(spec.kernels, Method::Fa1), Method::Fa1Paper);
  ask_for_all(spec);
  return plan;
}

RunPlan grouped_run(const Problem& stage, int64_t n, int64_t group) {
  RunPlan plan = benchmark_run(stage, n);
  plan.spec.kernels = {Method::Fa2, Method::Fa3};
  plan.spec.kv_heads = plan.spec.problem.heads / group;
  plan.spec.trace = plan.spec.outputs = false;
  return plan;
}

RunPlan fp8_run(const Problem& stage, int64_t n) {
  Problem wide = stage;
  wide.d = kMostKernelD;
  if (wide.format == Format::E4M3) wide.format = Format::Float16;
  RunPlan plan = benchmark_run(wide, n);
  plan.spec.kernels = {Method::Fa3, Method::Fa3Fp8};
  plan.spec.switches = {Switch::TileScales, Switch::Rotation, Switch::RotationAlone};
  plan.spec.trace = plan.spec.outputs = false;
  return plan;
}

RunPlan decode_run(int64_t n, int64_t group) {
  constexpr int64_t kHeads = 32;
  RunPlan plan;
  RunSpec& spec = plan.spec;
  spec.problem = {.heads = kHeads, .n_q = 1, .n_k = n, .d = 128};
  spec.kernels = {Method::SplitKv};
  spec.switches = {Switch::Splitting};
  spec.kv_heads = group > 1 ? kHeads / group : 0;
  spec.inputs.source = fmt::format("{}, seed {}", name_of(spec.problem.distribution), spec.problem.seed);
  spec.flush_l2 = spec.counters = true;
  return plan;
}

RunPlan ladder_run(int64_t d, Mask mask) {
  constexpr int64_t kN = 4096;
  RunPlan plan;
  RunSpec& spec = plan.spec;
  spec.problem = benchmark_problem(kN, d, mask);
  spec.kernels.assign(ladder().begin(), ladder().end());
  spec.inputs.source = fmt::format("{}, seed {}", name_of(spec.problem.distribution), spec.problem.seed);
  spec.counters = true;
  return plan;
}

uint64_t input_hash(const RunSpec& spec) { return hash_of(generate_inputs(spec.problem)); }

}  // namespace tilewalk
