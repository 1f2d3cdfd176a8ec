// Scrubbing: the state at every step, reached backwards and by leaps, is the forward run's, bit for bit.
#include "core/playback/replay.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk::test_replay {
using namespace tilewalk::test;

namespace {

constexpr ReplayOptions kPlenty{}, kTiny{.keyframe_budget = 1, .first_interval = 4},
    kSome{.keyframe_budget = 20000, .first_interval = 1};

std::vector<uint64_t> forward_run(const Schedule& schedule, const Plan& plan, const Inputs& inputs) {
  const Machine machine(schedule, plan, roomy(), inputs);
  MachineState state = machine.start();
  std::vector<uint64_t> prints{fingerprint(state)};
  for (const Step& step : steps_of(schedule, plan)) {
    machine.apply(state, step);
    prints.push_back(fingerprint(state));
  }
  return prints;
}

}  // namespace

TEST_CASE("from the end to the start, every state is the forward run's, with many keyframes and with few") {
  std::vector<Case> cases;
  for (uint64_t number = 0; number < 30; ++number) cases.push_back(make_case(number));
  Case large;
  large.problem.n_q = large.problem.n_k = 30;
  large.problem.arithmetic = Arithmetic::Kernel;
  large.inputs = generate_inputs(large.problem);
  cases.push_back(large);

  for (const Case& c : cases) {
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, c.problem, variant);
        const std::vector<uint64_t> forward = forward_run(schedule, plan, c.inputs);
        for (const ReplayOptions& options : {kPlenty, kTiny, kSome}) {
          Replay replay(schedule, plan, roomy(), c.inputs, options);
          REQUIRE(replay.length() + 1 == int64_t(forward.size()));
          int64_t wrong = 0;
          for (int64_t k = replay.length(); k >= 0; --k) wrong += fingerprint(replay.at(k)) != forward[size_t(k)];
          CHECK(wrong == 0);

          Random random(c.problem.seed);
          for (int n = 0; n < 30; ++n) {
            const int64_t k = random.between(0, replay.length());
            wrong += fingerprint(replay.at(k)) != forward[size_t(k)];
            wrong += replay.at(k).step != k;
          }
          CHECK(wrong == 0);
        }
      }
  }
}

TEST_CASE("keyframes stay under their budget") {
  Problem p;
  p.n_q = p.n_k = 64;
  const Inputs inputs = generate_inputs(p);
  for (const Schedule& schedule : schedules()) {
    const Plan plan = make_plan(schedule, p, VariantId::Paper);
    Replay plenty(schedule, plan, roomy(), inputs), tiny(schedule, plan, roomy(), inputs, kTiny);
    CHECK(plenty.interval() == 64);
    CHECK(plenty.keyframe_bytes() > 50000);
    CHECK(tiny.interval() > plenty.length() / 2);
    for (int64_t budget : {int64_t{300'000}, int64_t{1'000'000}}) {
      Replay some(schedule, plan, roomy(), inputs, {.keyframe_budget = budget, .first_interval = 1});
      CHECK(some.keyframe_bytes() <= budget);
      CHECK(some.keyframe_bytes() > budget / 8);
      CHECK(some.interval() < some.length());
    }
  }
}

TEST_CASE("seeking outside the program stops at its ends") {
  Problem p;
  const Plan plan = make_plan(schedule_of(Method::Fa2), p, VariantId::Paper);
  Replay replay(schedule_of(Method::Fa2), plan, default_machine(), generate_inputs(p));
  CHECK(replay.at(-5).step == 0);
  CHECK(replay.at(0).chip.empty());
  CHECK(replay.at(replay.length() + 99).step == replay.length());
}

TEST_CASE("markers stand where a max rises, where O is stored and where keys are hidden") {
  for (uint64_t number = 0; number < 200; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules()) {
      const Plan plan = make_plan(schedule, c.problem, VariantId::Paper);
      Replay replay(schedule, plan, roomy(), c.inputs);
      std::vector<std::pair<int, int64_t>> expected;
      std::vector<double> m(size_t(plan.tiling.n_q), -std::numeric_limits<double>::infinity());
      for (int64_t k = 1; k <= replay.length(); ++k) {
        const Step& step = replay.steps()[size_t(k - 1)];
        if (step.kind == StepKind::StoreO) expected.emplace_back(Marker::Stored, k);
        if (step.kind == StepKind::Mask) expected.emplace_back(Marker::Masked, k);
        if (step.kind != StepKind::RowMax || step.has(Step::kFinalMax)) continue;
        const Matrix& now = *replay.at(k).find(Tensor::M)->data;
        bool rose = false;
        for (int64_t r = 0; r < now.rows; ++r) {
          double& before = m[size_t(step.i * plan.tiling.br + r)];
          // So small a rise that e^(m - m') rounds to 1 shrinks nothing.
          rose |= before > -std::numeric_limits<double>::infinity() && std::exp(before - now.at(r, 0)) < 1;
          before = now.at(r, 0);
        }
        if (rose) expected.emplace_back(Marker::MaxRose, k);
      }
      std::vector<std::pair<int, int64_t>> got;
      for (const Marker& marker : replay.markers()) got.emplace_back(marker.kind, marker.step);
      CHECK(got == expected);
    }
  }
}

TEST_CASE("a program that the machine refuses is refused when the replay is made") {
  Problem p;
  MachineSpec small = default_machine();
  small.sram_bytes = 64;
  const Plan plan = make_plan(schedule_of(Method::Fa2), p, VariantId::Paper);
  CHECK_THROWS_AS(Replay(schedule_of(Method::Fa2), plan, small, generate_inputs(p)), MachineFault);
}

}  // namespace tilewalk::test_replay
