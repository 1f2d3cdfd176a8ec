// What a whole program costs, without running it: the cost table summed over the schedule's steps, with equal sections
// and equal visits folded. Exact integers; no arithmetic on tensors.
#pragma once

#include "core/machine/cost.h"
#include "core/schedules/schedule.h"

#include <array>
#include <vector>

namespace tilewalk {

struct Count {
  Meters total;                // one head
  std::vector<Meters> passes;  // the same, per pass
};

Count count(const Schedule& schedule, const Plan& plan);

// How often one head's program takes each step, by StepKind.
std::array<int64_t, kStepKindCount> count_kinds(const Schedule& schedule, const Plan& plan);

}  // namespace tilewalk
