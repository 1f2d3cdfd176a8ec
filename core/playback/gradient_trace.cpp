#include "core/playback/gradient_trace.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewalk {

GradientTrace trace_gradients(const Replay& replay, int64_t playhead, int64_t row) {
  const Plan& plan = replay.plan();
  const Tiling& t = plan.tiling;
  row = std::clamp<int64_t>(row, 0, t.n_q - 1);
  const int64_t i = row / t.br, r = row % t.br;
  const Machine& machine = replay.machine();
  const MachineState& start = machine.start();
  const auto row_of = [&](const TilePtr& tile) { return tile->row(r); };
  const TilePtr q = machine.input_tile(Tensor::Q, i), d_o = machine.input_tile(Tensor::DO, i);
  const TilePtr o = start.memory(Tensor::O)->get(i), lse = start.memory(Tensor::Lse)->get(i);
  const auto dot = [&](const double* a, const double* b) { return std::inner_product(a, a + t.d, b, 0.0); };

  GradientTrace out;
  out.lse = lse->at(r, 0);
  out.d = dot(row_of(d_o), row_of(o));
  std::vector<bool> weighed(size_t(t.tc), replay.schedule().scores_in_memory), graded(size_t(t.tc));
  const std::vector<Step>& steps = replay.steps();
  for (int64_t k = 0; k < std::clamp<int64_t>(playhead, 0, replay.length()); ++k) {
    const Step& step = steps[size_t(k)];
    if (step.i != i) continue;
    if (step.kind == StepKind::Recompute || step.kind == StepKind::NormalizeP) weighed[size_t(step.j)] = true;
    if (step.kind == StepKind::GradientS) graded[size_t(step.j)] = true;
  }
  for (int64_t j = 0; j < t.tc; ++j) {
    const TilePtr keys = machine.input_tile(Tensor::K, j), values = machine.input_tile(Tensor::V, j);
    for (int64_t c = 0; c < t.cols(j); ++c) {
      const bool hidden = !t.visible(row, j * t.bc + c) || out.lse == kMinusInfinity;
      const double s = dot(row_of(q), keys->row(c)) * plan.problem.softmax_scale();
      const double p = hidden ? 0 : std::exp(s - out.lse), dp = dot(row_of(d_o), values->row(c));
      out.keys.push_back({p, hidden ? 0 : p * (dp - out.d), int32_t(j), weighed[size_t(j)], graded[size_t(j)], hidden});
    }
  }
  return out;
}

}  // namespace tilewalk
