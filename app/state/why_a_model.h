// Where a walk cannot be what the machine that it is set to would do.
#pragma once

#include "core/machine/machine_spec.h"
#include "core/method/method.h"

#include <string>

namespace tilewalk {

// Why the walk of a method is but a model on that machine, in a sentence; empty where a kernel does those steps there,
// and on a machine that is made up.
std::string why_a_model(Method method, const MachineSpec& machine);

}  // namespace tilewalk
