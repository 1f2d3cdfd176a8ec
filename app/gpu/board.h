// The board of the GPU panel, put together of what the worker said, the recordings, and what was worked out so far.
#pragma once

#include "app/gpu/desk_work.h"
#include "app/gpu/gpu_view.h"
#include "app/gpu/run_plan.h"

#include <memory>
#include <string>

namespace tilewalk {

std::string key_of(const Problem& problem);  // all that its inputs and its work depend on

std::shared_ptr<const GpuBoard> make_board(const RunPlan& plan, const GpuView& view, DeskWork& work);

// Has predicted and simulated what the board still lacks: first what takes milliseconds. `stage`: the inputs of the
// stage's problem; null for one that is not on the stage.
void order_rest(const GpuBoard& board, const GpuStatus& status, std::shared_ptr<const Inputs> stage, DeskWork& work);

}  // namespace tilewalk
