#include "core/playback/row_stream.h"

#include "core/attention/reference.h"
#include "core/machine/machine.h"
#include "core/schedules/schedule.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// q = (1, 0, ...) and k = (score, 0, ...): their product is the score.
struct RowProblem {
  Problem problem;
  Inputs inputs;
};
RowProblem problem_of(std::span<const double> scores, const Matrix& values, std::span<const int> order, int64_t tile) {
  const auto n = int64_t(order.size());
  RowProblem row;
  row.problem = {.n_q = 1,
                 .n_k = n,
                 .d = values.cols,
                 .br = 1,
                 .bc = tile,
                 .format = Format::Float16,
                 .distribution = Distribution::Custom,
                 .scale = 1};
  row.inputs = {Matrix(1, values.cols), Matrix(n, values.cols), Matrix(n, values.cols), "one row"};
  row.inputs.q.at(0, 0) = 1;
  for (int64_t k = 0; k < n; ++k) {
    row.inputs.k.at(k, 0) = scores[size_t(order[size_t(k)])];
    std::copy_n(values.row(order[size_t(k)]), values.cols, row.inputs.v.row(k));
  }
  return row;
}

}  // namespace

RowStream stream_row(std::span<const double> scores, const Matrix& values, std::span<const int> order, int64_t tile,
                     Mistake mistake, Format format) {
  RowProblem row = problem_of(scores, values, order, tile);
  row.problem.mistake = mistake;
  row.problem.format = format;
  const Plan plan = make_plan(schedule_of(Method::Fa2), row.problem, VariantId::Paper);
  const Machine machine(schedule_of(Method::Fa2), plan, default_machine(), row.inputs);
  MachineState state = machine.start();
  RowStream out;
  RowStream::Visit visit{};
  double m = kMinusInfinity;
  for (const Step& step : steps_of(schedule_of(Method::Fa2), plan)) {
    machine.apply(state, step);
    const auto value = [&](Tensor t) { return state.find(t)->data->at(0, 0); };
    switch (step.kind) {
      case StepKind::RowMax:
        visit = {};
        visit.m_before = m;
        visit.m = m = value(Tensor::M);
        visit.alpha = visit.alpha_o = step.has(Step::kFirstVisit) ? 0 : value(Tensor::Alpha);
        if (mistake == Mistake::NoRescaleO && !step.has(Step::kFirstVisit)) visit.alpha_o = 1;
        break;
      case StepKind::Exponentiate:
        visit.weights = state.find(Tensor::P)->data->values;
        for (int64_t c = 0; c < plan.tiling.cols(step.j); ++c) {
          visit.keys.push_back(order[size_t(step.j * tile + c)]);
          visit.sum += visit.weights[size_t(c)];
        }
        break;
      case StepKind::RowSum: visit.l = value(Tensor::L); break;
      case StepKind::Accumulate:
        visit.o = state.find(Tensor::O)->data->values;
        out.visits.push_back(visit);
        break;
      case StepKind::Normalize: out.o = state.find(Tensor::O)->data->values; break;
      case StepKind::LogSumExp: out.lse = value(Tensor::Lse); break;
      default: break;
    }
  }
  return out;
}

DirectRow direct_row(std::span<const double> scores, const Matrix& values) {
  std::vector<int> order(scores.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = int(k);
  const RowProblem row = problem_of(scores, values, order, int64_t(scores.size()));
  const Reference reference = tilewalk::reference(row.problem, row.inputs);
  DirectRow out;
  out.lse = reference.lse[0];
  out.o.assign(reference.o.row(0), reference.o.row(0) + values.cols);
  for (double s : scores) out.weights.push_back(std::exp(s - out.lse));
  return out;
}

}  // namespace tilewalk
