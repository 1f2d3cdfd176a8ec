// `tilewalk-gpu run --program my.walk`: any program on the GPU, checked against float64, timed, its bytes counted
// beside those that the machine counts.
#pragma once

#include "core/run/run.h"

#include <filesystem>
#include <string>

namespace tilewalk::gpu {

struct ProgramAsked {
  std::string file;
  int64_t br = 64, bc = 64;
};
// Of `spec`: the problem, warmups, launches, flush_l2 and counters. Leaves as run_command() does; throws CommandFault.
int program_command(const ProgramAsked& asked, const RunSpec& spec, bool anyway, bool json);

// Every shipped text and every puzzle's solution (`record --set programs`), into that file, which is replaced after
// each. Throws CommandFault.
int record_programs(const std::filesystem::path& file, const std::string& note, bool anyway);

}  // namespace tilewalk::gpu
