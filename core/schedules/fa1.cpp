// FlashAttention, Algorithm 1 (arXiv:2205.14135): K/V tiles outside, Q tiles inside; O, m and l make a round trip
// through memory at every visit, and O is kept normalised. Line 12 of the paper, O = diag(l')^-1 (diag(l) e^(m-m') O +
// e^(m~-m') P~ V), is taken apart into Denormalize, Rescale, Accumulate and Normalize, with P relative to m' at once.
// Where several thread blocks share a head, each walks over all K/V tiles for Q tiles of its own.
#include "core/schedules/emitter.h"

namespace tilewalk {
namespace {

using enum StepKind;

constexpr std::string_view kPasses[] = {"initialise", "attention", "convert"};

enum Line { kInit, kEachK, kLoadKV, kEachQ, kLoadQ, kScore, kRowMax, kWeights, kOutput, kDivide, kStore, kFinish };
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
    "    at the last visit:  L = m + log l,  store Oᵢ, Lᵢ",
};

// The kernel keeps O in fp32 between visits, starts it on chip at the first visit, and rounds it at the last one.
Variant variant(VariantId id, const Problem& p) {
  if (id == VariantId::Paper) return {.o_between_visits = p.format, .init_in_memory = true};
  return {.o_between_visits = Format::Float32, .last_to_first = true, .finish_on_chip = true};
}

// Sections: the initialisation (one per Q tile), then one per K/V tile for each block of the head in turn, then the
// conversion (one per Q tile).
struct Part {
  int pass;
  int64_t index;      // Q tile or turn of the outer loop
  int64_t block = 0;  // of the head
};
Part part_of(const Plan& plan, int64_t section) {
  if (plan.variant.init_in_memory) {
    if (section < plan.tiling.tr) return {0, section};
    section -= plan.tiling.tr;
  }
  const int64_t tc = plan.tiling.tc, turns = tc * plan.variant.blocks_of_head;
  if (section < turns) return {1, section % tc, section / tc};
  return {2, section - turns};
}

int64_t sections(const Plan& plan) {
  const Tiling& t = plan.tiling;
  return t.tc * plan.variant.blocks_of_head + (plan.variant.init_in_memory ? t.tr : 0) +
         (plan.variant.conversion_pass ? t.tr : 0);
}

int64_t key_tile(const Plan& plan, int64_t turn) {
  return plan.variant.last_to_first ? plan.tiling.tc - 1 - turn : turn;
}

// Which Q tiles from `from` on a block has: the first, and how many before `end`.
int64_t first_of(const Plan& plan, int64_t block, int64_t from) {
  const int64_t apart = plan.variant.blocks_of_head;
  return from <= block ? block : block + (from - block + apart - 1) / apart * apart;
}
int64_t tiles_between(const Plan& plan, int64_t first, int64_t end) {
  const int64_t apart = plan.variant.blocks_of_head;
  return first < end ? (end - first + apart - 1) / apart : 0;
}

uint64_t shape(const Plan& plan, int64_t section) {
  const auto [pass, index, block] = part_of(plan, section);
  const Tiling& t = plan.tiling;
  const uint64_t kind = uint64_t(pass) << 60;
  if (pass != 1) return kind | uint64_t(t.visits(index) > 0) << 32 | uint64_t(t.rows(index));
  if (t.causal) return kind | uint64_t(section);
  const uint64_t first = index == 0, last = index == t.tc - 1;  // O, m and l start on chip, or leave for good
  const uint64_t ragged = t.n_q % t.br && (t.tr - 1) % plan.variant.blocks_of_head == block;
  return kind | first << 59 | last << 58 | ragged << 57 | uint64_t(tiles_between(plan, block, t.tr)) << 32 |
         uint64_t(t.cols(key_tile(plan, index)));
}

// Which turn of the outer loop is the first to meet Q tile i, and which the last.
int64_t first_turn(const Plan& plan, int64_t i) {
  return plan.variant.last_to_first ? plan.tiling.tc - plan.tiling.visits(i) : 0;
}
int64_t last_turn(const Plan& plan, int64_t i) {
  return plan.variant.last_to_first ? plan.tiling.tc - 1 : plan.tiling.visits(i) - 1;
}

// O = 0 and L = -inf for the block's queries that see no key: no turn of the loop meets them.
void emit_unseeing(const Plan& plan, int64_t block, Emitter& step) {
  const Tiling& t = plan.tiling;
  for (int64_t i = block; i < t.tr && t.visits(i) == 0; i += plan.variant.blocks_of_head) {
    step.at(i, 0, 0);
    step(kLoadQ, InitO);
    step(kLoadQ, InitStats);
    step(kFinish, LogSumExp);
    step(kFinish, StoreO, Step::kOutput);
    step(kFinish, StoreLse);
  }
}

void emit_attention(const Plan& plan, int64_t turn, int64_t block, int64_t section, StepSink& sink) {
  const Tiling& t = plan.tiling;
  const int64_t apart = plan.variant.blocks_of_head;
  Emitter step(sink, 1, section);
  if (turn == 0 && plan.variant.finish_on_chip) emit_unseeing(plan, block, step);
  const int64_t j = key_tile(plan, turn);
  const int64_t i_begin = first_of(plan, block, t.first_row_tile(j));
  if (i_begin >= t.tr) return;  // every query of the block lies before these keys

  step.at(i_begin, j, 0);
  step(kLoadKV, LoadK);
  step(kLoadKV, LoadV);
  // Visits from i on that cost the same: unmasked whole tiles, all of them first visits or none, last ones or none.
  const auto starts_at = [&](int64_t i) { return first_turn(plan, i) == turn; };
  const auto ends_at = [&](int64_t i) { return plan.variant.finish_on_chip && last_turn(plan, i) == turn; };
  const int64_t whole_end = t.n_q / t.br;
  const auto alike = [&](int64_t i) {
    if (i >= whole_end || t.kind(i, j) != TileKind::Full) return int64_t{1};
    const int64_t last = i + (tiles_between(plan, i, whole_end) - 1) * apart;
    return starts_at(i) == starts_at(last) && ends_at(i) == ends_at(last) ? (last - i) / apart + 1 : 1;
  };
  int64_t visit = 0;
  for (int64_t i = i_begin, taken; i < t.tr; i += taken * apart, visit += taken) {
    taken = step.fold(alike(i));
    const bool starts = starts_at(i);
    const int first = starts ? Step::kFirstVisit : 0;
    step.at(i, j, visit);
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
    if (ends_at(i)) {
      step(kFinish, LogSumExp, first);
      step(kFinish, StoreO, first | Step::kOutput);
      step(kFinish, StoreLse, first);
    } else {
      step(kStore, StoreO, first);
      step(kStore, StoreStats, first);
    }
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
  step(kFinish, visited ? LoadO : InitO);
  step(kFinish, visited ? LoadStats : InitStats);
  step(kFinish, Convert);
  step(kFinish, LogSumExp);
  step(kFinish, StoreO, Step::kOutput);
  step(kFinish, StoreLse);
}

void emit(const Plan& plan, int64_t section, StepSink& sink) {
  const auto [pass, index, block] = part_of(plan, section);
  if (pass == 1)
    emit_attention(plan, index, block, section, sink);
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
