// The programs whose runs on GPUs come with Tilewalk: every shipped text, full and causal, and every puzzle's solution.
#pragma once

#include "core/run/program_run.h"

#include <vector>

namespace tilewalk {

std::vector<ProgramSpec> recorded_programs();  // at program_problem()

}  // namespace tilewalk
