// Switches of the kernels (core/kernel/switches.h) as people name them.
#pragma once

#include "core/kernel/switches.h"

#include <string>

namespace tilewalk::gpu {

// The row of that name which fits kernel, d (padded), mask and format. Else null, and `why` is a sentence: what the
// kernel has, or why that one changes nothing here.
const SwitchInfo* switch_named(Method kernel, bool with, std::string_view key, int64_t d, bool causal, Format format,
                               std::string& why);
// "fa3: --without producer, pingpong, ...; --with q64, ...", a line for each kernel.
std::string switch_names();

}  // namespace tilewalk::gpu
