#include "app/state/why_a_model.h"

#include "core/machine/gpus.h"
#include "core/method/table.h"

#include <fmt/format.h>

namespace tilewalk {

std::string why_a_model(Method method, const MachineSpec& machine) {
  constexpr int kHopper = 90;
  const MethodInfo& info = info_of(method);
  const GpuSpec* gpu = gpu_named(machine.id);
  const bool made_up = machine.multiprocessors == 1, hopper = gpu && gpu->cc == kHopper;
  if (info.kernel.least_cc != kHopper || info.kernel.most_cc != kHopper || made_up || hopper) return {};
  return fmt::format("{} needs a Hopper GPU, such as the H100. Its steps on {} are a model.", info.name,
                     machine.id == "paper" ? "the paper's A100" : fmt::format("the {}", machine.title));
}

}  // namespace tilewalk
