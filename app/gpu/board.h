// The board of the GPU panel, put together of what the worker said, the recordings, and what was worked out so far.
#pragma once

#include "app/gpu/desk_work.h"
#include "app/gpu/gpu_view.h"
#include "app/gpu/run_plan.h"

#include <memory>
#include <optional>
#include <string>

namespace tilewalk {

std::string key_of(const Problem& problem);  // all that its inputs and its work depend on

std::shared_ptr<const GpuBoard> make_board(const RunPlan& plan, const GpuView& view, DeskWork& work);

// At once what takes milliseconds: what each row's time is of; and of one kernel, where it is named, what the simulator
// computes. make_board finds it then.
void count_now(const GpuBoard& board, std::shared_ptr<const Inputs> stage, std::optional<Method> simulated,
               DeskWork& work);

// With what another board of the same problem knew already, so that nothing that was shown goes away for a moment.
std::shared_ptr<const GpuBoard> with_what_is_known(std::shared_ptr<const GpuBoard> board, const GpuBoard* before);

// Has predicted and simulated what the board still lacks: first what takes milliseconds. `stage`: the inputs of the
// stage's problem; null for one that is not on the stage.
void order_rest(const GpuBoard& board, const GpuStatus& status, std::shared_ptr<const Inputs> stage, DeskWork& work);

}  // namespace tilewalk
