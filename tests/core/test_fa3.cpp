// What sets FA3's step list apart from FA2's, and what does not.
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"
#include "core/kernel/kernel_shapes.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <set>

namespace tilewalk::test_fa3 {
using namespace tilewalk::test;

namespace {

const Schedule& fa3() { return schedule_of(Method::Fa3); }

}  // namespace

TEST_CASE("the next scores come before the older product, and alpha after it") {
  for (uint64_t number = 0; number < 300; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (VariantId variant : kVariants) {
      const Plan plan = make_plan(fa3(), c.problem, variant);
      std::map<int32_t, std::vector<Step>> rows;
      for (const Step& s : steps_of(fa3(), plan)) rows[s.i].push_back(s);
      for (const auto& [i, steps] : rows) {
        std::vector<int32_t> scored, summed, added, rescaled;
        for (const Step& s : steps) {
          if (s.kind == StepKind::Score) scored.push_back(s.j);
          if (s.kind == StepKind::Accumulate) {
            added.push_back(s.j);
            // All but the last product find the next tile's scores made already, and no sum of theirs.
            const bool last = int64_t(added.size()) == plan.tiling.visits(i);
            REQUIRE(scored.size() == added.size() + (last ? 0 : 1));
            REQUIRE(summed.size() == added.size());
          }
          if (s.kind == StepKind::RowSum) summed.push_back(s.j);
          if (s.kind == StepKind::Rescale) {
            rescaled.push_back(s.j);
            REQUIRE(summed.back() == s.j);
            REQUIRE(added.size() + 1 == summed.size());
          }
        }
        // The first visit is that of the first tile, whichever turn its product falls in.
        for (const Step& s : steps) {
          using enum StepKind;
          const bool of_tile = s.kind == LoadK || s.kind == LoadV || s.kind == Score || s.kind == Mask ||
                               s.kind == RowMax || s.kind == Exponentiate || s.kind == RowSum || s.kind == Accumulate;
          REQUIRE(s.has(Step::kFirstVisit) == (of_tile && s.j == scored.front()));
        }
        REQUIRE(int64_t(scored.size()) == plan.tiling.visits(i));
        REQUIRE(added == scored);
        REQUIRE(summed == scored);
        for (size_t n = 0; n < scored.size(); ++n)
          REQUIRE(scored[n] == (variant == VariantId::Kernel ? int32_t(scored.size() - 1 - n) : int32_t(n)));
        if (!scored.empty()) REQUIRE(rescaled == std::vector<int32_t>(scored.begin() + 1, scored.end()));
      }
    }
  }
}

TEST_CASE("two tiles of scores live at once") {
  const Problem p = square(24, 4, 8, 8);
  const Plan plan = make_plan(fa3(), p, VariantId::Paper);
  const Machine machine(fa3(), plan, roomy(), generate_inputs(p));
  MachineState state = machine.start();
  std::set<int64_t> live;
  for (const Step& step : steps_of(fa3(), plan)) {
    machine.apply(state, step);
    int64_t tiles = 0;
    for (const Resident& r : state.chip) tiles += is_scores(r.tensor);
    live.insert(tiles);
    if (step.kind == StepKind::Score && step.visit > 0) {
      CHECK(tiles == 2);
      CHECK(state.find(Tensor::P, 1 - step.slot)->j != step.j);
      CHECK(state.find(Tensor::S, step.slot)->j == step.j);
    }
  }
  CHECK(*live.rbegin() == 2);
}

TEST_CASE("FA3 moves and computes what FA2 does, tile for tile") {
  for (uint64_t number = 0; number < 300; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (VariantId variant : kVariants) {
      const Schedule& fa2 = schedule_of(Method::Fa2);
      const Count three = count(fa3(), make_plan(fa3(), c.problem, variant));
      CHECK(three.total == count(fa2, make_plan(fa2, c.problem, variant)).total);
    }
  }
}

TEST_CASE("bytes of one head against the closed formulas") {
  // Q and O once, L, and all of K and V for every Q tile; only real rows move.
  const Meters full = count(fa3(), make_plan(fa3(), square(4096, 64, 192, 128), VariantId::Kernel)).total;
  CHECK(full.paper_bytes() == 2 * 4096 * 64 * 2 + 4 * 4096 + 22 * 2 * 4096 * 64 * 2);
  // Upstream's causal tiles for d = 128, which divide N.
  const Meters causal =
      count(fa3(), make_plan(fa3(), square(2048, 128, 128, 128, Mask::Causal), VariantId::Kernel)).total;
  CHECK(causal.paper_bytes() == 9'969'664);
}

TEST_CASE("SRAM holds Q and two buffers of K and V, registers two tiles of scores and O") {
  for (int d : {64, 128}) {
    const KernelShape shape = kernel_shape(Method::Fa3, d);
    const Problem p = square(4096, d, shape.br, shape.bc);
    const Plan plan = make_plan(fa3(), p, VariantId::Kernel);
    const Footprint held = footprint(fa3(), plan, default_machine());
    CHECK(held.sram_bytes == 2 * d * (shape.br + 2 * shape.stages * shape.bc));
    CHECK(held.register_bytes == 4 * (shape.br * (2 * shape.bc + d) + 4 * shape.br));  // and m, l, alpha, L
    CHECK(fit_faults(fa3(), plan, default_machine()).empty());
    Problem larger = p;
    larger.bc = 2 * p.bc;
    CHECK_FALSE(fit_faults(fa3(), make_plan(fa3(), larger, VariantId::Kernel), default_machine()).empty());
  }
  // One visit needs one of each.
  const Problem one = square(64, 16, 64, 64);
  CHECK(footprint(fa3(), make_plan(fa3(), one, VariantId::Paper), default_machine()).sram_bytes == 2 * 16 * 3 * 64);
}

TEST_CASE("N = 131072 is counted in milliseconds") {
  for (Mask mask : {Mask::Full, Mask::Causal}) {
    const auto start = std::chrono::steady_clock::now();
    const Meters m = count(fa3(), make_plan(fa3(), square(131072, 128, 128, 128, mask), VariantId::Kernel)).total;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(m.steps > 1'000'000);
    CHECK(took.count() < 0.5);  // 2 ms, with room for sanitizers and a busy machine
    if (mask == Mask::Full)
      CHECK(m.paper_bytes() == 2 * 131072ll * 128 * 2 + 4 * 131072 + 1024 * 2 * 131072ll * 128 * 2);
  }
}

}  // namespace tilewalk::test_fa3
