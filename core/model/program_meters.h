// What a program moves, holds and computes for one head of a problem: the meters of Write, and what a puzzle's goals
// are about. Exact integers but DRAM's bytes, which are the L2 model's.
#pragma once

#include "core/machine/machine_spec.h"
#include "core/schedules/schedule.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewalk {

struct ProgramMeters {
  int64_t fill_bytes = 0;      // L2 -> SM
  int64_t drain_bytes = 0;     // SM -> L2
  int64_t dram_bytes = 0;      // read, written, and left to be written
  int64_t sram_bytes = 0;      // of a thread block at its fullest moment
  int64_t register_bytes = 0;  // likewise
  int64_t exponentials = 0;
  int64_t matrix_flop = 0;
  int64_t blocks = 0;  // thread blocks that can run at once, in the pass that has fewest
  int64_t passes = 0;
  bool operator==(const ProgramMeters&) const = default;
};

ProgramMeters meters_of(const Schedule& schedule, const Plan& plan, const MachineSpec& spec);

// The table of what is measured.
struct Measure {
  std::string_view key, title;  // "fill-bytes"; "L2→SM"
  std::string_view tip;
  int64_t ProgramMeters::*value;
  bool bytes = false;
  bool more_is_better = false;
};
std::span<const Measure> measures();
const Measure* measure_named(std::string_view key);  // or null

}  // namespace tilewalk
