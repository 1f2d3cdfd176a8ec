// Holds a traced launch against the plain one and against float64.
#pragma once

#include "tests/gpu/setup.h"

#include <string>

namespace tilewalk::gpu::check {

// Empty if all is well, else the first thing that is wrong: O and L of the traced launch are the plain launch's, m and
// l after every K/V tile are those of a float64 computation on the CPU, and each lane's stamps are in order and in
// pairs. The kernel takes K/V tiles from the last to the first.
std::string trace_fault(Method kernel, const Case& c);

}  // namespace tilewalk::gpu::check
