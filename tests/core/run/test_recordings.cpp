// Every recording that is shipped opens, was measured on a GPU, and says nothing that cannot be.
#include "core/run/run_json.h"
#include "core/run/simulated.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace tilewalk;

TEST_CASE("The shipped recordings open; what ran was right before it was timed") {
  int files = 0, timed = 0, traced = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TILEWALK_SOURCE_DIR "/assets/recordings")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    INFO(entry.path().filename().string());
    for (const RunResult& result : load_recording(entry.path())) {
      CHECK(!result.provenance.gpu.empty());
      CHECK(result.provenance.date.size() == 20);
      CHECK(!result.kernels.empty());
      for (const KernelResult& kernel : result.kernels) {
        if (kernel.timing) {
          ++timed;
          REQUIRE(kernel.errors);
          CHECK(kernel.errors->passed);
          CHECK(kernel.timing->count >= 5);  // launches of more than 100 ms: no more fit two seconds
          CHECK(kernel.timing->best <= kernel.timing->median);
          CHECK(kernel.timing->p10 <= kernel.timing->median);
          CHECK(kernel.timing->median <= kernel.timing->p90);
        } else {
          CHECK(!kernel.refused.empty());
        }
        if (kernel.trace) ++traced;
      }
    }
  }
  CHECK(files >= 1);
  CHECK(timed >= 40);
  CHECK(traced >= 1);
}

namespace {

Inputs inputs_of(const RunSpec& spec) {
  const Problem& p = spec.problem;
  if (spec.inputs.kind == RunInputs::Kind::Generated)
    return generate_inputs(p, spec.trace_head / p.heads, spec.trace_head % p.heads);
  Inputs inputs{Matrix(p.n_q, p.d), Matrix(p.n_k, p.d), Matrix(p.n_k, p.d), spec.inputs.source};
  inputs.q.values.assign(spec.inputs.q.begin(), spec.inputs.q.end());
  inputs.k.values.assign(spec.inputs.k.begin(), spec.inputs.k.end());
  inputs.v.values.assign(spec.inputs.v.begin(), spec.inputs.v.end());
  round_inputs(inputs, p.format);
  return inputs;
}

double apart(float a, float b) { return a == b ? 0 : std::fabs(double(a) - double(b)); }

}  // namespace

TEST_CASE("On the same inputs the recorded kernels and the simulator agree: m and l at every tile, O and L") {
  int compared = 0, rows_with_alpha = 0;
  double worst_m = 0, worst_l = 0, worst_o = 0, worst_lse = 0;
  for (const RunResult& result : load_recording(TILEWALK_SOURCE_DIR "/assets/recordings/h200.json")) {
    const Problem& p = result.spec.problem;
    for (const KernelResult& kernel : result.kernels) {
      if (!kernel.trace) continue;
      const Inputs inputs = inputs_of(result.spec);
      CHECK(hash_of(inputs) == result.spec.inputs.hash);
      std::string fault;
      const auto simulated = simulate_run(p, kernel.kernel, inputs, fault);
      REQUIRE_MESSAGE(simulated, fault);
      ++compared;
      const RowStatistics &gpu = kernel.trace->statistics, &cpu = simulated->statistics;
      REQUIRE(gpu.tiles == cpu.tiles);
      REQUIRE(gpu.rows == cpu.rows);
      for (int64_t row = 0; row < gpu.rows; ++row) {
        double largest = 0, lowest = INFINITY, highest = -INFINITY;
        for (int64_t j = 0; j < gpu.tiles; ++j)
          if (const double m = cpu.m[size_t(j * gpu.rows + row)]; std::isfinite(m))
            largest = std::max(largest, std::fabs(m)), lowest = std::min(lowest, m), highest = std::max(highest, m);
        if (highest - lowest > std::log(2.0)) ++rows_with_alpha;
        for (int64_t j = 0; j < gpu.tiles; ++j) {
          const size_t at = size_t(j * gpu.rows + row);
          REQUIRE(std::isnan(gpu.m[at]) == std::isnan(cpu.m[at]));  // the same visits
          if (std::isnan(cpu.m[at])) continue;
          worst_m = std::max(worst_m, apart(gpu.m[at], cpu.m[at]) / largest);
          worst_l = std::max(worst_l, apart(gpu.l[at], cpu.l[at]) / std::max(1e-30f, cpu.l[at]));
        }
      }
      for (size_t k = 0; k < kernel.o.size(); ++k) worst_o = std::max(worst_o, apart(kernel.o[k], simulated->o[k]));
      for (size_t k = 0; k < kernel.lse.size(); ++k)
        worst_lse = std::max(worst_lse, apart(kernel.lse[k], simulated->lse[k]));
    }
  }
  MESSAGE(compared, " traced runs: m ", worst_m, ", l ", worst_l, ", O ", worst_o, ", L ", worst_lse,
          "; rows whose max rose by log 2: ", rows_with_alpha);
  CHECK(compared >= 5);
  CHECK(rows_with_alpha > 0);
  CHECK(worst_m <= 1e-5);
  CHECK(worst_l <= 1e-3);
  CHECK(worst_o <= 2e-3);
  CHECK(worst_lse <= 2e-3);
}
