// What holds after every tile: m is the largest score seen and never falls, l is the sum of e^(s - m) over the keys
// seen, FA2's and FA3's O the sum of e^(s - m) v, FA1's O that sum divided by l.
#include "core/attention/reference.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_invariants {
using namespace tilewalk::test;

namespace {

bool near(double got, double expected, double scale) { return std::fabs(got - expected) <= 1e-11 * scale; }

// Follows one program and keeps, for every row, its scores and which K/V tiles its Q tile has seen.
class Follower {
 public:
  Follower(const Case& c, const Schedule& schedule, VariantId variant)
      : c_(c),
        schedule_(schedule),
        plan_(make_plan(schedule, c.problem, variant)),
        scores_(c.problem.n_q, c.problem.n_k),
        seen_(size_t(plan_.tiling.tr)),
        last_m_(size_t(c.problem.n_q), kMinusInfinity) {
    for (int64_t r = 0; r < scores_.rows; ++r)
      for (int64_t k = 0; k < scores_.cols; ++k) scores_.at(r, k) = reference_score(c.problem, c.inputs, r, k);
  }

  void follow() {
    const Machine machine(schedule_, plan_, roomy(), c_.inputs);
    MachineState state = machine.start();
    for (const Step& step : steps_of(schedule_, plan_)) {
      machine.apply(state, step);
      look(state, step);
    }
  }

  int64_t checks = 0;

 private:
  void look(const MachineState& state, const Step& step) {
    const bool final_max = step.has(Step::kFinalMax);
    std::vector<int64_t>& seen = seen_[size_t(step.i)];
    if (step.kind == StepKind::RowMax) {
      seen.push_back(step.j);
      check_max(state, step, seen);
      if (final_max && int64_t(seen.size()) == plan_.tiling.tc) seen.clear();  // the sums start over
    }
    if (step.kind == StepKind::RowSum) {
      if (final_max) seen.push_back(step.j);
      check_sum(state, step, seen);
    }
    if (step.kind == StepKind::Accumulate && (schedule_.id == Method::Fa2 || schedule_.id == Method::Fa3))
      check_output(state, step, seen, false);
    // FA3's O is put on the scale of a max that has seen one tile more than O has.
    if (step.kind == StepKind::Rescale && schedule_.id == Method::Fa3)
      check_output(state, step, {seen.begin(), seen.end() - 1}, false);
    if (step.kind == StepKind::Normalize && schedule_.id == Method::Fa1) check_output(state, step, seen, true);
    if (step.kind == StepKind::StoreP) check_weights(state, step);
  }

  template <class Visit>
  void each_seen(int64_t row, const std::vector<int64_t>& seen, Visit&& visit) const {
    for (int64_t j : seen)
      for (int64_t k = j * plan_.tiling.bc; k < j * plan_.tiling.bc + plan_.tiling.cols(j); ++k)
        visit(k, scores_.at(row, k));
  }

  void check_max(const MachineState& state, const Step& step, const std::vector<int64_t>& seen) {
    const Matrix& m = *state.find(Tensor::M)->data;
    for (int64_t r = 0; r < m.rows; ++r) {
      const int64_t row = step.i * plan_.tiling.br + r;
      double largest = kMinusInfinity;
      each_seen(row, seen, [&](int64_t, double s) { largest = std::max(largest, s); });
      if (m.at(r, 0) != largest) FAIL("m of row " << row << " is " << m.at(r, 0) << ", not " << largest);
      if (m.at(r, 0) < last_m_[size_t(row)]) FAIL("m of row " << row << " fell");
      last_m_[size_t(row)] = m.at(r, 0);
      ++checks;
    }
    if (step.has(Step::kFinalMax)) return;
    const Matrix& alpha = *state.find(Tensor::Alpha)->data;
    for (double a : alpha.values)
      if (!(a >= 0 && a <= 1)) FAIL("alpha is " << a);
  }

  void check_sum(const MachineState& state, const Step& step, const std::vector<int64_t>& seen) {
    const Matrix &m = *state.find(Tensor::M)->data, &l = *state.find(Tensor::L)->data;
    for (int64_t r = 0; r < l.rows; ++r) {
      const int64_t row = step.i * plan_.tiling.br + r;
      double sum = 0;
      if (m.at(r, 0) != kMinusInfinity)
        each_seen(row, seen, [&](int64_t, double s) { sum += std::exp(s - m.at(r, 0)); });
      if (!near(l.at(r, 0), sum, sum)) FAIL("l of row " << row << " is " << l.at(r, 0) << ", not " << sum);
      ++checks;
    }
  }

  void check_output(const MachineState& state, const Step& step, const std::vector<int64_t>& seen, bool normalised) {
    const Matrix &m = *state.find(Tensor::M)->data, &o = *state.find(Tensor::O)->data;
    for (int64_t r = 0; r < o.rows; ++r) {
      const int64_t row = step.i * plan_.tiling.br + r;
      for (int64_t e = 0; e < o.cols; ++e) {
        double sum = 0, size = 0, l = 0;
        if (m.at(r, 0) != kMinusInfinity)
          each_seen(row, seen, [&](int64_t k, double s) {
            const double weight = std::exp(s - m.at(r, 0)), v = c_.inputs.v.at(k, e);
            sum += weight * v;
            size += weight * std::fabs(v);
            l += weight;
          });
        if (normalised && l > 0) {
          sum /= l;
          size /= l;
        }
        if (!near(o.at(r, e), sum, size)) FAIL("O of row " << row << " is " << o.at(r, e) << ", not " << sum);
        ++checks;
      }
    }
  }

  // Standard attention: P is e^(s - m) / l at once.
  void check_weights(const MachineState& state, const Step& step) {
    const Matrix &m = *state.find(Tensor::M)->data, &l = *state.find(Tensor::L)->data;
    const Matrix& p = *state.p.get(step.i * plan_.tiling.tc + step.j);
    for (int64_t r = 0; r < p.rows; ++r)
      for (int64_t k = 0; k < p.cols; ++k) {
        const double s = scores_.at(step.i * plan_.tiling.br + r, step.j * plan_.tiling.bc + k);
        const double weight = m.at(r, 0) == kMinusInfinity ? 0 : std::exp(s - m.at(r, 0)) / l.at(r, 0);
        if (!near(p.at(r, k), weight, weight)) FAIL("P is " << p.at(r, k) << ", not " << weight);
        ++checks;
      }
  }

  const Case& c_;
  const Schedule& schedule_;
  Plan plan_;
  Matrix scores_;  // -inf where the mask hides a key
  std::vector<std::vector<int64_t>> seen_;
  std::vector<double> last_m_;
};

}  // namespace

TEST_CASE("m, l and O mean what they should after every tile") {
  int64_t checks = 0;
  for (uint64_t number = 0; number < 600; ++number) {
    const Case c = make_case(number);
    INFO(words_of(c));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        Follower follower(c, schedule, variant);
        follower.follow();
        checks += follower.checks;
      }
  }
  CHECK(checks > 500000);
}

}  // namespace tilewalk::test_invariants
