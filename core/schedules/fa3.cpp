// FlashAttention-3, Algorithms 1 and 2 (arXiv:2407.08608): FA2's loops and FA2's bytes, with the steps of two K/V tiles
// woven together so that the tensor cores never wait for the softmax. S of the next tile is asked for before O takes in
// P V of the tile before it; the softmax of that next tile then runs while the product does. So two tiles of S live at
// once, and alpha meets O only after the older product, which was summed under the older max. Algorithm 2's loop, read
// literally, leaves out the last tile; its product follows the loop.
//
// K, V and the scores have two buffers each (slots), taken in turn by visit. Two or three consumer warpgroups share a Q
// tile by rows, 64 each (core/schedules/kernel_shapes.h); all of them take these steps, each on its own rows.
#include "core/schedules/emitter.h"
#include "core/schedules/query_tiles.h"

namespace tilewalk {
namespace {

using enum StepKind;
using query_tiles::sections, query_tiles::shape, query_tiles::variant;

constexpr std::string_view kPasses[] = {"attention"};

enum Line {
  kEachQ,
  kLoadQ,
  kEachK,
  kLoadK,
  kScore,
  kLoadV,
  kOutput,
  kRowMax,
  kWeights,
  kRescale,
  kLastOutput,
  kFinish,
  kStore
};
constexpr std::string_view kCode[] = {
    "for each Q tile i (a thread block):",
    "  load Qᵢ;  O = 0,  l = 0,  m = −∞",
    "  for each K/V tile j:",
    "    load Kⱼ",
    "    S = Qᵢ Kⱼᵀ · scale",
    "    load V of the tile before",
    "    O = O + P V, of the tile before",
    "    m′ = max(m, rowmax S);  α = e^(m−m′)",
    "    P = e^(S−m′);  l = α l + rowsum P",
    "    O = α O",
    "  load the last V;  O = O + P V",
    "  O = O / l;  L = m + log l",
    "  store Oᵢ, Lᵢ",
};

void emit(const Plan& plan, int64_t i, StepSink& sink) {
  const Tiling& t = plan.tiling;
  const int64_t visits = t.visits(i);
  const auto tile = [&](int64_t n) { return plan.variant.last_to_first ? visits - 1 - n : n; };

  // Turns from n on that cost the same: their own tile is whole and unmasked, and the one before it too.
  const int64_t whole = t.whole_tiles(i);
  const auto alike = [&](int64_t n) {
    const bool uniform = n > 0 && tile(n) < whole && tile(n - 1) < whole;
    return uniform ? (plan.variant.last_to_first ? visits - n : whole - n) : 1;
  };

  Emitter step(sink, 0, i);
  // The steps of turn n that work on the tile of turn `own`, which is n or n - 1.
  const auto on_tile = [&](int64_t own, int64_t n) {
    step.at(i, tile(own), n);
    step.slot(own % 2);
  };
  const auto first_if = [](bool first) { return first ? Step::kFirstVisit : 0; };

  step.at(i, visits ? tile(0) : 0, 0);
  step(kLoadQ, LoadQ);
  step(kLoadQ, InitO);
  step(kLoadQ, InitStats);

  for (int64_t n = 0, taken; n < visits; n += taken) {
    taken = step.fold(alike(n));
    const int first = first_if(n == 0);
    on_tile(n, n);
    step(kLoadK, LoadK, first);
    step(kScore, Score, first);
    if (n > 0) {
      on_tile(n - 1, n);
      step(kLoadV, LoadV, first_if(n == 1));
      step(kOutput, Accumulate, first_if(n == 1));
      on_tile(n, n);
    }
    if (t.kind(i, tile(n)) == TileKind::Masked) step(kScore, Mask, first);
    step(kRowMax, RowMax, first);
    step(kWeights, Exponentiate, first);
    step(kWeights, RowSum, first);
    if (n > 0) step(kRescale, Rescale);  // at the first visit O is still zero
  }
  step.fold(1);

  if (visits) {
    on_tile(visits - 1, visits - 1);
    step(kLastOutput, LoadV, first_if(visits == 1));
    step(kLastOutput, Accumulate, first_if(visits == 1));
  }
  step(kFinish, Normalize);
  step(kFinish, LogSumExp);
  step(kStore, StoreO, Step::kOutput);
  step(kStore, StoreLse);
}

}  // namespace

const Schedule kFa3Schedule{
    ScheduleId::Fa3, "FA3", "fa3",   "FA2 with the softmax under the next products",
    kPasses,         kCode, variant, sections,
    shape,           emit,  true,    false,
    false,
};

}  // namespace tilewalk
