#include "core/machine/step.h"

#include <array>
#include <cctype>
#include <string>

namespace tilewalk {
namespace {

constexpr std::array<StepInfo, kStepKindCount> vocabulary() {
  using enum StepKind;
  return {{
      {LoadQ, "LoadQ", "Qᵢ → SRAM", "A tile of queries comes on chip.", Engine::Load},
      {LoadK, "LoadK", "Kⱼ → SRAM", "A tile of keys comes on chip.", Engine::Load},
      {LoadV, "LoadV", "Vⱼ → SRAM", "A tile of values comes on chip.", Engine::Load},
      {LoadO, "LoadO", "Oᵢ → SRAM", "The output so far comes back from memory.", Engine::Load},
      {LoadStats, "LoadStats", "mᵢ, lᵢ → registers", "The running max and sum come back from memory.", Engine::Load},
      {LoadS, "LoadS", "S → registers", "A tile of scores comes back from memory.", Engine::Load},
      {LoadP, "LoadP", "P → registers", "A tile of weights comes back from memory.", Engine::Load},
      {InitO, "InitO", "O = 0", "The output starts at zero.", Engine::Vector},
      {InitStats, "InitStats", "m = −∞, l = 0", "No score has been seen: the max starts at −∞, the sum at 0.",
       Engine::Vector},
      {Score, "Score", "S = Q Kᵀ · scale", "Each query meets each key of the tile.", Engine::TensorCore},
      {Mask, "Mask", "S = −∞ where key > query", "Keys that lie in the future are hidden.", Engine::Vector},
      {RowMax, "RowMax", "m′ = max(m, rowmax S);  α = e^(m − m′)",
       "The running max takes in the new scores; α says how much the past must shrink.", Engine::Vector},
      {Exponentiate, "Exponentiate", "P = e^(S − m′)", "Each score becomes a weight relative to the max.",
       Engine::Exponential},
      {RowSum, "RowSum", "l = α l + rowsum P", "The running sum shrinks by α and takes in the new weights.",
       Engine::Vector},
      {Denormalize, "Denormalize", "O = l O", "The stored average becomes a sum again.", Engine::Vector},
      {Rescale, "Rescale", "O = α O", "What was summed under the old max is put on the new scale.", Engine::Vector},
      {Accumulate, "Accumulate", "O = O + P V", "The weighted values are added to the output.", Engine::TensorCore},
      {Normalize, "Normalize", "O = O / l", "The sum becomes an average.", Engine::Vector},
      {NormalizeP, "NormalizeP", "P = P / l", "The weights of a row now add up to 1.", Engine::Vector},
      {LogSumExp, "LogSumExp", "L = m + log l", "One number per row keeps what the backward pass needs.",
       Engine::Vector},
      {Convert, "Convert", "O → output format", "The fp32 output is rounded to the output's format.", Engine::Vector},
      {StoreS, "StoreS", "S → memory", "A tile of scores goes to memory.", Engine::Store},
      {StoreP, "StoreP", "P → memory", "A tile of weights goes to memory.", Engine::Store},
      {StoreO, "StoreO", "Oᵢ → memory", "The output goes to memory.", Engine::Store},
      {StoreStats, "StoreStats", "mᵢ, lᵢ → memory", "The running max and sum go to memory.", Engine::Store},
      {StoreLse, "StoreLse", "Lᵢ → memory", "The logsumexp of each row goes to memory.", Engine::Store},
      {LoadDO, "LoadDO", "dOᵢ → SRAM", "A tile of the gradient of the output comes on chip.", Engine::Load},
      {LoadLse, "LoadLse", "Lᵢ → registers", "The logsumexp that the forward pass kept comes back.", Engine::Load},
      {LoadD, "LoadD", "Dᵢ → registers", "The row sums of dO ∘ O come back from memory.", Engine::Load},
      {LoadDQ, "LoadDQ", "dQᵢ → registers", "The gradient of the queries so far comes back from memory.", Engine::Load},
      {LoadDP, "LoadDP", "dP → registers", "A tile of the gradient of P comes back from memory.", Engine::Load},
      {LoadDS, "LoadDS", "dS → registers", "A tile of the gradient of S comes back from memory.", Engine::Load},
      {InitDQ, "InitDQ", "dQ = 0", "The gradient of the queries starts at zero.", Engine::Vector},
      {InitDK, "InitDK", "dK = 0", "The gradient of the keys starts at zero.", Engine::Vector},
      {InitDV, "InitDV", "dV = 0", "The gradient of the values starts at zero.", Engine::Vector},
      {DotO, "DotO", "D = rowsum(dO ∘ O)", "One number per row says how much of dP the softmax takes back.",
       Engine::Vector},
      {DotP, "DotP", "D = D + rowsum(P ∘ dP)", "The same row sums, made from the whole rows of P and dP.",
       Engine::Vector},
      {Recompute, "Recompute", "P = e^(S − L)",
       "The weights come back, normalised at once, without having been stored.", Engine::Exponential},
      {AccumulateDV, "AccumulateDV", "dV = dV + Pᵀ dO", "Each value receives the output gradients, as it was weighted.",
       Engine::TensorCore},
      {GradientP, "GradientP", "dP = dO Vᵀ", "Each weight learns how much the loss would change with it.",
       Engine::TensorCore},
      {GradientS, "GradientS", "dS = P ∘ (dP − D)",
       "Through the softmax: what counts is how far dP lies from its average D.", Engine::Vector},
      {AccumulateDQ, "AccumulateDQ", "dQ = dQ + dS K · scale", "The queries take in the keys, weighted by dS.",
       Engine::TensorCore},
      {AccumulateDK, "AccumulateDK", "dK = dK + dSᵀ Q · scale", "The keys take in the queries, weighted by dS.",
       Engine::TensorCore},
      {ConvertDQ, "ConvertDQ", "dQ → output format", "The fp32 sum dQ is rounded to the output's format.",
       Engine::Vector},
      {StoreD, "StoreD", "Dᵢ → memory", "The row sums of dO ∘ O go to memory.", Engine::Store},
      {StoreDP, "StoreDP", "dP → memory", "A tile of the gradient of P goes to memory.", Engine::Store},
      {StoreDS, "StoreDS", "dS → memory", "A tile of the gradient of S goes to memory.", Engine::Store},
      {StoreDQ, "StoreDQ", "dQᵢ → memory", "The gradient of the queries goes to memory.", Engine::Store},
      {AddDQ, "AddDQ", "dQᵢ += in memory", "This block's share is added to dQ in memory, by atomic adds.",
       Engine::Store},
      {StoreDK, "StoreDK", "dKⱼ → memory", "The finished gradient of the keys goes to memory.", Engine::Store},
      {StoreDV, "StoreDV", "dVⱼ → memory", "The finished gradient of the values goes to memory.", Engine::Store},
      {LoadPart, "LoadPart", "Oᵢₛ, Lᵢₛ → registers", "What one split made of the row's keys comes back from memory.",
       Engine::Load},
      {StorePart, "StorePart", "Oᵢₛ, Lᵢₛ → memory", "A split's average and the logsumexp it belongs to go to memory.",
       Engine::Store},
      {MergeMax, "MergeMax", "m′ = max(m, Lᵢₛ);  α = e^(m − m′)",
       "L of a split stands for the scores of all its keys: the running max takes it in.", Engine::Vector},
      {MergeWeight, "MergeWeight", "w = e^(Lᵢₛ − m′)",
       "L of a split becomes the weight that all its keys have together.", Engine::Exponential},
      {MergeSum, "MergeSum", "l = α l + w", "The running sum shrinks by α and takes in the split's weight.",
       Engine::Vector},
      {MergeOut, "MergeOut", "O = O + w Oᵢₛ", "The split's average is added with its weight.", Engine::Vector},
  }};
}
constexpr std::array kVocabulary = vocabulary();

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

std::optional<StepKind> step_named(std::string_view name) {
  const std::string wanted = squeezed(name);
  for (const StepInfo& info : kVocabulary)
    if (squeezed(info.name) == wanted) return info.kind;
  return std::nullopt;
}

}  // namespace tilewalk
