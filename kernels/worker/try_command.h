// `tilewalk-gpu try KERNEL`: one rung of the ladder measured beside its neighbours, for people.
#pragma once

#include "core/run/run.h"

#include <string>

namespace tilewalk::gpu {

struct Tried {
  std::string kernel;         // its key
  std::string without, with;  // at most one of them names a switch of it (core/kernel/switches.h)
};
// Leaves as run_command() does.
int try_command(const Tried& tried, RunSpec spec, bool anyway, bool json);

}  // namespace tilewalk::gpu
