// The recordings that are part of the program.
#pragma once

#include "core/run/run.h"

#include <string_view>
#include <vector>

namespace tilewalk {

const std::vector<RunResult>& shipped_recordings();  // ours first, then PyTorch's

// Whether a file's text is that of one of them.
bool is_shipped(std::string_view text);

}  // namespace tilewalk
