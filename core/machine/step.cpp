#include "core/machine/step.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <string>

namespace tilewalk {
namespace {

constexpr std::array<Tensor, 3> list(std::initializer_list<Tensor> tensors) {
  std::array<Tensor, 3> out{kNoTensor, kNoTensor, kNoTensor};
  std::ranges::copy(tensors, out.begin());
  return out;
}
constexpr Touched of(std::initializer_list<Tensor> reads, std::initializer_list<Tensor> writes) {
  return {list(reads), list(writes)};
}

constexpr std::array<StepInfo, kStepKindCount> vocabulary() {
  using enum StepKind;
  using enum Tensor;
  return {{
      {LoadQ, "LoadQ", "Qᵢ → SRAM", "A tile of queries comes on chip.", Engine::Load, of({}, {Q})},
      {LoadK, "LoadK", "Kⱼ → SRAM", "A tile of keys comes on chip.", Engine::Load, of({}, {K})},
      {LoadV, "LoadV", "Vⱼ → SRAM", "A tile of values comes on chip.", Engine::Load, of({}, {V})},
      {LoadO, "LoadO", "Oᵢ → SRAM", "The output so far comes back from memory.", Engine::Load, of({}, {O})},
      {LoadStats, "LoadStats", "mᵢ, lᵢ → registers", "The running max and sum come back from memory.", Engine::Load,
       of({}, {M, L})},
      {LoadS, "LoadS", "S → registers", "A tile of scores comes back from memory.", Engine::Load, of({}, {S})},
      {LoadP, "LoadP", "P → registers", "A tile of weights comes back from memory.", Engine::Load, of({}, {P})},
      {InitO, "InitO", "O = 0", "The output starts at zero.", Engine::Vector, of({}, {O})},
      {InitStats, "InitStats", "m = −∞, l = 0", "No score has been seen: the max starts at −∞, the sum at 0.",
       Engine::Vector, of({}, {M, L})},
      {Score, "Score", "S = Q Kᵀ · scale", "Each query meets each key of the tile.", Engine::TensorCore,
       of({Q, K}, {S})},
      {Mask, "Mask", "S = −∞ where key > query", "Keys that lie in the future are hidden.", Engine::Vector,
       of({S}, {S})},
      {RowMax, "RowMax", "m′ = max(m, rowmax S);  α = e^(m − m′)",
       "The running max takes in the new scores; α says how much the past must shrink.", Engine::Vector,
       of({S, M}, {M, Alpha})},
      {Exponentiate, "Exponentiate", "P = e^(S − m′)", "Each score becomes a weight relative to the max.",
       Engine::Exponential, of({S, M}, {P})},
      {RowSum, "RowSum", "l = α l + rowsum P", "The running sum shrinks by α and takes in the new weights.",
       Engine::Vector, of({P, L, Alpha}, {L})},
      {Denormalize, "Denormalize", "O = l O", "The stored average becomes a sum again.", Engine::Vector,
       of({O, L}, {O})},
      {Rescale, "Rescale", "O = α O", "What was summed under the old max is put on the new scale.", Engine::Vector,
       of({O, Alpha}, {O})},
      {Accumulate, "Accumulate", "O = O + P V", "The weighted values are added to the output.", Engine::TensorCore,
       of({O, P, V}, {O})},
      {Normalize, "Normalize", "O = O / l", "The sum becomes an average.", Engine::Vector, of({O, L}, {O})},
      {NormalizeP, "NormalizeP", "P = P / l", "The weights of a row now add up to 1.", Engine::Vector, of({P, L}, {P})},
      {LogSumExp, "LogSumExp", "L = m + log l", "One number per row keeps what the backward pass needs.",
       Engine::Vector, of({M, L}, {Lse})},
      {Convert, "Convert", "O → output format", "The fp32 output is rounded to the output's format.", Engine::Vector,
       of({O}, {O})},
      {StoreS, "StoreS", "S → memory", "A tile of scores goes to memory.", Engine::Store, of({S}, {})},
      {StoreP, "StoreP", "P → memory", "A tile of weights goes to memory.", Engine::Store, of({P}, {})},
      {StoreO, "StoreO", "Oᵢ → memory", "The output goes to memory.", Engine::Store, of({O}, {})},
      {StoreStats, "StoreStats", "mᵢ, lᵢ → memory", "The running max and sum go to memory.", Engine::Store,
       of({M, L}, {})},
      {StoreLse, "StoreLse", "Lᵢ → memory", "The logsumexp of each row goes to memory.", Engine::Store, of({Lse}, {})},
      {LoadDO, "LoadDO", "dOᵢ → SRAM", "A tile of the gradient of the output comes on chip.", Engine::Load,
       of({}, {DO})},
      {LoadLse, "LoadLse", "Lᵢ → registers", "The logsumexp that the forward pass kept comes back.", Engine::Load,
       of({}, {Lse})},
      {LoadD, "LoadD", "Dᵢ → registers", "The row sums of dO ∘ O come back from memory.", Engine::Load, of({}, {D})},
      {LoadDQ, "LoadDQ", "dQᵢ → registers", "The gradient of the queries so far comes back from memory.", Engine::Load,
       of({}, {DQ})},
      {LoadDP, "LoadDP", "dP → registers", "A tile of the gradient of P comes back from memory.", Engine::Load,
       of({}, {DP})},
      {LoadDS, "LoadDS", "dS → registers", "A tile of the gradient of S comes back from memory.", Engine::Load,
       of({}, {DS})},
      {InitDQ, "InitDQ", "dQ = 0", "The gradient of the queries starts at zero.", Engine::Vector, of({}, {DQ})},
      {InitDK, "InitDK", "dK = 0", "The gradient of the keys starts at zero.", Engine::Vector, of({}, {DK})},
      {InitDV, "InitDV", "dV = 0", "The gradient of the values starts at zero.", Engine::Vector, of({}, {DV})},
      {DotO, "DotO", "D = rowsum(dO ∘ O)", "One number per row says how much of dP the softmax takes back.",
       Engine::Vector, of({DO, O}, {D})},
      {DotP, "DotP", "D = D + rowsum(P ∘ dP)", "The same row sums, made from the whole rows of P and dP.",
       Engine::Vector, of({P, DP, D}, {D})},
      {Recompute, "Recompute", "P = e^(S − L)",
       "The weights come back, normalised at once, without having been stored.", Engine::Exponential,
       of({S, Lse}, {P})},
      {AccumulateDV, "AccumulateDV", "dV = dV + Pᵀ dO", "Each value receives the output gradients, as it was weighted.",
       Engine::TensorCore, of({DV, P, DO}, {DV})},
      {GradientP, "GradientP", "dP = dO Vᵀ", "Each weight learns how much the loss would change with it.",
       Engine::TensorCore, of({DO, V}, {DP})},
      {GradientS, "GradientS", "dS = P ∘ (dP − D)",
       "Through the softmax: what counts is how far dP lies from its average D.", Engine::Vector, of({P, DP, D}, {DS})},
      {AccumulateDQ, "AccumulateDQ", "dQ = dQ + dS K · scale", "The queries take in the keys, weighted by dS.",
       Engine::TensorCore, of({DQ, DS, K}, {DQ})},
      {AccumulateDK, "AccumulateDK", "dK = dK + dSᵀ Q · scale", "The keys take in the queries, weighted by dS.",
       Engine::TensorCore, of({DK, DS, Q}, {DK})},
      {ConvertDQ, "ConvertDQ", "dQ → output format", "The fp32 sum dQ is rounded to the output's format.",
       Engine::Vector, of({DQ}, {DQ})},
      {StoreD, "StoreD", "Dᵢ → memory", "The row sums of dO ∘ O go to memory.", Engine::Store, of({D}, {})},
      {StoreDP, "StoreDP", "dP → memory", "A tile of the gradient of P goes to memory.", Engine::Store, of({DP}, {})},
      {StoreDS, "StoreDS", "dS → memory", "A tile of the gradient of S goes to memory.", Engine::Store, of({DS}, {})},
      {StoreDQ, "StoreDQ", "dQᵢ → memory", "The gradient of the queries goes to memory.", Engine::Store, of({DQ}, {})},
      {AddDQ, "AddDQ", "dQᵢ += in memory", "This block's share is added to dQ in memory, by atomic adds.",
       Engine::Store, of({DQ}, {})},
      {StoreDK, "StoreDK", "dKⱼ → memory", "The finished gradient of the keys goes to memory.", Engine::Store,
       of({DK}, {})},
      {StoreDV, "StoreDV", "dVⱼ → memory", "The finished gradient of the values goes to memory.", Engine::Store,
       of({DV}, {})},
      {LoadPart, "LoadPart", "Oᵢₛ, Lᵢₛ → registers", "What one split made of the row's keys comes back from memory.",
       Engine::Load, of({}, {O, Lse})},
      {StorePart, "StorePart", "Oᵢₛ, Lᵢₛ → memory", "A split's average and the logsumexp it belongs to go to memory.",
       Engine::Store, of({O, Lse}, {})},
      {MergeMax, "MergeMax", "m′ = max(m, Lᵢₛ);  α = e^(m − m′)",
       "L of a split stands for the scores of all its keys: the running max takes it in.", Engine::Vector,
       of({Lse, M}, {M, Alpha})},
      {MergeWeight, "MergeWeight", "w = e^(Lᵢₛ − m′)",
       "L of a split becomes the weight that all its keys have together.", Engine::Exponential, of({Lse, M}, {Lse})},
      {MergeSum, "MergeSum", "l = α l + w", "The running sum shrinks by α and takes in the split's weight.",
       Engine::Vector, of({Lse, L, Alpha}, {L})},
      {MergeOut, "MergeOut", "O = O + w Oᵢₛ", "The split's average is added with its weight.", Engine::Vector,
       of({O, Lse}, {O})},
  }};
}
constexpr std::array kVocabulary = vocabulary();

// The table's first: a split's parts, and adding to dQ, come after the loads and stores of whole tiles.
std::optional<StepKind> moving(Engine engine, Tensor tensor) {
  for (const StepInfo& info : kVocabulary)
    if (tensor != kNoTensor && info.engine == engine && std::ranges::count(moved_tensors(info.kind), tensor))
      return info.kind;
  return std::nullopt;
}

std::string squeezed(std::string_view name) {
  std::string out;
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c))) out += char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string_view symbol_of(Tensor tensor) {
  constexpr std::array<std::string_view, kTensorCount> kSymbols{"Q", "K",  "V",  "S",  "P",  "O",  "m",  "l", "α",
                                                                "L", "dO", "dP", "dS", "dQ", "dK", "dV", "D"};
  return kSymbols[size_t(tensor)];
}

std::span<const StepInfo> vocabulary() { return kVocabulary; }
const StepInfo& info_of(StepKind kind) { return kVocabulary[size_t(kind)]; }

std::array<Tensor, 3> moved_tensors(StepKind kind) {
  const StepInfo& info = info_of(kind);
  return info.engine == Engine::Load    ? info.touched.writes
         : info.engine == Engine::Store ? info.touched.reads
                                        : list({});
}

std::optional<StepKind> load_of(Tensor tensor) { return moving(Engine::Load, tensor); }
std::optional<StepKind> store_of(Tensor tensor) { return moving(Engine::Store, tensor); }

Touched touched_by(const Step& step) {
  Touched out = info_of(step.kind).touched;
  if (step.has(Step::kFinalMax))
    for (auto* side : {&out.reads, &out.writes}) std::ranges::replace(*side, Tensor::Alpha, kNoTensor);
  return out;
}

std::optional<StepKind> step_named(std::string_view name) {
  const std::string wanted = squeezed(name);
  for (const StepInfo& info : kVocabulary)
    if (squeezed(info.name) == wanted) return info.kind;
  return std::nullopt;
}

}  // namespace tilewalk
