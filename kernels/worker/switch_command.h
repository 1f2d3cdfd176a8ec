// `tilewalk-gpu try KERNEL --without IDEA` and `tilewalk-gpu ladder --switches`: kernels beside themselves with a
// switch (kernels/switches.h).
#pragma once

#include "core/run/run.h"
#include "kernels/switches.h"

namespace tilewalk::gpu {

// The kernel as it is and with the switch. Leaves as run_command() does; a mistake that gives a wrong answer is done.
int try_switch_command(const SwitchInfo& info, RunSpec spec, bool anyway);

// FA3's ideas at the setting of its paper's ablation, and every switch of FA2 and FA3 at N = 4096, as tables.
int ladder_switches_command(bool anyway);

}  // namespace tilewalk::gpu
