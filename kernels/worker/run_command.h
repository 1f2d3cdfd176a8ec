// `tilewalk-gpu run`: one problem, measured; a table for people, or a recording of one result as JSON.
#pragma once

#include "core/run/run.h"

namespace tilewalk::gpu {

void print_run(const RunResult& result);  // as `run` says it
int run_command(const RunSpec& spec, bool anyway, bool json);

}  // namespace tilewalk::gpu
