// FlashAttention-2, Algorithm 1 (arXiv:2307.08691): Q tiles outside, K/V tiles inside, O kept on chip and divided once.
// The misprinted inverse on the rescale factor is corrected: O shrinks by alpha = e^(m - m') <= 1.
#include "core/schedules/emitter.h"
#include "core/schedules/query_tiles.h"

namespace tilewalk {
namespace {

using enum StepKind;
using query_tiles::sections, query_tiles::shape, query_tiles::variant;

constexpr std::string_view kPasses[] = {"attention"};

enum Line { kEachQ, kLoadQ, kEachK, kLoadKV, kScore, kRowMax, kWeights, kOutput, kFinish, kStore };
constexpr std::string_view kCode[] = {
    "for each Q tile i (a thread block):",
    "  load Qᵢ;  O = 0,  l = 0,  m = −∞",
    "  for each K/V tile j:",
    "    load Kⱼ, Vⱼ",
    "    S = Qᵢ Kⱼᵀ · scale",
    "    m′ = max(m, rowmax S);  α = e^(m−m′)",
    "    P = e^(S−m′);  l = α l + rowsum P",
    "    O = α O + P Vⱼ",
    "  O = O / l;  L = m + log l",
    "  store Oᵢ, Lᵢ",
};

void emit(const Plan& plan, int64_t i, StepSink& sink) {
  const Tiling& t = plan.tiling;
  const int64_t visits = t.visits(i);
  const auto tile = [&](int64_t n) { return plan.variant.last_to_first ? visits - 1 - n : n; };

  // Visits from n on that cost the same: unmasked whole tiles after the first visit.
  const int64_t whole = t.whole_tiles(i);
  const auto alike = [&](int64_t n) {
    const bool uniform = n > 0 && tile(n) < whole;
    return uniform ? (plan.variant.last_to_first ? visits - n : whole - n) : 1;
  };

  Emitter step(sink, 0, i);
  step.at(i, visits ? tile(0) : 0, 0);
  step(kLoadQ, LoadQ);
  step(kLoadQ, InitO);
  step(kLoadQ, InitStats);

  for (int64_t n = 0, taken; n < visits; n += taken) {
    taken = step.fold(alike(n));
    const int first = n == 0 ? Step::kFirstVisit : 0;
    step.at(i, tile(n), n);
    step(kLoadKV, LoadK, first);
    step(kLoadKV, LoadV, first);
    step(kScore, Score, first);
    if (t.kind(i, tile(n)) == TileKind::Masked) step(kScore, Mask, first);
    step(kRowMax, RowMax, first);
    step(kWeights, Exponentiate, first);
    step(kWeights, RowSum, first);
    if (!first) step(kOutput, Rescale);  // at the first visit O is still zero
    step(kOutput, Accumulate, first);
  }
  step.fold(1);

  step(kFinish, Normalize);
  step(kFinish, LogSumExp);
  step(kStore, StoreO, Step::kOutput);
  step(kStore, StoreLse);
}

}  // namespace

const Schedule kFa2Schedule{
    ScheduleId::Fa2, "FA2", "fa2",   "Q tiles outside, K/V tiles inside; O stays on chip",
    kPasses,         kCode, variant, sections,
    shape,           emit,  true,    false,
    false,
};

}  // namespace tilewalk
