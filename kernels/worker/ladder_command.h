// `tilewalk-gpu ladder`: all rungs measured in one run, or as a recording has them, as the table of kernels/README.md.
#pragma once

#include "core/run/run.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tilewalk::gpu {

// Markdown: one row a rung, of results at the same N with d = 128 and d = 64.
std::string ladder_table(const RunResult& wide, const RunResult& narrow);

// All rungs at N = 4096, with counters.
RunSpec ladder_run(int64_t d, Mask mask);

// Where the runs of a table come from.
using Measure = std::function<RunResult(const RunSpec&)>;
// Prints tables of runs that are measured on the first GPU, or of those in a recording, if there is a file: the runs of
// `record --set ladder` are these. Leaves as run_command() does, with kUnreadable where a run is not in the file.
int with_runs(const std::filesystem::path& recording, bool anyway, const std::function<int(const Measure&)>& print);

// N = 4096, B H as the papers' benchmarks have them.
int print_ladder(const Measure& measure);

}  // namespace tilewalk::gpu
