// `tilewalk-gpu ladder`: all rungs measured in one run, as the table of kernels/README.md.
#pragma once

#include "core/run/run.h"

#include <string>
#include <vector>

namespace tilewalk::gpu {

// Markdown: one row a rung, of results at the same N with d = 128 and d = 64.
std::string ladder_table(const RunResult& wide, const RunResult& narrow);

// All rungs at N = 4096, with counters.
RunSpec ladder_run(int64_t d, Mask mask);

// Leaves as run_command() does. N = 4096, B H as the papers' benchmarks have them.
int ladder_command(bool anyway);

}  // namespace tilewalk::gpu
