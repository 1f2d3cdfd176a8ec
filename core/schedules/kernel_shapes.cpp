#include "core/schedules/kernel_shapes.h"

#include <array>

namespace tilewalk {
namespace {

constexpr std::array<KernelInfo, kKernelCount + kBackwardKernels + kKernelsBeside + kRetiredKernels> kKernels{{
    {KernelId::Standard, "standard", "Standard", ScheduleId::Standard, 8, 0, false},
    {KernelId::Fa1, "fa1", "FA1, as released", ScheduleId::Fa1, 8, 0, false},
    {KernelId::Fa2, "fa2", "FA2", ScheduleId::Fa2, 8, 0, false},
    {KernelId::Fa3, "fa3", "FA3", ScheduleId::Fa3, 9, 0, true},
    {KernelId::Fa1Small, "fa1-small", "FA1, 16-row tiles", ScheduleId::Fa1, 8, 0, false},
    {KernelId::Fa2Small, "fa2-small", "FA2, 16-row tiles", ScheduleId::Fa2, 8, 0, false},
    {KernelId::Fa1Paper, "fa1-paper", "FA1, Algorithm 1", ScheduleId::Fa1, 9, 0, false},
    {KernelId::Naive, "naive", "Naive", ScheduleId::Fa2, 8, 0, false},
    {KernelId::Tiled, "tiled", "Tiled", ScheduleId::Fa2, 8, 0, false},
    {KernelId::StandardBackward, "standard-backward", "Standard, backward", ScheduleId::StandardBackward, 8, 0, false},
    {KernelId::Fa2Backward, "fa2-backward", "FA2, backward", ScheduleId::Fa2Backward, 8, 0, false},
    {KernelId::Fa3Backward, "fa3-backward", "FA3, backward", ScheduleId::Fa2Backward, 9, 0, true},
    {KernelId::Fa3Fp8, "fa3-fp8", "FA3, FP8", ScheduleId::Fa3, 9, 0, true},
    {KernelId::SplitKv, "split-kv", "Split-KV", ScheduleId::Fa2, 8, 0, false},
    {KernelId::Fa1First, "fa1-0.1", "FA1 of Tilewalk 0.1", ScheduleId::Fa1, 8, 0, false},
}};

constexpr bool in_order() {
  for (size_t k = 0; k < kKernels.size(); ++k)
    if (kKernels[k].id != KernelId(k)) return false;
  return true;
}
static_assert(in_order(), "info_of() indexes the table by KernelId");

}  // namespace

std::span<const KernelInfo> kernels() { return std::span(kKernels).first(kKernelCount); }
std::span<const KernelInfo> backward_kernels() { return std::span(kKernels).subspan(kKernelCount, kBackwardKernels); }
std::span<const KernelInfo> kernels_beside() {
  return std::span(kKernels).subspan(kKernelCount + kBackwardKernels, kKernelsBeside);
}
std::span<const KernelInfo> all_kernels() {
  return std::span(kKernels).first(kKernelCount + kBackwardKernels + kKernelsBeside);
}
const KernelInfo& info_of(KernelId id) { return kKernels[size_t(id)]; }

std::optional<KernelId> kernel_named(std::string_view key) {
  for (const KernelInfo& info : kKernels)
    if (info.key == key) return info.id;
  return std::nullopt;
}

Plan kernel_plan(const Problem& problem, KernelId id, int multiprocessors) {
  Plan plan = make_plan(schedule_of(info_of(id).schedule), problem, VariantId::Kernel);
  plan.variant.wide_scores = id == KernelId::Standard && keeps_wide_scores(problem);
  plan.variant.blocks_of_head =
      blocks_of_head(id, problem.batch * problem.heads, problem.n_q, int(padded_d(id, problem.d)), multiprocessors);
  plan.tiling.fewer = fewer_rows(id, problem.n_q, problem.br);
  if (id == KernelId::Naive) plan.variant.last_to_first = false;
  if (id == KernelId::Fa1First) plan.variant.form = kFa1FirstForm;
  return plan;
}

Problem kernel_problem(const Problem& problem, KernelId id) {
  Problem p = problem;
  p.mistake = Mistake::None;  // the kernels make none
  if (id == KernelId::Standard || id == KernelId::StandardBackward)
    return p;  // its products are cut by cuBLAS: the problem's own tiles stay
  const KernelShape shape = kernel_shape(id, int(padded_d(id, p.d)));
  p.br = shape.br;
  p.bc = shape.bc;
  return p;
}

Problem padded_problem(const Problem& problem, KernelId id) {
  Problem p = kernel_problem(problem, id);
  p.scale = problem.softmax_scale();
  if (p.d <= most_d(id)) p.d = padded_d(id, p.d);
  return p;
}

}  // namespace tilewalk
