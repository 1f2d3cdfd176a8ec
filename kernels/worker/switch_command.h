// `tilewalk-gpu try KERNEL --without IDEA` and `tilewalk-gpu ladder --switches`: kernels beside themselves with a
// switch (core/kernel/switches.h).
#pragma once

#include "core/kernel/switches.h"
#include "kernels/worker/ladder_command.h"

#include <vector>

namespace tilewalk::gpu {

// The kernel as it is and with the switch. Leaves as run_command() does; a mistake that gives a wrong answer is done.
int try_switch_command(const SwitchInfo& info, RunSpec spec, bool anyway, bool json);

// FA2 and FA3 with every switch, N = 4096 and B H as the papers' benchmarks have them; a few switches a run.
std::vector<RunSpec> switch_runs();
// FA3's ideas at the setting of its paper's ablation (arXiv:2407.08608, table 2).
RunSpec ablation_run();

// FA3's ideas at the setting of its paper's ablation, and every switch of FA2 and FA3 at N = 4096, as tables.
int print_switch_tables(const Measure& measure);

}  // namespace tilewalk::gpu
