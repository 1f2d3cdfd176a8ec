// FlashAttention, Algorithm 1 (arXiv:2205.14135): K/V tiles outside, Q tiles inside; O, m and l make a round trip
// through memory at every visit, and O is kept normalised. Line 12 of the paper, O = diag(l')^-1 (diag(l) e^(m-m') O +
// e^(m~-m') P~ V), is taken apart into Denormalize, Rescale, Accumulate and Normalize, with P relative to m' at once.
#include "core/schedules/emitter.h"

namespace tilewalk {
namespace {

using enum StepKind;

constexpr std::string_view kPasses[] = {"initialise", "attention", "convert"};

enum Line { kInit, kEachK, kLoadKV, kEachQ, kLoadQ, kScore, kRowMax, kWeights, kOutput, kDivide, kStore, kConvert };
constexpr std::string_view kCode[] = {
    "in memory:  O = 0,  l = 0,  m = −∞",
    "for each K/V tile j:",
    "  load Kⱼ, Vⱼ",
    "  for each Q tile i:",
    "    load Qᵢ, Oᵢ, lᵢ, mᵢ;  O = l O",
    "    S = Qᵢ Kⱼᵀ · scale",
    "    m′ = max(m, rowmax S);  α = e^(m−m′)",
    "    P = e^(S−m′);  l′ = α l + rowsum P",
    "    O = α O + P Vⱼ",
    "    O = O / l′",
    "    store Oᵢ, l′, m′",
    "for each Q tile i:  O → output format,  L = m + log l",
};

// The kernel keeps O in fp32 between visits, starts it on chip at the first visit, and rounds it in a last pass.
Variant variant(VariantId id, const Problem& p) {
  if (id == VariantId::Paper) return {.o_between_visits = p.format, .init_in_memory = true};
  return {.o_between_visits = Format::Float32, .last_to_first = true, .conversion_pass = true};
}

// Sections: the initialisation (one per Q tile), then one per K/V tile, then the conversion (one per Q tile).
struct Part {
  int pass;
  int64_t index;
};
Part part_of(const Plan& plan, int64_t section) {
  if (plan.variant.init_in_memory) {
    if (section < plan.tiling.tr) return {0, section};
    section -= plan.tiling.tr;
  }
  if (section < plan.tiling.tc) return {1, section};
  return {2, section - plan.tiling.tc};
}

int64_t sections(const Plan& plan) {
  const Tiling& t = plan.tiling;
  return t.tc + (plan.variant.init_in_memory ? t.tr : 0) + (plan.variant.conversion_pass ? t.tr : 0);
}

int64_t key_tile(const Plan& plan, int64_t turn) {
  return plan.variant.last_to_first ? plan.tiling.tc - 1 - turn : turn;
}

uint64_t shape(const Plan& plan, int64_t section) {
  const auto [pass, index] = part_of(plan, section);
  const uint64_t kind = uint64_t(pass) << 60;
  if (pass != 1) return kind | uint64_t(plan.tiling.visits(index) > 0) << 32 | uint64_t(plan.tiling.rows(index));
  const uint64_t first = index == 0;  // starts O, m and l on chip in the kernel's variant
  if (plan.tiling.causal) return kind | uint64_t(index);
  return kind | first << 32 | uint64_t(plan.tiling.cols(key_tile(plan, index)));
}

// Which turn of the outer loop is the first to meet Q tile i.
int64_t first_turn(const Plan& plan, int64_t i) {
  return plan.variant.last_to_first ? plan.tiling.tc - plan.tiling.visits(i) : 0;
}

void emit_attention(const Plan& plan, int64_t turn, int64_t section, StepSink& sink) {
  const Tiling& t = plan.tiling;
  const int64_t j = key_tile(plan, turn);
  const int64_t i_begin = t.first_row_tile(j);
  if (i_begin == t.tr) return;  // every query lies before these keys

  Emitter step(sink, 1, section);
  step.at(i_begin, j, 0);
  step(kLoadKV, LoadK);
  step(kLoadKV, LoadV);
  // Visits from i on that cost the same: unmasked whole tiles, all of them first visits or none.
  const auto starts_at = [&](int64_t i) { return first_turn(plan, i) == turn; };
  const int64_t whole_end = t.n_q / t.br;
  const auto alike = [&](int64_t i) {
    const bool uniform = i < whole_end && t.kind(i, j) == TileKind::Full && starts_at(i) == starts_at(whole_end - 1);
    return uniform ? whole_end - i : 1;
  };
  for (int64_t i = i_begin, taken; i < t.tr; i += taken) {
    taken = step.fold(alike(i));
    const bool starts = starts_at(i);
    const int first = starts ? Step::kFirstVisit : 0;
    step.at(i, j, i - i_begin);
    step(kLoadQ, LoadQ, first);
    if (starts && !plan.variant.init_in_memory) {
      step(kLoadQ, InitO, first);
      step(kLoadQ, InitStats, first);
    } else {
      step(kLoadQ, LoadO, first);
      step(kLoadQ, LoadStats, first);
      step(kLoadQ, Denormalize, first);
    }
    step(kScore, Score, first);
    if (t.kind(i, j) == TileKind::Masked) step(kScore, Mask, first);
    step(kRowMax, RowMax, first);
    step(kWeights, Exponentiate, first);
    step(kWeights, RowSum, first);
    if (!starts) step(kOutput, Rescale);  // at the first visit O is still zero
    step(kOutput, Accumulate, first);
    step(kDivide, Normalize, first);
    step(kStore, StoreO, first);
    step(kStore, StoreStats, first);
  }
  step.fold(1);
}

void emit_per_query_tile(const Plan& plan, int pass, int64_t i, int64_t section, StepSink& sink) {
  Emitter step(sink, pass, section);
  step.at(i, 0, 0);
  if (pass == 0) {
    step(kInit, InitO);
    step(kInit, InitStats);
    step(kInit, StoreO);
    step(kInit, StoreStats);
    return;
  }
  const bool visited = plan.tiling.visits(i) > 0;  // else nothing was ever stored: O = 0, L = -inf
  step(kConvert, visited ? LoadO : InitO);
  step(kConvert, visited ? LoadStats : InitStats);
  step(kConvert, Convert);
  step(kConvert, LogSumExp);
  step(kConvert, StoreO, Step::kOutput);
  step(kConvert, StoreLse);
}

void emit(const Plan& plan, int64_t section, StepSink& sink) {
  const auto [pass, index] = part_of(plan, section);
  if (pass == 1)
    emit_attention(plan, index, section, sink);
  else
    emit_per_query_tile(plan, pass, index, section, sink);
}

}  // namespace

const Schedule kFa1Schedule{
    ScheduleId::Fa1, "FA1", "fa1",   "K/V tiles outside, Q tiles inside; O, m, l through memory",
    kPasses,         kCode, variant, sections,
    shape,           emit,  false,   true,
    false,
};

}  // namespace tilewalk
