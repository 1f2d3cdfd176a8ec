#include "core/kernel/kernel_shapes.h"

namespace tilewalk {
Plan kernel_plan(const Problem& problem, Method id, int multiprocessors, KernelVersion version) {
  Plan plan = make_plan(schedule_of(id), problem, VariantId::Kernel);
  plan.variant.wide_scores = id == Method::Standard && keeps_wide_scores(problem);
  plan.variant.blocks_of_head =
      blocks_of_head(id, problem.batch * problem.heads, problem.n_q, int(padded_d(id, problem.d)), multiprocessors);
  plan.tiling.fewer = fewer_rows(id, problem.n_q, problem.br, version);
  if (id == Method::Naive) plan.variant.last_to_first = false;
  if (id == Method::Fa1First) plan.variant.form = kFa1FirstForm;
  return plan;
}

Problem kernel_problem(const Problem& problem, Method id) {
  Problem p = problem;
  p.mistake = Mistake::None;  // the kernels make none
  if (id == Method::Standard || id == Method::StandardBackward)
    return p;  // its products are cut by cuBLAS: the problem's own tiles stay
  const KernelShape shape = kernel_shape(id, int(padded_d(id, p.d)));
  p.br = shape.br;
  p.bc = shape.bc;
  return p;
}

Problem padded_problem(const Problem& problem, Method id) {
  Problem p = kernel_problem(problem, id);
  p.scale = problem.softmax_scale();
  if (p.d <= most_d(id)) p.d = padded_d(id, p.d);
  return p;
}

}  // namespace tilewalk
