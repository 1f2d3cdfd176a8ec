#include "core/run/audit_rows.h"

#include "core/attention/reference.h"
#include "core/run/tolerance.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr double kMostElements = 0x1p23;  // of one answer's inputs
constexpr double kMostFlop = 2e8;         // for one answer: every row of N = 512, d = 128
constexpr double kShareOfBudget = 0.25;   // of what is left, for the next answer
constexpr double kLseSlack = 2, kLseSmall = 1e-6;

bool same_inputs(const RunInputs& a, const RunInputs& b) {
  return a.kind == b.kind && a.q == b.q && a.k == b.k && a.v == b.v;
}

}  // namespace

Inputs inputs_of(const RunSpec& spec, int64_t head, AuditBudget& budget) {
  const Problem& p = spec.problem;
  const double elements = double(p.n_q + 2 * p.n_k) * double(p.d);
  if (elements > kMostElements || elements > budget.elements) return {};
  budget.elements -= elements;
  if (spec.inputs.kind == RunInputs::Kind::Generated) return generate_inputs(p, head / p.heads, head % p.heads);
  Inputs out{Matrix(p.n_q, p.d), Matrix(p.n_k, p.d), Matrix(p.n_k, p.d), {}, {}};
  out.q.values.assign(spec.inputs.q.begin(), spec.inputs.q.end());
  out.k.values.assign(spec.inputs.k.begin(), spec.inputs.k.end());
  out.v.values.assign(spec.inputs.v.begin(), spec.inputs.v.end());
  round_inputs(out, p.format);
  return out;
}

std::shared_ptr<const ComparedRows> compared_rows_of(const RunSpec& spec, AuditBudget& budget) {
  const Problem& p = spec.problem;
  if (const auto& last = budget.rows;
      last && last->problem == p && last->head == spec.trace_head && same_inputs(last->inputs, spec.inputs))
    return last;
  const double each = 4.0 * double(p.n_k) * double(p.d);
  const int64_t count = std::min(p.n_q, int64_t(std::min(kMostFlop, kShareOfBudget * budget.flop) / each));
  if (count < 1) return nullptr;
  const Inputs inputs = inputs_of(spec, spec.trace_head, budget);
  if (inputs.q.values.empty()) return nullptr;
  budget.flop -= each * double(count);
  auto out = std::make_shared<ComparedRows>(ComparedRows{p, spec.inputs, spec.trace_head, {}, {}, {}, {}});
  std::vector<double> weights(size_t(p.n_k));
  std::vector<double> o(size_t(p.d));
  for (int64_t k = 0; k < count; ++k) {
    const int64_t row = count == 1 ? p.n_q - 1 : k * (p.n_q - 1) / (count - 1);  // both ends among them
    double widest = 0;
    for (int64_t c = 0; c < p.n_k; ++c) {
      weights[size_t(c)] = reference_score(p, inputs, row, c);
      if (weights[size_t(c)] != kMinusInfinity) widest = std::max(widest, std::fabs(weights[size_t(c)]));
    }
    const double m = *std::ranges::max_element(weights);
    double l = 0;
    std::ranges::fill(o, 0.0);
    for (int64_t c = 0; c < p.n_k && m != kMinusInfinity; ++c) {
      const double weight = std::exp(weights[size_t(c)] - m);
      l += weight;
      for (int64_t e = 0; e < p.d; ++e) o[size_t(e)] += weight * inputs.v.at(c, e);
    }
    for (double& x : o) x = l > 0 ? x / l : 0;
    out->rows.push_back(row);
    out->o.insert(out->o.end(), o.begin(), o.end());
    out->lse.push_back(m == kMinusInfinity ? m : m + std::log(l));
    out->widest.push_back(widest);
  }
  budget.rows = out;
  return out;
}

RowGaps gaps_of(const KernelResult& said, const ComparedRows& reference, bool rounded_scores) {
  RowGaps out;
  const int64_t d = reference.problem.d;
  const double stored = rounded_scores ? score_rounding(reference.problem.format) : 0;
  for (size_t k = 0; k < reference.rows.size(); ++k) {
    const int64_t row = reference.rows[k];
    double difference = 0, length = 0;
    for (int64_t e = 0; e < d && !said.o.empty(); ++e) {
      const double want = reference.o[k * size_t(d) + size_t(e)], got = double(said.o[size_t(row * d + e)]);
      difference += (got - want) * (got - want);
      length += want * want;
    }
    if (std::isfinite(length) && !std::isfinite(difference) && out.no_number < 0) out.no_number = row;
    const double gap = difference == 0 ? 0 : std::sqrt(difference / length);
    if (std::isfinite(length)) out.worst_row = std::max(out.worst_row, gap);
    if (said.lse.empty()) continue;
    const double want = reference.lse[k], got = double(said.lse[size_t(row)]);
    if (std::isfinite(want) && !std::isfinite(got) && out.no_number < 0) out.no_number = row;
    const double allowed =
        kLseSlack * (kMostLseError * std::max(1.0, std::fabs(want)) + stored * reference.widest[k]) + kLseSmall;
    if (want != got && !std::isnan(want) && !(std::fabs(got - want) <= allowed)) out.lse_off = true;
  }
  return out;
}

}  // namespace tilewalk
