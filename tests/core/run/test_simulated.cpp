#include "core/run/simulated.h"

#include "core/attention/reference.h"
#include "core/playback/replay.h"

#include <doctest/doctest.h>

#include <bit>
#include <chrono>
#include <cmath>

namespace tilewalk::test_simulated {

namespace {

constexpr Method kFused[] = {Method::Fa1, Method::Fa2, Method::Fa3, Method::Fa1Small, Method::Fa2Small};

SimulatedRun simulated(const Problem& p, Method kernel, const Inputs& inputs) {
  std::string fault;
  const auto out = simulate_run(p, kernel, inputs, fault);
  REQUIRE_MESSAGE(out, fault);
  return *out;
}

bool same(float a, double b) { return std::isnan(a) ? std::isnan(b) : a == float(b); }

}  // namespace

TEST_CASE("m, l, O and L equal those of the replay after every visit") {
  for (const Problem& base :
       {Problem{.n_q = 300, .n_k = 300, .d = 32}, Problem{.n_q = 150, .n_k = 290, .d = 80, .mask = Mask::Causal},
        Problem{.n_q = 260, .n_k = 70, .d = 64, .mask = Mask::Causal, .format = Format::BFloat16},
        Problem{.n_q = 1, .n_k = 200, .d = 128, .distribution = Distribution::Outliers},
        Problem{.n_q = 64, .n_k = 64, .d = 32, .mask = Mask::Causal}}) {
    const Inputs inputs = generate_inputs(base);
    for (Method kernel : kFused) {
      CAPTURE(info_of(kernel).key);
      CAPTURE(base.n_q);
      Problem p = kernel_problem(base, kernel);
      p.arithmetic = Arithmetic::Kernel;
      const Schedule& schedule = schedule_of(kernel);
      const Plan plan = kernel_plan(p, kernel);
      Replay replay(schedule, plan, default_machine(), inputs);
      const SimulatedRun run = simulated(base, kernel, inputs);
      REQUIRE(run.statistics.tiles == plan.tiling.tc);
      REQUIRE(run.statistics.rows == p.n_q);

      std::vector<bool> visited(run.statistics.m.size());
      for (int64_t k = 1; k <= replay.length(); ++k) {
        const Step& step = replay.steps()[size_t(k - 1)];
        if (step.kind != StepKind::RowSum) continue;
        const Matrix &m = *replay.at(k).find(Tensor::M)->data, &l = *replay.at(k).find(Tensor::L)->data;
        for (int64_t r = 0; r < m.rows; ++r) {
          const size_t at = size_t(step.j * p.n_q + plan.tiling.first_row(step.i) + r);
          visited[at] = true;
          REQUIRE(same(run.statistics.m[at], m.at(r, 0)));
          REQUIRE(same(run.statistics.l[at], l.at(r, 0)));
        }
      }
      for (size_t at = 0; at < visited.size(); ++at) REQUIRE(std::isnan(run.statistics.m[at]) == !visited[at]);
      for (size_t at = 0; at < visited.size(); ++at) REQUIRE(std::isnan(run.statistics.l[at]) == !visited[at]);

      const MachineState& end = replay.at(replay.length());
      for (int64_t i = 0; i < plan.tiling.tr; ++i)
        for (int64_t r = 0; r < plan.tiling.rows(i); ++r) {
          const int64_t row = plan.tiling.first_row(i) + r;
          REQUIRE(same(run.lse[size_t(row)], end.lse.get(i)->at(r, 0)));
          for (int64_t c = 0; c < p.d; ++c) REQUIRE(same(run.o[size_t(row * p.d + c)], end.o.get(i)->at(r, c)));
        }
    }
  }
}

TEST_CASE("O and L are near the float64 reference") {
  const Problem p{.n_q = 200, .n_k = 200, .d = 64, .mask = Mask::Causal};
  const Inputs inputs = generate_inputs(p);
  const Reference expected = reference(p, inputs);
  for (const MethodInfo& info : kernels()) {
    CAPTURE(info.key);
    const SimulatedRun run = simulated(p, info.id, inputs);
    double error = 0, size = 0;
    for (size_t e = 0; e < run.o.size(); ++e) {
      error += std::pow(run.o[e] - expected.o.values[e], 2);
      size += std::pow(expected.o.values[e], 2);
    }
    CHECK(std::sqrt(error / size) < 1e-3);
    CHECK(error > 0);  // of fp16, not of float64
    for (size_t r = 0; r < run.lse.size(); ++r)
      CHECK(run.lse[r] == doctest::Approx(expected.lse[r]).epsilon(info.id == Method::Standard ? 2e-3 : 1e-5));
    if (info.id == Method::Standard) CHECK(run.statistics.m.empty());
  }
}

TEST_CASE("N = 2048, d = 64 takes about a second, what takes long is refused") {
  const Problem p{.n_q = 2048, .n_k = 2048, .d = 64, .distribution = Distribution::Outliers};
  const Inputs inputs = generate_inputs(p);
  const auto start = std::chrono::steady_clock::now();
  const SimulatedRun run = simulated(p, Method::Fa2, inputs);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  MESSAGE("FA2, N = 2048, d = 64: ", took.count(), " s");
  CHECK(took.count() < 30);  // with sanitizers
  CHECK(run.statistics.tiles == 16);

  std::string fault;
  Problem large = p;
  large.n_q = large.n_k = 16384;
  CHECK_FALSE(simulate_run(large, Method::Fa2, {}, fault));
  CHECK(fault.find("smaller N") != std::string::npos);
  large = {.n_q = 8192, .n_k = 8192, .d = 16};
  CHECK_FALSE(simulate_run(large, Method::Standard, {}, fault));
  CHECK(fault.find("scores") != std::string::npos);
}

}  // namespace tilewalk::test_simulated
