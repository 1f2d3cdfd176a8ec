// A program of core/walk as a schedule: its passes, its code in both orders, and what can be read off its lines.
#pragma once

#include "core/machine/program.h"
#include "core/walk/program.h"

#include <vector>

namespace tilewalk {

// Fills in passes, forms and what is derived; the rest stays. Each form's passes are named in the first that has them.
void take_programs(Schedule& schedule, std::vector<WalkProgram> programs);

}  // namespace tilewalk
