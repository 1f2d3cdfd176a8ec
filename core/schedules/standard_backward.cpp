// The standard backward pass, Algorithm 3 (arXiv:2205.14135): five kernels that read the P which the forward pass
// stored, and send dP and dS through memory. As in standard.cpp the paper's count takes each matrix once per kernel;
// what a real matrix product reads again from L2 carries Step::kAgain.
#include "core/schedules/emitter.h"

namespace tilewalk {
namespace {

using enum StepKind;

constexpr std::string_view kPasses[] = {"dV = Pᵀ dO", "dP = dO Vᵀ", "dS = P ∘ (dP − D)", "dQ = dS K", "dK = dSᵀ Q"};

enum Line {
  kEachV,
  kLoadP,
  kValues,
  kStoreV,
  kEachP,
  kLoadV,
  kGradientP,
  kEachS,
  kLoadRow,
  kDot,
  kGradientS,
  kEachQ,
  kLoadS,
  kQueries,
  kStoreQ,
  kEachK,
  kLoadSQ,
  kKeys,
  kStoreK
};
constexpr std::string_view kCode[] = {
    "for each K/V tile j:  dV = 0",
    "  load P, dOᵢ",
    "  dV = dV + Pᵀ dOᵢ",
    "  store dVⱼ",
    "for each tile i, j:",
    "  load dOᵢ, Vⱼ",
    "  dP = dOᵢ Vⱼᵀ;  store dP",
    "for each row of tiles i:",
    "  load P, dP",
    "  D = rowsum(P ∘ dP)",
    "  dS = P ∘ (dP − D);  store dS",
    "for each Q tile i:  dQ = 0",
    "  load dS, Kⱼ",
    "  dQ = dQ + dS Kⱼ · scale",
    "  store dQᵢ",
    "for each K/V tile j:  dK = 0",
    "  load dS, Qᵢ",
    "  dK = dK + dSᵀ Qᵢ · scale",
    "  store dKⱼ",
};

Variant variant(VariantId, const Problem& p) { return {.o_between_visits = p.format, .dq_between_visits = p.format}; }

// Sections: one per K/V tile, per Q tile three times, per K/V tile.
struct Part {
  int pass;
  int64_t index;
};
constexpr bool over_keys(int pass) { return pass == 0 || pass == 4; }
Part part_of(const Tiling& t, int64_t section) {
  for (int pass = 0;; ++pass) {
    const int64_t turns = over_keys(pass) ? t.tc : t.tr;
    if (section < turns || pass == 4) return {pass, section};
    section -= turns;
  }
}

int64_t sections(const Plan& plan) { return 3 * plan.tiling.tr + 2 * plan.tiling.tc; }

uint64_t shape(const Plan& plan, int64_t section) {
  const Tiling& t = plan.tiling;
  const auto [pass, index] = part_of(t, section);
  const int64_t size = over_keys(pass) ? t.cols(index) : t.rows(index);
  return uint64_t(pass) << 60 | uint64_t(index == 0) << 32 | uint64_t(size);
}

// Whole tiles cost the same; a ragged last one stands alone.
template <class Body>
void each(Emitter& step, int64_t tiles, int64_t whole, Body&& body) {
  for (int64_t n = 0, taken; n < tiles; n += taken) {
    taken = step.fold(n == 0 || n >= whole ? 1 : whole - n);
    body(n);
  }
  step.fold(1);
}

void emit_over_keys(const Tiling& t, int pass, int64_t j, Emitter& step) {
  const bool values = pass == 0;
  const int again = j > 0 ? Step::kAgain : 0;
  step.at(0, j, 0);
  step(values ? kEachV : kEachK, values ? InitDV : InitDK);
  each(step, t.tr, t.n_q / t.br, [&](int64_t i) {
    step.at(i, j, i);
    step(values ? kLoadP : kLoadSQ, values ? LoadP : LoadDS);
    step(values ? kLoadP : kLoadSQ, values ? LoadDO : LoadQ, again);
    step(values ? kValues : kKeys, values ? AccumulateDV : AccumulateDK);
  });
  step(values ? kStoreV : kStoreK, values ? StoreDV : StoreDK);
}

// A whole row of P and dP is on chip at once: each tile has a slot of its own.
void emit_softmax(const Tiling& t, int64_t i, Emitter& step) {
  const auto each_tile = [&](auto&& body) {
    each(step, t.tc, t.n_k / t.bc, [&](int64_t j) {
      step.at(i, j, j);
      step.slot(j);
      body(j);
    });
  };
  each_tile([&](int64_t) {
    step(kLoadRow, LoadP);
    step(kLoadRow, LoadDP);
  });
  each_tile([&](int64_t j) { step(kDot, DotP, j == 0 ? Step::kFresh : 0); });
  each_tile([&](int64_t) {
    step(kGradientS, GradientS);
    step(kGradientS, StoreDS);
  });
}

void emit_over_queries(const Tiling& t, int pass, int64_t i, Emitter& step) {
  if (pass == 2) return emit_softmax(t, i, step);
  const int again = i > 0 ? Step::kAgain : 0;
  step.at(i, 0, 0);
  step(pass == 1 ? kLoadV : kEachQ, pass == 1 ? LoadDO : InitDQ);
  each(step, t.tc, t.n_k / t.bc, [&](int64_t j) {
    step.at(i, j, j);
    if (pass == 1) {
      step(kLoadV, LoadV, again);
      step(kGradientP, GradientP);
      step(kGradientP, StoreDP);
    } else {
      step(kLoadS, LoadDS);
      step(kLoadS, LoadK, again);
      step(kQueries, AccumulateDQ);
    }
  });
  if (pass == 3) step(kStoreQ, StoreDQ, Step::kOutput);
}

void emit(const Plan& plan, int64_t section, StepSink& sink) {
  const auto [pass, index] = part_of(plan.tiling, section);
  Emitter step(sink, pass, section);
  if (over_keys(pass))
    emit_over_keys(plan.tiling, pass, index, step);
  else
    emit_over_queries(plan.tiling, pass, index, step);
}

}  // namespace

const Schedule kStandardBackward{
    ScheduleId::StandardBackward,
    "Standard backward",
    "standard-backward",
    "five kernels; P, dP and dS go through memory",
    kPasses,
    kCode,
    variant,
    sections,
    shape,
    emit,
    true,
    false,
    true,
    Direction::Backward,
};

}  // namespace tilewalk
