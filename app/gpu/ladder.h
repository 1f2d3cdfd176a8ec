// The switches of FA2 and FA3 (core/kernel/switches.h) as they were measured, each beside the kernel as it is in the
// same run, with what the model says before it runs.
#pragma once

#include "app/gpu/recordings.h"
#include "core/roofline/switch_price.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct SwitchRow {
  const SwitchInfo* info = nullptr;
  std::shared_ptr<const RunResult> run;  // null: measured nowhere
  const KernelResult* plain = nullptr;   // of run
  const KernelResult* with = nullptr;    // of run; null where the run was stopped before it
  bool recorded = false;
  std::optional<SwitchPrice> price;  // without it: still being computed

  // How many times as long as the kernel as it is; 0: not known.
  double times() const {
    return plain && with && plain->timing && with->timing ? with->timing->median / plain->timing->median : 0;
  }
};

// Every switch that this kernel has at this problem, in the order of the register. The latest live run is taken before
// a recording, unless only recordings are `recorded`; one of that GPU before the other's.
std::vector<SwitchRow> switch_rows(Method kernel, const RunSpec& ladder,
                                   const std::vector<std::shared_ptr<const RunResult>>& measured,
                                   const Recordings* recordings, bool recorded, RecordedGpu on);

}  // namespace tilewalk
