#include "core/timing/laid_block.h"

#include "core/kernel/kernel_shapes.h"

namespace tilewalk {

LaidBlock lay_fa3_block(Method id, int d, Format format, Overlap overlap, bool vector_unit) {
  const KernelShape shape = kernel_shape(Method::Fa3, d);
  overlap.warpgroups = shape.consumers;
  const Problem problem{.n_q = kLaidN, .n_k = kLaidN, .d = d, .br = shape.br, .bc = shape.bc, .format = format};
  const Schedule& schedule = schedule_of(id);
  const MachineSpec& machine = *machine_named("h100");
  const Rates rates = vector_unit ? *with_vector_unit(machine, format) : *rates_of(machine, format);
  const Plan plan = make_plan(schedule, problem, VariantId::Paper);
  LaidBlock block{plan, overlap, lay(schedule, plan, 0, rates, overlap), {}, 0, 0, 0};
  block.middle = *steady(block.timeline);  // sixteen tiles have a middle
  const auto ticks = [&](StepKind kind) { return ticks_of({.kind = kind}, plan, rates, 1); };
  block.products = ticks(StepKind::Score) + ticks(StepKind::Accumulate);
  block.exponents = ticks(StepKind::Exponentiate);
  for (int64_t busy : block.timeline.busy) block.serial += busy;
  return block;
}

}  // namespace tilewalk
