// What a switch of a kernel (core/kernel/switches.h) costs, as far as it can be said before it runs.
#pragma once

#include "core/run/prediction.h"
#include "core/kernel/switches.h"

#include <optional>
#include <string>

namespace tilewalk {

struct SwitchPrice {
  RunPrediction with, without;            // DRAM left out
  std::optional<double> ticks;            // of core/timing's model, over those of the kernel as it is
  std::optional<int64_t> bank_conflicts;  // beyond those of the kernel as it is
};
// On the GPU and with the kernels' version that are named there; {}: the default machine, and as they are.
SwitchPrice price_of(const RunSpec& spec, const SwitchInfo& info, const Provenance& made);
inline SwitchPrice price_of(const Problem& problem, const SwitchInfo& info, const Provenance& made) {
  RunSpec spec;
  spec.problem = problem;
  return price_of(spec, info, made);
}

// "2.00 x the bytes, 1.97 x the products", "1.21 x the ticks", or "no opinion".
std::string words_of(const SwitchPrice& price);

}  // namespace tilewalk
