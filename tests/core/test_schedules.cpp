// Every schedule, in both variants, reaches the float64 reference on thousands of generated problems.
#include "core/attention/reference.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tilewalk::test_schedules {
using namespace tilewalk::test;

namespace {

// Largest error of O relative to the reference's element, or to a millionth of the column's largest value where terms
// of both signs cancel to less than that.
double error_of(const Matrix& o, const Matrix& reference, const Matrix& v) {
  double worst = 0;
  for (int64_t c = 0; c < o.cols; ++c) {
    double largest = 0;
    for (int64_t r = 0; r < v.rows; ++r) largest = std::max(largest, std::fabs(v.at(r, c)));
    for (int64_t r = 0; r < o.rows; ++r) {
      const double expected = reference.at(r, c), error = std::fabs(o.at(r, c) - expected);
      if (error == 0) continue;
      const double relative = error / std::max(std::fabs(expected), 1e-6 * largest);
      worst = std::isnan(relative) ? std::numeric_limits<double>::infinity() : std::max(worst, relative);
    }
  }
  return worst;
}

double error_of(const Matrix& stored, const std::vector<double>& reference) {
  double worst = 0;
  for (size_t r = 0; r < reference.size(); ++r) {
    const double got = stored.values[r], expected = reference[r];
    if (got == expected) continue;  // both may be -inf
    const double relative = std::fabs(got - expected) / std::max(1.0, std::fabs(expected));
    worst = std::isnan(relative) ? std::numeric_limits<double>::infinity() : std::max(worst, relative);
  }
  return worst;
}

// L as the schedule leaves it: stored, or in the m and l that it stored.
Matrix stored_lse(const MachineState& state, const Plan& plan) {
  if (!state.lse.chunks().empty()) return gathered(state.lse, plan.tiling, 1);
  const Matrix m = gathered(state.m, plan.tiling, 1), l = gathered(state.l, plan.tiling, 1);
  Matrix lse(m.rows, 1);
  for (int64_t r = 0; r < m.rows; ++r)
    lse.at(r, 0) = l.at(r, 0) == 0 ? kMinusInfinity : m.at(r, 0) + std::log(l.at(r, 0));
  return lse;
}

}  // namespace

TEST_CASE("every schedule in both variants equals the reference to 1e-6") {
  std::map<std::string, int> seen;  // that the generator goes on reaching the edges
  for (uint64_t number = 0; number < 2500; ++number) {
    const Case c = make_case(number);
    const Problem& p = c.problem;
    const Tiling t(p);
    INFO(words_of(c));
    REQUIRE(validate(p).empty());
    const Reference expected = reference(p, c.inputs);

    const bool causal = p.mask == Mask::Causal, uneven = p.n_q != p.n_k;
    seen["ragged rows"] += p.n_q % p.br != 0;
    seen["ragged columns"] += p.n_k % p.bc != 0;
    seen["one-row tiles"] += p.br == 1;
    seen["one-column tiles"] += p.bc == 1;
    seen["tiles larger than the problem"] += p.br > p.n_q || p.bc > p.n_k;
    seen["causal, more keys, bottom right"] += causal && p.n_k > p.n_q && p.align == CausalAlign::BottomRight;
    seen["causal, fewer keys, bottom right"] += causal && p.n_k < p.n_q && p.align == CausalAlign::BottomRight;
    seen["causal, uneven, top left"] += causal && uneven && p.align == CausalAlign::TopLeft;
    seen["Q tiles without a visit"] += t.visits(0) == 0;
    seen["d = 1"] += p.d == 1;
    seen["equal scores"] += c.scores == Scores::Equal;
    seen["huge scores"] += c.scores == Scores::Huge;
    seen["scores of -inf"] += c.scores == Scores::MinusInfinity;
    seen["rows with no key"] += std::count(expected.lse.begin(), expected.lse.end(), kMinusInfinity) > 0;
    seen["negative scale"] += p.softmax_scale() < 0;
    seen["tiny scale"] += p.softmax_scale() == 1e-9;

    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, p, variant);
        const MachineState state = run(schedule, plan, c.inputs);
        CHECK(error_of(gathered(state.o, t, p.d), expected.o, c.inputs.v) <= 1e-6);
        if (schedule.id != Method::Standard) CHECK(error_of(stored_lse(state, plan), expected.lse) <= 1e-12);
        if (schedule.section_is_block && !schedule.scores_in_memory) REQUIRE(!state.lse.chunks().empty());
      }
  }
  CHECK(seen.size() == 16);
  for (const auto& [what, times] : seen) {
    INFO(what);
    CHECK(times >= 40);
  }
}

TEST_CASE("huge scores are really huge") {
  double largest = 0;
  for (uint64_t number = 0; number < 2500; ++number) {
    const Case c = make_case(number);
    if (c.scores != Scores::Huge) continue;
    for (int64_t r = 0; r < c.problem.n_q; ++r)
      for (int64_t k = 0; k < c.problem.n_k; ++k) {
        const double s = std::fabs(reference_score(c.problem, c.inputs, r, k));
        if (s != std::numeric_limits<double>::infinity()) largest = std::max(largest, s);
        REQUIRE(!std::isnan(s));
      }
  }
  CHECK(largest > 1e290);
}

TEST_CASE("the order of tiles and the size of tiles change the answer by rounding alone") {
  Problem p;
  p.n_q = p.n_k = 96;
  p.d = 16;
  p.mask = Mask::Causal;
  const Inputs inputs = generate_inputs(p);
  const Reference expected = reference(p, inputs);
  for (const auto& [br, bc] : {std::pair(1, 1), std::pair(7, 32), std::pair(96, 96), std::pair(64, 5)}) {
    p.br = br;
    p.bc = bc;
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        const Plan plan = make_plan(schedule, p, variant);
        CHECK(error_of(gathered(run(schedule, plan, inputs).o, plan.tiling, p.d), expected.o, inputs.v) <= 1e-9);
      }
  }
}

TEST_CASE("the registry finds schedules and variants by name") {
  CHECK(schedules().size() == 4);
  for (const Schedule& schedule : schedules()) {
    CHECK(schedule_named(schedule.key) == &schedule);
    CHECK(&schedule_of(schedule.id) == &schedule);
    CHECK(!schedule.title.empty());
  }
  CHECK(!schedule_named("fa9"));
  for (VariantId variant : kVariants) CHECK(variant_named(name_of(variant)) == variant);
  CHECK(!variant_named("upstream"));
}

TEST_CASE("steps point into the pseudo-code and come in the order of passes, sections and visits") {
  for (uint64_t number = 0; number < 300; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        const Plan plan = make_plan(schedule, c.problem, variant);
        const std::vector<Step> steps = steps_of(schedule, plan);
        REQUIRE(!steps.empty());
        for (size_t k = 0; k < steps.size(); ++k) {
          const Step& s = steps[k];
          REQUIRE(s.line < schedule.code(plan.variant).size());
          REQUIRE(s.pass < schedule.passes.size());
          REQUIRE(s.i >= 0);
          REQUIRE(s.i < plan.tiling.tr);
          REQUIRE(s.j >= 0);
          REQUIRE(s.j < plan.tiling.tc);
          if (k) REQUIRE(steps[k - 1].pass <= s.pass);
          if (k) REQUIRE(steps[k - 1].section <= s.section);
        }
      }
  }
}

}  // namespace tilewalk::test_schedules
