// Counting without running: folded sums equal the cost table summed over every step, and what the machine metered.
#include "core/schedules/count.h"

#include "core/playback/replay.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

namespace tilewalk::test_count {
using namespace tilewalk::test;

TEST_CASE("the folded count equals the sum over all steps, pass by pass") {
  for (uint64_t number = 0; number < 900; ++number) {
    Problem p = make_case(number).problem;
    if (number % 3 == 0) {  // longer programs, so that there is something to fold
      p.n_q *= 5;
      p.n_k *= 7;
    }
    INFO(words_of({p, {}, {}}));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, p, variant);
        std::vector<Meters> passes(schedule.passes.size());
        Meters total;
        for (const Step& step : steps_of(schedule, plan)) {
          passes[step.pass] += cost_of(step, plan);
          total += cost_of(step, plan);
        }
        const Count counted = count(schedule, plan);
        CHECK(counted.total == total);
        CHECK(counted.passes == passes);
      }
  }
}

TEST_CASE("the machine meters what was counted") {
  for (uint64_t number = 0; number < 200; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        const Plan plan = make_plan(schedule, c.problem, variant);
        Replay replay(schedule, plan, roomy(), c.inputs);
        CHECK(replay.at(replay.length()).meters == count(schedule, plan).total);
      }
  }
}

TEST_CASE("what a step moves is what its tile holds") {
  Problem p;
  p.n_q = 10;
  p.n_k = 7;
  p.d = 3;
  p.br = 4;
  p.bc = 4;
  const Plan plan = make_plan(schedule_of(Method::Fa1), p, VariantId::Kernel);
  const auto cost = [&](StepKind kind, int32_t i, int32_t j, int flags = 0) {
    Step step;
    step.kind = kind;
    step.i = i;
    step.j = j;
    step.flags = uint8_t(flags);
    return cost_of(step, plan);
  };
  CHECK(cost(StepKind::LoadQ, 0, 0).fill_bytes() == 4 * 3 * 2);
  CHECK(cost(StepKind::LoadQ, 2, 0).fill_bytes() == 2 * 3 * 2);  // two rows are left
  CHECK(cost(StepKind::LoadK, 0, 1).fill_bytes() == 3 * 3 * 2);
  CHECK(cost(StepKind::StoreO, 0, 0).drain_bytes() == 4 * 3 * 4);
  CHECK(cost(StepKind::StoreO, 0, 0, Step::kOutput).drain_bytes() == 4 * 3 * 2);
  CHECK(cost(StepKind::LoadStats, 2, 0).fill_bytes() == 2 * 2 * 4);
  CHECK(cost(StepKind::StoreLse, 1, 0).drain_bytes() == 4 * 4);
  CHECK(cost(StepKind::LoadK, 0, 0, Step::kAgain).paper_bytes() == 0);
  CHECK(cost(StepKind::Score, 2, 1).matrix_flop == 2 * 2 * 3 * 3);
  CHECK(cost(StepKind::Exponentiate, 2, 1).exponentials == 2 * 3);
  CHECK(cost(StepKind::RowMax, 2, 1).exponentials == 2);
  CHECK(cost(StepKind::RowMax, 2, 1, Step::kFinalMax).exponentials == 0);
}

TEST_CASE("counts of the largest problems come back, and do not overflow") {
  Problem p;
  p.n_q = p.n_k = int64_t{1} << 24;
  p.d = 1024;
  p.format = Format::Float64;
  for (const auto& [tile, mask] :
       {std::pair(64, Mask::Full), std::pair(1024, Mask::Full), std::pair(1024, Mask::Causal)}) {
    p.br = p.bc = tile;
    p.mask = mask;
    REQUIRE(validate(p).empty());
    for (const Schedule& schedule : schedules()) {
      const Meters m = count(schedule, make_plan(schedule, p, VariantId::Paper)).total;
      CHECK(double(m.matrix_flop) ==
            doctest::Approx((mask == Mask::Full || schedule.id == Method::Standard ? 1 : 0.5) * 0x1p60).epsilon(0.01));
      CHECK(m.steps > 0);
      CHECK(m.operand_bytes > 0);
      CHECK(m.paper_bytes() > 0);
      CHECK(m.fill_bytes() > m.drain_bytes());
    }
  }
}

}  // namespace tilewalk::test_count
