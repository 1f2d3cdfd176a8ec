// Kernels beside the ladder for people at a terminal, and the runs that `record` makes of them.
#pragma once

#include "core/run/run.h"

#include <string_view>
#include <vector>

namespace tilewalk::gpu {

// What the tables of `run` and `try` do not say of FP8, of split-KV and of grouped queries: the pass that rounds and
// what eight bits cost; splits, blocks and K, V a second. Nothing for other runs. `roof`: byte/s of reading DRAM, 0:
// not known.
void print_beside(const RunResult& result, double roof = 0);

// One query a head against the problem's keys, L2 emptied before each launch: a step of decoding.
void as_decoding(RunSpec& spec);

// What `record` measures: "decode", "fp8", "groups"; empty for any other name.
std::vector<RunSpec> beside_runs(std::string_view set);

}  // namespace tilewalk::gpu
