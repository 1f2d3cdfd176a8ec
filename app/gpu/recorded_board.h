// The board of what a person has chosen, out of recordings alone and at once: for a stop of a talk, whose picture is
// wanted where no desk is (a handout, the overview, a check) and before one has come round to it.
#pragma once

#include "app/gpu/gpu_view.h"
#include "app/gpu/run_plan.h"

#include <memory>

namespace tilewalk {

// The problem on the stage. What it names must live as long as it is used.
struct OnStage {
  const Problem& problem;
  const Inputs& inputs;
  uint64_t hash;
};

// The run that is asked about.
RunPlan plan_of(const OnStage& stage, const GpuChoice& choice);

// Counts what a time is held against, and computes what the chosen chart draws beside the chosen kernel; predicts no
// DRAM bytes, which takes seconds. Recordings: the view's where they were read, else the program's own.
std::shared_ptr<const GpuBoard> recorded_board(const OnStage& stage, const GpuView& view);

}  // namespace tilewalk
