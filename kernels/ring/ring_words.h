// A ring's result in words and numbers, for the terminal.
#pragma once

#include "core/run/ring_run.h"

#include <string>

namespace tilewalk::gpu {

std::string ring_title(const RingSpec& spec);       // "4 GPUs, N 131072, ..., full, copy engines"
std::string ring_line(const RingResult& result);    // one line
std::string ring_report(const RingResult& result);  // all of it, with its line breaks

}  // namespace tilewalk::gpu
