// Standard attention, Algorithm 0 (arXiv:2205.14135): three kernels, with S and P written to memory in between. The
// paper counts each matrix once per kernel; tiles that a real matrix product reads again from L2 carry Step::kAgain.
// The mask is applied as the softmax reads S, so it costs no traffic of its own.
#include "core/schedules/emitter.h"

namespace tilewalk {
namespace {

using enum StepKind;

constexpr std::string_view kPasses[] = {"S = Q Kᵀ", "P = softmax(S)", "O = P V"};

enum Line {
  kEachScore,
  kLoadQK,
  kScore,
  kStoreS,
  kEachRow,
  kLoadS,
  kRowMax,
  kWeights,
  kStoreP,
  kEachOut,
  kLoadPV,
  kOut,
  kStoreO
};
constexpr std::string_view kCode[] = {
    "for each tile i, j:",
    "  load Qᵢ, Kⱼ",
    "  S = Qᵢ Kⱼᵀ · scale",
    "  store S",
    "for each row of tiles i:",
    "  load S",
    "  m = rowmax S",
    "  P = e^(S−m);  l = rowsum P",
    "  P = P / l;  store P",
    "for each Q tile i, K/V tile j:",
    "  load P, Vⱼ",
    "  O = O + P Vⱼ",
    "store Oᵢ",
};

Variant variant(VariantId id, const Problem& p) {
  return {.o_between_visits = p.format, .p_over_s = id == VariantId::Kernel};
}

int64_t sections(const Plan& plan) { return 3 * plan.tiling.tr; }

uint64_t shape(const Plan& plan, int64_t section) {
  const int64_t pass = section / plan.tiling.tr, i = section % plan.tiling.tr;
  const bool first = i == 0;
  if (plan.tiling.causal && pass == 1) return uint64_t(1) << 60 | uint64_t(i);  // masked tiles differ from row to row
  return uint64_t(pass) << 60 | uint64_t(first) << 32 | uint64_t(plan.tiling.rows(i));
}

// Tiles from j on that cost the same: whole ones that are all masked or all not; a ragged last one stands alone.
int64_t alike(const Tiling& t, int64_t j, int64_t first_masked) {
  const int64_t whole = t.n_k / t.bc;
  return j < first_masked ? first_masked - j : j < whole ? whole - j : 1;
}

void emit_scores(const Tiling& t, int64_t i, Emitter& step) {
  for (int64_t j = 0, taken; j < t.tc; j += taken) {
    taken = step.fold(j == 0 ? 1 : alike(t, j, 0));
    step.at(i, j, j);
    if (j == 0) step(kLoadQK, LoadQ);
    step(kLoadQK, LoadK, i > 0 ? Step::kAgain : 0);
    step(kScore, Score);
    step(kStoreS, StoreS);
  }
}

// A whole row of tiles is on chip at once: each tile has a slot of its own.
void emit_softmax(const Tiling& t, int64_t i, Emitter& step) {
  const auto each_tile = [&](auto&& body) {
    for (int64_t j = 0, taken; j < t.tc; j += taken) {
      taken = step.fold(alike(t, j, t.whole_tiles(i)));
      step.at(i, j, j);
      step.slot(j);
      body(j);
    }
  };
  step.at(i, 0, 0);
  step(kLoadS, InitStats);
  each_tile([&](int64_t j) {
    step(kLoadS, LoadS);
    if (t.kind(i, j) != TileKind::Full) step(kLoadS, Mask);
  });
  each_tile([&](int64_t) { step(kRowMax, RowMax, Step::kFinalMax); });
  each_tile([&](int64_t) {
    step(kWeights, Exponentiate, Step::kFinalMax);
    step(kWeights, RowSum, Step::kFinalMax);
  });
  each_tile([&](int64_t) {
    step(kStoreP, NormalizeP);
    step(kStoreP, StoreP);
  });
}

void emit_output(const Tiling& t, int64_t i, Emitter& step) {
  step.at(i, 0, 0);
  step(kLoadPV, InitO);
  for (int64_t j = 0, taken; j < t.tc; j += taken) {
    taken = step.fold(alike(t, j, 0));
    step.at(i, j, j);
    step(kLoadPV, LoadP);
    step(kLoadPV, LoadV, i > 0 ? Step::kAgain : 0);
    step(kOut, Accumulate);
  }
  step.fold(1);
  step(kStoreO, StoreO, Step::kOutput);
}

void emit(const Plan& plan, int64_t section, StepSink& sink) {
  const int pass = int(section / plan.tiling.tr);
  const int64_t i = section % plan.tiling.tr;
  Emitter step(sink, pass, section);
  if (pass == 0) emit_scores(plan.tiling, i, step);
  if (pass == 1) emit_softmax(plan.tiling, i, step);
  if (pass == 2) emit_output(plan.tiling, i, step);
}

}  // namespace

const Schedule kStandardSchedule{
    ScheduleId::Standard,
    "Standard",
    "standard",
    "three kernels; S and P go through memory",
    kPasses,
    kCode,
    variant,
    sections,
    shape,
    emit,
    true,
    false,
    true,
};

}  // namespace tilewalk
