// Runs programs on one GPU: checked against float64 first, then timed and counted (core/run/program_run.h).
#pragma once

#include "core/run/program_run.h"
#include "kernels/traffic.h"
#include "kernels/worker/device.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/timing.h"

#include <functional>

namespace tilewalk::gpu {

// What is asked between launches; false gives the run up.
using GoOn = std::function<bool(RunStage stage, int done, int of)>;

struct ProgramTiming {
  int warmups = 3, launches = 10;
  bool flush_l2 = false;
};

// `traffic` counts where it can, and `flush` empties L2 before it. Throws CudaError. Without the answer's `tensors` it
// was given up.
ProgramRun measure_program(const ProgramSpec& spec, const ProgramTiming& how, const Gpu& gpu, Traffic& traffic,
                           L2Flush& flush, const Nvml& nvml, const GoOn& go_on);

}  // namespace tilewalk::gpu
