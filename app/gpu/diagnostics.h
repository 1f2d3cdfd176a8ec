// What is known of the GPU worker, as text that can be sent to somebody who helps.
#pragma once

#include "app/gpu/gpu_status.h"

#include <string>
#include <string_view>

namespace tilewalk {

std::string words_of(GpuState state);  // "no worker", "result without counters"
// "0.2.0"
std::string_view program_version();

// Lines: this program's version, the worker's state and words, the GPU and its driver, each kernel, the last run, and
// the last lines on the worker's standard error. No name of a file, host or person but what those lines hold.
std::string gpu_diagnostics(const GpuStatus& status);

}  // namespace tilewalk
