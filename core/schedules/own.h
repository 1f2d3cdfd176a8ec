// A program of core/walk as a schedule: its passes, its code in both orders, and what can be read off its lines.
#pragma once

#include "core/machine/program.h"
#include "core/method/table.h"
#include "core/walk/program.h"

#include <vector>

namespace tilewalk {

// One of that method, in a form for each program. Each form's passes are named in the first that has them.
Schedule schedule_of_programs(const MethodInfo& method, std::vector<WalkProgram> programs);

}  // namespace tilewalk
