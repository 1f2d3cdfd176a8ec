#include "kernels/worker/beside_words.h"

#include "core/run/benchmark.h"
#include "core/run/nominal.h"
#include "core/run/prediction.h"
#include "core/kernel/switches.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

namespace tilewalk::gpu {
namespace {

std::string name_of(const KernelResult& k, const Problem& p) {
  const SwitchInfo* with = switch_of(k.kernel, k.with, p.d, p.mask == Mask::Causal);
  return std::string(info_of(k.kernel).key) + (with ? " " + option_of(*with) : "");
}

// The pass is no part of a launch: the rate with it stands beside that of the kernel alone.
void print_rounding(const RunResult& run) {
  const Problem& p = run.spec.problem;
  std::vector<std::vector<std::string>> table{
      {"before rounding", "RMSE", "relative", "L", "rounding takes", "kernel", "both", "TFLOP/s of both"}};
  for (const KernelResult& k : run.kernels)
    if (k.rounding && k.timing) {
      const double both = k.rounding->seconds * 1e3 + k.timing->median;
      table.push_back({name_of(k, p), fmt::format("{:.2e}", k.rounding->rmse), fmt::format("{:.2e}", k.rounding->whole),
                       fmt::format("{:.1e}", k.rounding->lse), time_words(k.rounding->seconds * 1e3),
                       time_words(k.timing->median), time_words(both),
                       fmt::format("{:.1f}", nominal_flop(p) / both / 1e9)});
    }
  if (table.size() == 1) return;
  fmt::print("\n");
  print_table(table);
  fmt::print("A pass of its own rounds Q, K and V to e4m3 and transposes V; no launch of the kernel contains it.\n");
}

void print_splits(const RunResult& run, double roof) {
  const Problem& p = run.spec.problem;
  const int64_t kv_heads = p.batch * p.heads / group_of(run.spec);
  std::vector<std::vector<std::string>> table{{"decoding", "heads", "of K, V", "splits", "blocks", "K, V TB/s",
                                               "of roof", "L2 to SM over predicted", "SM to L2", "over predicted",
                                               "DRAM read"}};
  for (const KernelResult& k : run.kernels) {
    if (k.kernel != Method::SplitKv || !k.timing) continue;
    const double rate = kv_bytes(run.spec) / k.timing->median * 1e3;
    const RunPrediction predicted = predict_run(run.spec, {k.kernel, k.with}, run.provenance, false);
    const Counters c = k.counters.value_or(Counters{});
    table.push_back({name_of(k, p), std::to_string(p.batch * p.heads), std::to_string(kv_heads),
                     std::to_string(k.splits), std::to_string(k.splits * kv_heads), fmt::format("{:.2f}", rate / 1e12),
                     roof > 0 ? fmt::format("{:.0f} %", 100 * rate / roof) : "-",
                     over_words(c.l2_to_sm, predicted.fill_bytes), bytes_words(c.sm_to_l2),
                     over_words(c.sm_to_l2, predicted.drain_bytes), bytes_words(c.dram_read)});
  }
  if (table.size() == 1) return;
  fmt::print("\n");
  print_table(table);
}

}  // namespace

void print_beside(const RunResult& run, double roof) {
  print_rounding(run);
  print_splits(run, roof);
  if (group_of(run.spec) > 1)
    fmt::print("\n{} heads of Q share {} of K and V.\n", run.spec.problem.heads, run.spec.kv_heads);
}

void as_decoding(RunSpec& spec) {
  if (spec.problem.n_q == spec.problem.n_k) spec.problem.n_q = 1;
  spec.problem.mask = Mask::Full;
  spec.flush_l2 = true;
}

std::vector<RunSpec> beside_runs(std::string_view set) {
  constexpr int64_t kD = 128;
  std::vector<RunSpec> out;
  const auto add = [&](const Problem& p, std::vector<Method> kernels, std::vector<Switch> switches) -> RunSpec& {
    RunSpec& spec = out.emplace_back();
    spec.problem = p;
    spec.kernels = std::move(kernels);
    spec.switches = std::move(switches);
    spec.counters = true;
    return spec;
  };
  if (set == "decode")
    for (const int64_t n : {8192, 32768, 131072})
      for (const int64_t group : {1, 4, 8}) {
        RunSpec& spec = add({.heads = 32, .n_q = 1, .n_k = n, .d = kD}, {Method::SplitKv}, {Switch::Splitting});
        spec.kv_heads = group > 1 ? 32 / group : 0;
        spec.flush_l2 = true;
      }
  if (set == "fp8") {
    const std::vector<Switch> ways{Switch::TileScales, Switch::Rotation, Switch::RotationAlone};
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const int64_t n : {512, 1024, 2048, 4096, 8192, 16384})
        add(benchmark_problem(n, kD, mask), {Method::Fa3, Method::Fa3Fp8}, n == 4096 ? ways : std::vector<Switch>{});
    Problem outliers = benchmark_problem(4096, kD);
    outliers.distribution = Distribution::Outliers;
    add(outliers, {Method::Fa3, Method::Fa3Fp8}, ways);
  }
  if (set == "groups")
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const int64_t n : {4096, 16384})
        for (const int64_t group : {1, 4, 8})
          add(benchmark_problem(n, kD, mask), {Method::Fa2, Method::Fa3}, {}).kv_heads =
              group > 1 ? kBenchmarkWidth / kD / group : 0;
  if (set == "widths")
    for (const int64_t d : {96, 256})
      for (const Mask mask : {Mask::Full, Mask::Causal})
        for (const int64_t n : {512, 1024, 2048, 4096, 8192, 16384})
          add(benchmark_problem(n, d, mask), {Method::Standard, Method::Fa2, Method::Fa3}, {}).counters =
              n == 1024 || n == 4096 || n == 16384;
  return out;
}

}  // namespace tilewalk::gpu
