// The vocabulary: every step an attention schedule can take, in one table with its name, formula, meaning, its
// operation (the engine) and the tensors it works on. Queries, printed walks, the language's loads and stores, the
// machine's faults and the code panel read the table; what a step costs and computes, and how it is told, stands in
// switches over StepKind of their own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tilewalk {

// What a tile belongs to. Lse is the paper's L = m + log l. DO .. DV are the gradients of O, P, S, Q, K and V; D is
// rowsum(dO * O), one number per row (arXiv:2307.08691 section 2.3.2).
enum class Tensor : uint8_t { Q, K, V, S, P, O, M, L, Alpha, Lse, DO, DP, DS, DQ, DK, DV, D };
constexpr int kTensorCount = 17;
constexpr Tensor kNoTensor = Tensor(kTensorCount);  // "none", where a tensor may be missing; never an index
std::string_view symbol_of(Tensor tensor);          // "Q", ..., "m", "l", "α", "L", "dQ", "D"

// The gradient of a tensor is one of DO .. DV: it has that tensor's shape, tiles and colour.
constexpr bool is_gradient(Tensor t) { return t >= Tensor::DO && t <= Tensor::DV; }
constexpr Tensor primal_of(Tensor t) {
  switch (t) {
    case Tensor::DO: return Tensor::O;
    case Tensor::DP: return Tensor::P;
    case Tensor::DS: return Tensor::S;
    case Tensor::DQ: return Tensor::Q;
    case Tensor::DK: return Tensor::K;
    case Tensor::DV: return Tensor::V;
    default: return t;
  }
}

// What comes from outside and never changes.
constexpr bool is_input(Tensor t) { return t == Tensor::Q || t == Tensor::K || t == Tensor::V || t == Tensor::DO; }
// S, P and their gradients: the N x N matrices.
constexpr bool is_scores(Tensor t) { return primal_of(t) == Tensor::S || primal_of(t) == Tensor::P; }
// P is made in the registers of S, and dS in those of dP.
constexpr bool share_registers(Tensor a, Tensor b) {
  return a == b || (is_scores(a) && is_scores(b) && is_gradient(a) == is_gradient(b));
}
// K and V and their gradients.
constexpr bool is_keyed(Tensor t) { return primal_of(t) == Tensor::K || primal_of(t) == Tensor::V; }
// What tells a tensor's tiles apart: the Q tile i, the K/V tile j, or both. Alpha belongs to one visit, so to both.
constexpr bool by_query_tile(Tensor t) { return !is_keyed(t) && t != kNoTensor; }
constexpr bool by_key_tile(Tensor t) { return is_keyed(t) || is_scores(t) || t == Tensor::Alpha; }
// One number for each query row: m, l, alpha, L and D.
constexpr bool is_statistic(Tensor t) {
  return t == Tensor::M || t == Tensor::L || t == Tensor::Alpha || t == Tensor::Lse || t == Tensor::D;
}

enum class StepKind : uint8_t {
  LoadQ,
  LoadK,
  LoadV,
  LoadO,
  LoadStats,
  LoadS,
  LoadP,
  InitO,
  InitStats,
  Score,
  Mask,
  RowMax,
  Exponentiate,
  RowSum,
  Denormalize,
  Rescale,
  Accumulate,
  Normalize,
  NormalizeP,
  LogSumExp,
  Convert,
  StoreS,
  StoreP,
  StoreO,
  StoreStats,
  StoreLse,
  // The backward pass.
  LoadDO,
  LoadLse,
  LoadD,
  LoadDQ,
  LoadDP,
  LoadDS,
  InitDQ,
  InitDK,
  InitDV,
  DotO,
  DotP,
  Recompute,
  AccumulateDV,
  GradientP,
  GradientS,
  AccumulateDQ,
  AccumulateDK,
  ConvertDQ,
  StoreD,
  StoreDP,
  StoreDS,
  StoreDQ,
  AddDQ,
  StoreDK,
  StoreDV,
  // A row's keys cut into splits: each leaves a part of O and its L, which are merged.
  LoadPart,
  StorePart,
  MergeMax,
  MergeWeight,
  MergeSum,
  MergeOut,
};
constexpr int kStepKindCount = int(StepKind::MergeOut) + 1;
constexpr bool is_part(StepKind kind) { return kind >= StepKind::LoadPart && kind <= StepKind::MergeOut; }

// Which part of the chip does the work.
enum class Engine : uint8_t { Load, Store, TensorCore, Exponential, Vector };

// What a step reads and writes on chip; the rest of each list is kNoTensor. A load writes there what it fetches, a
// store reads there what it sends. A tensor that is changed in place is in both lists; so are S and P, and dP and dS,
// where one takes the other's registers (share_registers).
struct Touched {
  std::array<Tensor, 3> reads, writes;
};

struct StepInfo {
  StepKind kind;
  std::string_view name;     // "Score": one word, also the kernels' heading and the JSON name
  std::string_view formula;  // in the papers' letters
  std::string_view meaning;  // one sentence
  Engine engine;             // Load and Store move tensors between memory and chip, the rest compute
  Touched touched;           // alpha always among them: see touched_by
};

std::span<const StepInfo> vocabulary();  // in the order of StepKind
const StepInfo& info_of(StepKind kind);
// What crosses between memory and chip: one tensor, m and l, or a split's O and L; nothing for a step that computes.
std::array<Tensor, 3> moved_tensors(StepKind kind);
// The load or store that moves this tensor between a schedule's own tiles; a split's part has steps of its own.
std::optional<StepKind> load_of(Tensor tensor);
std::optional<StepKind> store_of(Tensor tensor);
std::optional<StepKind> step_named(std::string_view name);  // any case, "load K" and "LoadK" alike

// One entry of the vocabulary on one tile. Indices count from 0.
struct Step {
  enum Flag : uint8_t {
    kAgain = 1,       // a tile that the paper's two-level count reads only once per pass
    kFinalMax = 2,    // no alpha: every exponential is taken after the row's max is final
    kFirstVisit = 4,  // the first tile a Q tile meets: O, m, l hold their start values
    kOutput = 8,      // O or dQ in the output's format rather than in the format it has between visits
    kFresh = 16,      // the sum starts at 0 instead of going on
  };
  StepKind kind{};
  uint8_t pass = 0;  // index into Schedule::passes
  uint8_t line = 0;  // index into Schedule::code
  uint8_t flags = 0;
  int32_t i = 0, j = 0;  // Q tile, K/V tile
  int32_t section = 0;   // one turn of the outer loop; on-chip memory starts empty in each block
  int32_t visit = 0;     // turn of the inner loop within the section
  int32_t slot = 0;      // which buffer of K, V or the scores the tile goes to or comes from; of parts, the split

  bool has(Flag flag) const { return flags & flag; }
  bool operator==(const Step&) const = default;
};

// What this step touches: its kind's row, without alpha where the max was final before.
Touched touched_by(const Step& step);

// The buffer that a step's tile of this tensor lies in. K, V and the scores may have several; the rest have one, but
// for O and L, where a part that was loaded lies beside the one that is being made.
constexpr int32_t kPartSlot = 1;
constexpr int32_t slot_of(Tensor t, const Step& step) {
  if (is_scores(t) || t == Tensor::K || t == Tensor::V) return step.slot;
  const bool part = (t == Tensor::Lse && is_part(step.kind) && step.kind != StepKind::StorePart) ||
                    (t == Tensor::O && step.kind == StepKind::LoadPart);
  return part ? kPartSlot : 0;
}

}  // namespace tilewalk
