#include "core/playback/output_state.h"

#include <algorithm>

namespace tilewalk {
namespace {

// Whether the weights of the product at `k` were divided by l before.
bool weighed_by_parts(std::span<const Step> steps, int64_t k) {
  const Step& product = steps[size_t(k)];
  for (; k >= 0; --k) {
    const Step& step = steps[size_t(k)];
    if (step.i != product.i || step.j != product.j) continue;
    if (step.kind == StepKind::NormalizeP) return true;
    if (step.kind == StepKind::Exponentiate) return false;
  }
  return false;
}

bool more_is_added(std::span<const Step> steps, int64_t k) {
  const int32_t i = steps[size_t(k)].i;
  return std::any_of(steps.begin() + k + 1, steps.end(),
                     [&](const Step& step) { return step.kind == StepKind::Accumulate && step.i == i; });
}

}  // namespace

OutputState output_state(std::span<const Step> steps, int64_t playhead, int32_t i, const Schedule& schedule) {
  using enum StepKind;
  if (schedule.backward()) return OutputState::Final;  // as the forward pass left it
  // Backwards to the newest step that decides it.
  for (int64_t k = std::min<int64_t>(playhead, int64_t(steps.size())) - 1; k >= 0; --k) {
    const Step& step = steps[size_t(k)];
    if (step.i != i) continue;
    switch (step.kind) {
      case InitO: return OutputState::Zero;
      case LoadO: return step.has(Step::kFirstVisit) ? OutputState::Zero : OutputState::Average;
      case Normalize: return OutputState::Average;
      case Accumulate:
        if (!weighed_by_parts(steps, k)) return OutputState::Sum;
        return more_is_added(steps, k) ? OutputState::PartOfAverage : OutputState::Average;
      case Denormalize:
      case MergeOut:
      case Rescale:
        if (step.has(Step::kFirstVisit) && step.kind != MergeOut) break;  // zero times anything
        return OutputState::Sum;
      case StoreO:
        if (step.has(Step::kOutput)) return OutputState::Final;
        break;
      default: break;  // rounding keeps what it is, and the others do not touch it
    }
  }
  return OutputState::Zero;
}

bool output_is_stored(std::span<const Step> steps, int64_t playhead, int32_t index, const Schedule& schedule,
                      Tensor tensor) {
  using enum StepKind;
  const int64_t taken = std::min<int64_t>(playhead, int64_t(steps.size()));
  if (schedule.backward()) {
    if (tensor == Tensor::O) return true;
    const StepKind store = tensor == Tensor::DQ ? StoreDQ : tensor == Tensor::DK ? StoreDK : StoreDV;
    // Zeros and sums that are written on the way are followed by another write.
    for (int64_t k = int64_t(steps.size()) - 1; k >= 0; --k) {
      const Step& step = steps[size_t(k)];
      if (step.kind == store && (is_keyed(tensor) ? step.j : step.i) == index) return k < taken;
    }
    return false;
  }
  // The latest store says it: FA1's earlier ones are of O between visits. Unfused, O is stored in the last pass.
  for (int64_t k = taken - 1; k >= 0; --k) {
    const Step& step = steps[size_t(k)];
    if (schedule.scores_in_memory && step.pass + 1u < schedule.passes.size()) return false;
    if (step.kind == StoreO && step.i == index) return step.has(Step::kOutput);
  }
  return false;
}

}  // namespace tilewalk
