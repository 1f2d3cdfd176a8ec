#include "core/machine/touched.h"

#include "core/machine/cost.h"

#include <algorithm>
#include <initializer_list>

namespace tilewalk {
namespace {

std::array<Tensor, 3> list(std::initializer_list<Tensor> tensors) {
  std::array<Tensor, 3> out{kNoTensor, kNoTensor, kNoTensor};
  std::copy(tensors.begin(), tensors.end(), out.begin());
  return out;
}

}  // namespace

Touched touched_by(const Step& step) {
  using enum StepKind;
  using enum Tensor;
  const bool no_alpha = step.has(Step::kFinalMax);
  const auto moved = moved_tensors(step.kind);
  switch (step.kind) {
    case LoadQ:
    case LoadK:
    case LoadV:
    case LoadO:
    case LoadStats:
    case LoadS:
    case LoadP:
    case LoadDO:
    case LoadLse:
    case LoadD:
    case LoadDQ:
    case LoadDP:
    case LoadDS:
    case LoadPart: return {list({}), list({moved[0], moved[1]})};
    case StoreS:
    case StoreP:
    case StoreO:
    case StoreStats:
    case StoreLse:
    case StoreD:
    case StoreDP:
    case StoreDS:
    case StoreDQ:
    case AddDQ:
    case StoreDK:
    case StoreDV:
    case StorePart: return {list({moved[0], moved[1]}), list({})};
    case InitO: return {list({}), list({O})};
    case InitStats: return {list({}), list({M, Tensor::L})};
    case Score: return {list({Q, K}), list({S})};
    case Mask: return {list({S}), list({S})};
    case RowMax: return {list({S, M}), no_alpha ? list({M}) : list({M, Alpha})};
    case Exponentiate: return {list({S, M}), list({P})};
    case RowSum: return {no_alpha ? list({P, Tensor::L}) : list({P, Tensor::L, Alpha}), list({Tensor::L})};
    case Denormalize:
    case Normalize: return {list({O, Tensor::L}), list({O})};
    case Rescale: return {list({O, Alpha}), list({O})};
    case Accumulate: return {list({O, P, V}), list({O})};
    case NormalizeP: return {list({P, Tensor::L}), list({P})};
    case LogSumExp: return {list({M, Tensor::L}), list({Lse})};
    case Convert: return {list({O}), list({O})};
    case InitDQ: return {list({}), list({DQ})};
    case InitDK: return {list({}), list({DK})};
    case InitDV: return {list({}), list({DV})};
    case DotO: return {list({DO, O}), list({D})};
    case DotP: return {list({P, DP, D}), list({D})};
    case Recompute: return {list({S, Lse}), list({P})};
    case AccumulateDV: return {list({DV, P, DO}), list({DV})};
    case GradientP: return {list({DO, V}), list({DP})};
    case GradientS: return {list({P, DP, D}), list({DS})};
    case AccumulateDQ: return {list({DQ, DS, K}), list({DQ})};
    case AccumulateDK: return {list({DK, DS, Q}), list({DK})};
    case ConvertDQ: return {list({DQ}), list({DQ})};
    case MergeMax: return {list({Lse, M}), list({M, Alpha})};
    case MergeWeight: return {list({Lse, M}), list({Lse})};
    case MergeSum: return {list({Lse, Tensor::L, Alpha}), list({Tensor::L})};
    case MergeOut: return {list({O, Lse}), list({O})};
  }
  return {list({}), list({})};
}

}  // namespace tilewalk
