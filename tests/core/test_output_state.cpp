// What O is said to be, against the numbers in it: after every step of every schedule, the row on chip is zero, a sum
// or an average of exactly the keys that have been added.
#include "core/playback/output_state.h"

#include "core/attention/reference.h"
#include "core/playback/replay.h"
#include "core/playback/row_view.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace tilewalk::test_output_state {
using namespace tilewalk::test;

namespace {

Problem problem_of(Mask mask) {
  Problem p;
  p.n_q = 7;
  p.n_k = 10;
  p.d = 3;
  p.br = 3;
  p.bc = 4;
  p.mask = mask;
  p.align = CausalAlign::TopLeft;
  return p;
}

// Softmax weights of the row over the keys that `seen` takes, times V: divided by their own sum, or by that of all
// keys.
std::vector<double> average(const Problem& p, const Inputs& in, int64_t row, const std::set<int32_t>& seen,
                            bool of_all) {
  double sum = 0;
  std::vector<double> out(size_t(p.d));
  for (int64_t c = 0; c < p.n_k; ++c) {
    const double weight = std::exp(reference_score(p, in, row, c));
    const bool in_sum = seen.contains(int32_t(c / p.bc));
    if (in_sum || of_all) sum += weight;
    for (int64_t e = 0; e < p.d && in_sum; ++e) out[size_t(e)] += weight * in.v.at(c, e);
  }
  for (double& x : out) x = sum > 0 ? x / sum : 0;
  return out;
}

bool close(const std::vector<double>& a, const std::vector<double>& b, double scale = 1) {
  for (size_t e = 0; e < a.size(); ++e)
    if (!(std::fabs(a[e] - b[e] * scale) <= 1e-12 * (1 + std::fabs(a[e])))) return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE("what O is said to be is what its numbers are, after every step of every schedule") {
  for (const Schedule& schedule : schedules())
    for (VariantId variant : kVariants)
      for (Mask mask : {Mask::Full, Mask::Causal}) {
        const Problem p = problem_of(mask);
        const Plan plan = make_plan(schedule, p, variant);
        const Inputs inputs = generate_inputs(p);
        const std::vector<Step> steps = steps_of(schedule, plan);
        const Machine machine(schedule, plan, roomy(), inputs);
        MachineState state = machine.start();
        std::vector<std::set<int32_t>> added(size_t(plan.tiling.tr));  // K/V tiles, per Q tile
        std::set<OutputState> met;
        for (size_t k = 0; k < steps.size(); ++k) {
          const Step& step = steps[k];
          machine.apply(state, step);
          if (step.kind == StepKind::Accumulate) added[size_t(step.i)].insert(step.j);
          const Resident* o = state.find(Tensor::O);
          if (!o || o->i != step.i) continue;
          const OutputState said = output_state(steps, int64_t(k) + 1, o->i, schedule);
          met.insert(said);
          const std::set<int32_t>& seen = added[size_t(o->i)];
          INFO(words_of(schedule, variant), ", step ", k, " ", info_of(step.kind).name, ", said ", int(said));
          for (int64_t r = 0; r < o->data->rows; ++r) {
            const int64_t row = o->i * p.br + r;
            const std::vector<double> now(o->data->row(r), o->data->row(r) + p.d);
            const std::vector<double> of_seen = average(p, inputs, row, seen, false);
            switch (said) {
              case OutputState::Zero: CHECK(now == std::vector<double>(size_t(p.d))); break;
              case OutputState::Sum: {
                // Relative to the max of when it was last brought up to date: l says so once O has caught up.
                const double l = state.find(Tensor::L)->data->at(r, 0);
                if (step.kind == StepKind::Accumulate || step.kind == StepKind::Denormalize)
                  CHECK(close(now, of_seen, l));
                break;
              }
              case OutputState::PartOfAverage:
                CHECK(close(now, average(p, inputs, row, seen, true)));
                CHECK(int64_t(seen.size()) < plan.tiling.tc);
                break;
              case OutputState::Average:
              case OutputState::Final: CHECK(close(now, of_seen)); break;
            }
          }
          if (step.kind == StepKind::Rescale) CHECK(said == OutputState::Sum);
          if (said == OutputState::Sum || said == OutputState::PartOfAverage) CHECK(!seen.empty());
        }
        INFO(words_of(schedule, variant));
        using enum OutputState;
        const bool stores_output = schedule.id != Method::Fa1 || variant == VariantId::Kernel;
        CHECK(met.contains(Zero));
        CHECK(met.contains(Average));
        CHECK(met.contains(Sum) == (schedule.id != Method::Standard));
        CHECK(met.contains(PartOfAverage) == (schedule.id == Method::Standard));
        CHECK(met.contains(Final) == stores_output);
      }
}

TEST_CASE("O in memory is the output from the step that stores it as such") {
  const Problem p = problem_of(Mask::Full);
  for (const Schedule& schedule : schedules())
    for (VariantId variant : kVariants) {
      INFO(words_of(schedule, variant));
      const Plan plan = make_plan(schedule, p, variant);
      const std::vector<Step> steps = steps_of(schedule, plan);
      for (int32_t i = 0; i < plan.tiling.tr; ++i) {
        bool stored = false;
        for (size_t k = 0; k < steps.size(); ++k) {
          stored |= steps[k].kind == StepKind::StoreO && steps[k].has(Step::kOutput) && steps[k].i == i;
          CHECK(output_is_stored(steps, int64_t(k) + 1, i, schedule) == stored);
        }
        CHECK(stored == (schedule.id != Method::Fa1 || variant == VariantId::Kernel));
      }
    }
}

TEST_CASE("a gradient in memory is the output once nothing is added to it any more") {
  const Problem p = problem_of(Mask::Causal);
  for (const Schedule& schedule : backward_schedules())
    for (VariantId variant : kVariants) {
      INFO(words_of(schedule, variant));
      Replay replay(schedule, make_plan(schedule, p, variant), roomy(), generate_inputs(p));
      const Tiling& t = replay.plan().tiling;
      const MachineState end = replay.at(replay.length());
      for (const Tensor tensor : {Tensor::DQ, Tensor::DK, Tensor::DV})
        for (int32_t tile = 0; tile < (is_keyed(tensor) ? t.tc : t.tr); ++tile) {
          CAPTURE(symbol_of(tensor));
          CAPTURE(tile);
          const Matrix& last = *end.memory(tensor)->get(tile);
          bool before = false;
          for (int64_t k = 0; k <= replay.length(); ++k) {
            const bool stored = output_is_stored(replay.steps(), k, tile, schedule, tensor);
            const TilePtr now = replay.at(k).memory(tensor)->get(tile);
            REQUIRE(stored >= before);
            if (stored) REQUIRE(*now == last);
            if (stored && !before) CHECK((replay.steps()[size_t(k - 1)].kind == StepKind::StoreDQ || is_keyed(tensor)));
            before = stored;
          }
          CHECK(before);
        }
    }
}

}  // namespace tilewalk::test_output_state
