#include "core/playback/row_trace.h"

#include "core/machine/arithmetic.h"

#include <algorithm>

namespace tilewalk {
namespace {

Matrix one_row(const Matrix& x, int64_t row) {
  Matrix out(1, x.cols);
  std::copy_n(x.row(row), x.cols, out.values.begin());
  return out;
}

// The first step from `k` on that works on Q tile i. Sections follow one another, and within one the Q tile never falls
// back, so that the steps of other tiles are leapt over.
int64_t next_of_tile(const std::vector<Step>& steps, int64_t k, int64_t i) {
  auto at = steps.begin() + k;
  while (at != steps.end() && at->i != i) {
    const int32_t section = at->section;
    if (at->i < i)
      at = std::partition_point(at, steps.end(), [&](const Step& s) { return s.section == section && s.i < i; });
    else
      at = std::partition_point(at, steps.end(), [&](const Step& s) { return s.section == section; });
  }
  return at - steps.begin();
}

}  // namespace

RowTrace trace_row(const Replay& replay, int64_t playhead, int64_t row) {
  const Plan& plan = replay.plan();
  const Tiling& t = plan.tiling;
  const Arithmetic kind = plan.problem.arithmetic;
  const Mistake mistake = plan.problem.mistake;
  row = std::clamp<int64_t>(row, 0, t.n_q - 1);
  const int64_t i = row / t.br;
  const Matrix q = one_row(*replay.machine().input_tile(Tensor::Q, i), row % t.br);

  // Every score of the row, one K tile at a time.
  RowTrace out;
  std::vector<Matrix> scores;
  for (int64_t j = 0; j < t.tc; ++j) {
    scores.push_back(
        arithmetic::score(q, *replay.machine().input_tile(Tensor::K, j), plan.problem.softmax_scale(), kind));
    Matrix& s = scores.back();
    for (int64_t c = 0; c < s.cols; ++c) {
      if (!t.visible(row, j * t.bc + c)) s.at(0, c) = kMinusInfinity;
      out.keys.push_back({s.at(0, c), int32_t(j), false});
    }
  }

  Matrix m(1, 1, kMinusInfinity), l(1, 1), alpha(1, 1, 1.0), part(1, 1);
  std::vector<Matrix> parts;  // L of the splits that are stored
  const int64_t end = std::clamp<int64_t>(playhead, 0, replay.length());
  const std::vector<Step>& steps = replay.steps();
  for (int64_t k = next_of_tile(steps, 0, i); k < end; k = next_of_tile(steps, k + 1, i)) {
    const Step& step = steps[size_t(k)];
    switch (step.kind) {
      case StepKind::Score:
        for (int64_t c = 0; c < t.cols(step.j); ++c) out.keys[size_t(step.j * t.bc + c)].seen = true;
        break;
      case StepKind::StoreS:  // a schedule that sends S through memory goes on with what memory kept of it
        if (kind == Arithmetic::Kernel) arithmetic::round_all(scores[size_t(step.j)], plan.problem.format);
        break;
      case StepKind::InitStats:
        m.at(0, 0) = kMinusInfinity;
        l.at(0, 0) = 0;
        break;
      case StepKind::StorePart:
        parts.resize(std::max(parts.size(), size_t(step.slot) + 1), Matrix(1, 1));
        parts[size_t(step.slot)] = arithmetic::log_sum_exp(m, l, kind);
        break;
      case StepKind::MergeMax:
        part = parts[size_t(step.slot)];
        alpha = arithmetic::row_max(m, part, kind, mistake);
        out.open = {step.j, k + 1, m.at(0, 0), alpha.at(0, 0), l.at(0, 0), 0};
        break;
      case StepKind::MergeSum:
        arithmetic::exponentiate(part, m, kind);
        arithmetic::row_sum(l, &alpha, part, kind);
        out.visits.push_back({step.j, k + 1, m.at(0, 0), alpha.at(0, 0), l.at(0, 0), part.at(0, 0)});
        out.open.reset();
        break;
      case StepKind::RowMax:
        alpha = arithmetic::row_max(m, scores[size_t(step.j)], kind, mistake);
        if (step.has(Step::kFinalMax))
          alpha.at(0, 0) = 1;
        else
          out.open = {step.j, k + 1, m.at(0, 0), alpha.at(0, 0), l.at(0, 0), 0};
        break;
      case StepKind::RowSum: {
        Matrix p = scores[size_t(step.j)], sum(1, 1);
        arithmetic::exponentiate(p, m, kind);
        if (mistake == Mistake::NoMax) arithmetic::round_all(p, plan.problem.format);
        arithmetic::row_sum(sum, nullptr, p, kind);
        arithmetic::row_sum(l, step.has(Step::kFinalMax) ? nullptr : &alpha, p, kind);
        out.visits.push_back({step.j, k + 1, m.at(0, 0), alpha.at(0, 0), l.at(0, 0), sum.at(0, 0)});
        out.open.reset();
        break;
      }
      default: break;
    }
  }
  return out;
}

}  // namespace tilewalk
