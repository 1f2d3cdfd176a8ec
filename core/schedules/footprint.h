// How much SRAM and how many registers a schedule's thread block holds at its fullest moment, found by walking its
// steps without arithmetic, and whether that fits a machine.
#pragma once

#include "core/machine/machine_spec.h"
#include "core/schedules/schedule.h"

#include <vector>

namespace tilewalk {

struct Footprint {
  int64_t sram_bytes = 0;
  int64_t register_bytes = 0;
};

Footprint footprint(const Schedule& schedule, const Plan& plan, const MachineSpec& spec);

// Empty when the tiles fit. Each fault names the bytes needed and the bytes there.
std::vector<Fault> fit_faults(const Schedule& schedule, const Plan& plan, const MachineSpec& spec);

// Largest programs that are animated; larger ones are counted only.
constexpr int64_t kMostAnimatedSteps = 2'000'000;
constexpr int64_t kMostAnimatedElements = 4'000'000;   // of Q, K, V, and of S and P where they go to memory
constexpr int64_t kMostAnimatedFlop = 10'000'000'000;  // of matrix products: about a second

// Faults of animating this program: too many steps, elements or FLOP, or tiles that do not fit.
std::vector<Fault> animation_faults(const Schedule& schedule, const Plan& plan, const MachineSpec& spec);

}  // namespace tilewalk
