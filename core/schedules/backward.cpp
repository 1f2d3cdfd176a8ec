// The backward passes of FlashAttention, Algorithm 4 (arXiv:2205.14135), and FlashAttention-2, Algorithm 2
// (arXiv:2307.08691). Both have K/V tiles outside, so that dK and dV stay on chip, and make P again instead of reading
// it. FA1 reads dQ and writes it back at every visit, in one thread block; FA2 gives each K/V tile a thread block, and
// those add to dQ in memory. FA2's paper has D of shape d and loads O in the loop: D has one number per row, and once
// it is there, O is not needed.
#include "core/schedules/emitter.h"

#include <algorithm>

namespace tilewalk {
namespace {

using enum StepKind;

constexpr std::string_view kFa1Passes[] = {"initialise", "gradients"};
constexpr std::string_view kFa2Passes[] = {"D = rowsum(dO ∘ O)", "gradients", "convert dQ"};

enum Line {
  kFirst,
  kSecond,
  kEachK,
  kLoadKV,
  kEachQ,
  kLoadQ,
  kScore,
  kWeights,
  kValues,
  kGradientP,
  kGradientS,
  kQueries,
  kKeys,
  kStore,
  kConvert
};
constexpr std::string_view kFa1Code[] = {
    "in memory:  dQ = 0",
    "in memory:  dK = 0,  dV = 0",
    "for each K/V tile j:",
    "  load Kⱼ, Vⱼ;  dK = 0,  dV = 0",
    "  for each Q tile i:",
    "    load Qᵢ, Oᵢ, dOᵢ, dQᵢ, lᵢ, mᵢ",
    "    S = Qᵢ Kⱼᵀ · scale",
    "    P = e^(S−m) / l",
    "    dV = dV + Pᵀ dOᵢ",
    "    dP = dOᵢ Vⱼᵀ",
    "    D = rowsum(dO ∘ O);  dS = P ∘ (dP − D)",
    "    dQ = dQ + dS Kⱼ · scale;  store dQᵢ",
    "    dK = dK + dSᵀ Qᵢ · scale",
    "  store dKⱼ, dVⱼ",
};
constexpr std::string_view kFa2Code[] = {
    "for each Q tile i:  load Oᵢ, dOᵢ",
    "  D = rowsum(dO ∘ O);  in memory: Dᵢ, dQᵢ = 0",
    "for each K/V tile j (a thread block):",
    "  load Kⱼ, Vⱼ;  dK = 0,  dV = 0",
    "  for each Q tile i:",
    "    load Qᵢ, dOᵢ, Lᵢ, Dᵢ",
    "    S = Qᵢ Kⱼᵀ · scale",
    "    P = e^(S−L)",
    "    dV = dV + Pᵀ dOᵢ",
    "    dP = dOᵢ Vⱼᵀ",
    "    dS = P ∘ (dP − D)",
    "    dQᵢ += dS Kⱼ · scale  in memory, atomic",
    "    dK = dK + dSᵀ Qᵢ · scale",
    "  store dKⱼ, dVⱼ",
    "for each Q tile i:  dQ → output format",
};

Variant fa1_variant(VariantId, const Problem& p) {
  return {.o_between_visits = p.format, .dq_between_visits = p.format};
}
// The kernel meets its Q tiles last to first.
Variant fa2_variant(VariantId id, const Problem& p) {
  return {.o_between_visits = p.format,
          .dq_between_visits = Format::Float32,
          .last_to_first = id == VariantId::Kernel,
          .conversion_pass = true};
}

// Sections of FA1: the initialisation, one per Q tile and one per K/V tile, then one per K/V tile. Of FA2: D, one per
// Q tile; one per K/V tile; the conversion, one per Q tile.
struct Part {
  int pass;
  int64_t index;
};
Part fa1_part(const Tiling& t, int64_t section) {
  return section < t.tr + t.tc ? Part{0, section} : Part{1, section - t.tr - t.tc};
}
Part fa2_part(const Tiling& t, int64_t section) {
  if (section < t.tr) return {0, section};
  section -= t.tr;
  return section < t.tc ? Part{1, section} : Part{2, section - t.tc};
}

int64_t fa1_sections(const Plan& plan) { return plan.tiling.tr + 2 * plan.tiling.tc; }
int64_t fa2_sections(const Plan& plan) { return 2 * plan.tiling.tr + plan.tiling.tc; }

// Of the sections over K/V tiles.
uint64_t loop_shape(const Tiling& t, int64_t j) { return uint64_t(t.causal ? j : t.cols(j)); }

uint64_t fa1_shape(const Plan& plan, int64_t section) {
  const Tiling& t = plan.tiling;
  const auto [pass, index] = fa1_part(t, section);
  if (pass == 1) return uint64_t(1) << 60 | loop_shape(t, index);
  const bool keys = index >= t.tr;
  return uint64_t(keys) << 32 | uint64_t(keys ? t.cols(index - t.tr) : t.rows(index));
}

uint64_t fa2_shape(const Plan& plan, int64_t section) {
  const auto [pass, index] = fa2_part(plan.tiling, section);
  return uint64_t(pass) << 60 | (pass == 1 ? loop_shape(plan.tiling, index) : uint64_t(plan.tiling.rows(index)));
}

// The Q tiles that K/V tile j meets, in order, and how many of them in a row cost the same: whole and unmasked ones.
struct Visits {
  Visits(const Plan& plan, int64_t j)
      : t(plan.tiling), backwards(plan.variant.last_to_first), j(j), begin(t.first_row_tile(j)), count(t.tr - begin) {}

  int64_t tile(int64_t n) const { return backwards ? t.tr - 1 - n : begin + n; }
  int64_t alike(int64_t n) const {
    const int64_t i = tile(n), whole_end = t.n_q / t.br;
    const auto full = [&](int64_t at) { return at < whole_end && t.kind(at, j) == TileKind::Full; };
    if (!full(i)) return 1;
    if (!backwards) return whole_end - i;  // below a full tile all are full
    const int64_t last_key = j * t.bc + t.cols(j) - 1;
    const int64_t first_row = t.causal ? std::max<int64_t>(0, last_key - t.offset) : 0;  // that sees all of the tile
    return i - std::max(begin, (first_row + t.br - 1) / t.br) + 1;
  }

  const Tiling& t;
  bool backwards;
  int64_t j, begin, count;
};

// The loop that both have; `load` brings what a visit needs, `weights`, `gradient` and `queries` differ.
struct Differences {
  void (*load)(Emitter&);
  void (*weights)(Emitter&);
  void (*gradient_s)(Emitter&);
  void (*queries)(Emitter&);
};

void emit_loop(const Plan& plan, int pass, int64_t j, int64_t section, StepSink& sink, const Differences& own) {
  const Tiling& t = plan.tiling;
  const Visits visits(plan, j);
  Emitter step(sink, pass, section);
  step.at(visits.count ? visits.tile(0) : t.tr - 1, j, 0);
  if (visits.count) {
    step(kLoadKV, LoadK);
    step(kLoadKV, LoadV);
  }
  step(kLoadKV, InitDK);
  step(kLoadKV, InitDV);
  for (int64_t n = 0, taken; n < visits.count; n += taken) {
    taken = step.fold(visits.alike(n));
    const int64_t i = visits.tile(n);
    step.at(i, j, n);
    own.load(step);
    step(kScore, Score);
    if (t.kind(i, j) == TileKind::Masked) step(kScore, Mask);
    own.weights(step);
    step(kValues, AccumulateDV);
    step(kGradientP, GradientP);
    own.gradient_s(step);
    own.queries(step);
    step(kKeys, AccumulateDK);
  }
  step.fold(1);
  step(kStore, StoreDK);
  step(kStore, StoreDV);
}

constexpr Differences kFa1Loop{
    [](Emitter& step) {
      step(kLoadQ, LoadQ);
      step(kLoadQ, LoadO, Step::kOutput);
      step(kLoadQ, LoadDO);
      step(kLoadQ, LoadDQ);
      step(kLoadQ, LoadStats);
    },
    [](Emitter& step) {
      step(kWeights, Exponentiate, Step::kFinalMax);
      step(kWeights, NormalizeP);
    },
    [](Emitter& step) {
      step(kGradientS, DotO);
      step(kGradientS, GradientS);
    },
    [](Emitter& step) {
      step(kQueries, AccumulateDQ);
      step(kQueries, StoreDQ);
    },
};

constexpr Differences kFa2Loop{
    [](Emitter& step) {
      step(kLoadQ, LoadQ);
      step(kLoadQ, LoadDO);
      step(kLoadQ, LoadLse);
      step(kLoadQ, LoadD);
    },
    [](Emitter& step) { step(kWeights, Recompute); },
    [](Emitter& step) { step(kGradientS, GradientS); },
    [](Emitter& step) {
      step(kQueries, AccumulateDQ, Step::kFresh);
      step(kQueries, AddDQ);
    },
};

void fa1_emit(const Plan& plan, int64_t section, StepSink& sink) {
  const Tiling& t = plan.tiling;
  const auto [pass, index] = fa1_part(t, section);
  if (pass == 1) return emit_loop(plan, 1, index, section, sink, kFa1Loop);
  Emitter step(sink, 0, section);
  if (index < t.tr) {
    step.at(index, 0, 0);
    step(kFirst, InitDQ);
    step(kFirst, StoreDQ);
    return;
  }
  step.at(0, index - t.tr, 0);
  step(kSecond, InitDK);
  step(kSecond, InitDV);
  step(kSecond, StoreDK);
  step(kSecond, StoreDV);
}

void fa2_emit(const Plan& plan, int64_t section, StepSink& sink) {
  const auto [pass, index] = fa2_part(plan.tiling, section);
  if (pass == 1) return emit_loop(plan, 1, index, section, sink, kFa2Loop);
  Emitter step(sink, pass, section);
  step.at(index, 0, 0);
  if (pass == 0) {
    step(kFirst, LoadO, Step::kOutput);
    step(kFirst, LoadDO);
    step(kSecond, DotO);
    step(kSecond, StoreD);
    step(kSecond, InitDQ);
    step(kSecond, StoreDQ);
    return;
  }
  step(kConvert, LoadDQ);
  step(kConvert, ConvertDQ);
  step(kConvert, StoreDQ, Step::kOutput);
}

}  // namespace

const Schedule kFa1Backward{
    ScheduleId::Fa1Backward,
    "FA1 backward",
    "fa1-backward",
    "K/V tiles outside; P made again, dQ through memory",
    kFa1Passes,
    kFa1Code,
    fa1_variant,
    fa1_sections,
    fa1_shape,
    fa1_emit,
    false,
    true,
    false,
    Direction::Backward,
};

const Schedule kFa2Backward{
    ScheduleId::Fa2Backward,
    "FA2 backward",
    "fa2-backward",
    "a thread block per K/V tile; P made again, dQ added up",
    kFa2Passes,
    kFa2Code,
    fa2_variant,
    fa2_sections,
    fa2_shape,
    fa2_emit,
    true,
    true,
    false,
    Direction::Backward,
};

}  // namespace tilewalk
