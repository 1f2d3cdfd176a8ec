// The recordings that are part of the program.
#pragma once

#include "core/run/run.h"

#include <vector>

namespace tilewalk {

const std::vector<RunResult>& shipped_recordings();  // ours first, then PyTorch's

}  // namespace tilewalk
