#include "core/machine/cost.h"

#include <numeric>

namespace tilewalk {

int64_t Meters::fill_bytes() const { return std::accumulate(loaded.begin(), loaded.end(), int64_t{0}); }
int64_t Meters::drain_bytes() const { return std::accumulate(stored.begin(), stored.end(), int64_t{0}); }

Meters& Meters::operator+=(const Meters& o) {
  for (size_t t = 0; t < kTensorCount; ++t) {
    loaded[t] += o.loaded[t];
    stored[t] += o.stored[t];
  }
  paper_loaded += o.paper_loaded;
  paper_stored += o.paper_stored;
  operand_bytes += o.operand_bytes;
  matrix_flop += o.matrix_flop;
  vector_flop += o.vector_flop;
  exponentials += o.exponentials;
  steps += o.steps;
  return *this;
}

Meters Meters::times(int64_t count) const {
  Meters out = *this;
  for (size_t t = 0; t < kTensorCount; ++t) {
    out.loaded[t] *= count;
    out.stored[t] *= count;
  }
  out.paper_loaded *= count;
  out.paper_stored *= count;
  out.operand_bytes *= count;
  out.matrix_flop *= count;
  out.vector_flop *= count;
  out.exponentials *= count;
  out.steps *= count;
  return out;
}

Format memory_format(Tensor tensor, bool output, const Plan& plan) {
  if (is_statistic(tensor)) return Format::Float32;
  if (output) return plan.problem.format;
  if (tensor == Tensor::S && plan.variant.wide_scores) return Format::Float32;
  return tensor == Tensor::O    ? plan.variant.o_between_visits
         : tensor == Tensor::DQ ? plan.variant.dq_between_visits
                                : plan.problem.format;
}

int memory_bytes(Tensor tensor, const Step& step, const Plan& plan) {
  return bytes_of(memory_format(tensor, step.has(Step::kOutput), plan));
}

TileShape shape_of(Tensor tensor, int64_t i, int64_t j, const Tiling& t) {
  if (is_statistic(tensor)) return {t.rows(i), 1};
  if (is_scores(tensor)) return {t.rows(i), t.cols(j)};
  return {is_keyed(tensor) ? t.cols(j) : t.rows(i), t.d};
}

Meters cost_of(const Step& step, const Plan& plan) {
  using enum StepKind;
  const Tiling& t = plan.tiling;
  const int64_t rows = t.rows(step.i), cols = t.cols(step.j), element = bytes_of(plan.problem.format);
  Meters cost;
  cost.steps = 1;

  const Engine engine = info_of(step.kind).engine;
  if (engine == Engine::Load || engine == Engine::Store) {
    for (Tensor tensor : moved_tensors(step.kind)) {
      if (tensor == kNoTensor) continue;
      const int64_t bytes = shape_of(tensor, step.i, step.j, t).elements() * memory_bytes(tensor, step, plan);
      (engine == Engine::Load ? cost.loaded : cost.stored)[size_t(tensor)] += bytes;
      if (!step.has(Step::kAgain)) (engine == Engine::Load ? cost.paper_loaded : cost.paper_stored) += bytes;
    }
    return cost;
  }

  switch (step.kind) {
    case Score:
      cost.matrix_flop = 2 * rows * cols * t.d;
      cost.vector_flop = rows * cols;  // the scale
      cost.operand_bytes = (rows + cols) * t.d * element;
      break;
    case Accumulate:
      cost.matrix_flop = 2 * rows * cols * t.d;
      cost.operand_bytes = cols * t.d * element;  // P is in registers already
      break;
    case Mask: cost.vector_flop = rows * cols; break;
    case RowMax:
      // cols - 1 comparisons in the row and one with the old m; alpha takes m - m'.
      cost.vector_flop = rows * cols + (step.has(Step::kFinalMax) ? 0 : rows);
      cost.exponentials = step.has(Step::kFinalMax) ? 0 : rows;
      break;
    case Exponentiate:
      cost.vector_flop = rows * cols;
      cost.exponentials = rows * cols;
      break;
    case RowSum: cost.vector_flop = rows * cols + (step.has(Step::kFinalMax) ? 0 : rows); break;
    case Denormalize:
    case Rescale:
    case Normalize: cost.vector_flop = rows * t.d; break;
    case NormalizeP: cost.vector_flop = rows * cols; break;
    case LogSumExp: cost.vector_flop = 2 * rows; break;
    case DotO: cost.vector_flop = 2 * rows * t.d; break;
    case DotP: cost.vector_flop = 2 * rows * cols; break;
    case Recompute:
      cost.vector_flop = rows * cols;
      cost.exponentials = rows * cols;
      break;
    case GradientP:
      cost.matrix_flop = 2 * rows * cols * t.d;
      cost.operand_bytes = (rows + cols) * t.d * element;
      break;
    case GradientS: cost.vector_flop = 2 * rows * cols; break;
    case AccumulateDV:
      cost.matrix_flop = 2 * rows * cols * t.d;
      cost.operand_bytes = rows * t.d * element;
      break;
    case AccumulateDQ:
      cost.matrix_flop = 2 * rows * cols * t.d;
      cost.vector_flop = rows * t.d;  // the scale
      cost.operand_bytes = cols * t.d * element;
      break;
    case AccumulateDK:
      cost.matrix_flop = 2 * rows * cols * t.d;
      cost.vector_flop = cols * t.d;  // the scale
      cost.operand_bytes = rows * t.d * element;
      break;
    case MergeMax:
    case MergeWeight:
      cost.vector_flop = step.kind == MergeMax ? 2 * rows : rows;
      cost.exponentials = rows;
      break;
    case MergeSum: cost.vector_flop = 2 * rows; break;
    case MergeOut: cost.vector_flop = 2 * rows * t.d; break;
    case InitO:
    case InitStats:
    case Convert:
    case InitDQ:
    case InitDK:
    case InitDV:
    case ConvertDQ: break;  // writing and rounding are not counted as work
    default: break;         // loads and stores, answered above
  }
  return cost;
}

}  // namespace tilewalk
