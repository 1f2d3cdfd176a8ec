#include "core/roofline/switch_price.h"

#include "core/attention/tiling.h"
#include "core/machine/words.h"
#include "core/timing/timeline.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

// Off, where the timing model knows the idea.
std::optional<Overlap> overlap_without(Switch with, Overlap overlap) {
  switch (with) {
    case Switch::Producer: overlap.warp_specialized = false; break;
    case Switch::PingPong: overlap.ping_pong = false; break;
    case Switch::Overlap: overlap.products_run_on = false; break;
    case Switch::OneStage: overlap.stages = 1; break;
    default: return std::nullopt;
  }
  return overlap;
}

std::optional<double> ticks_ratio(const Problem& problem, const SwitchInfo& info, const Provenance& made) {
  const std::optional<Rates> rates = rates_of(machine_of(made), problem.format);
  const Problem p = padded_problem(problem, info.kernel);
  const KernelShape shape = kernel_shape(info.kernel, int(p.d));
  const Overlap all{.stages = shape.stages, .warpgroups = shape.consumers};
  const std::optional<Overlap> without = overlap_without(info.id, all);
  if (!rates || !without || !shape.consumers) return std::nullopt;
  const Schedule& schedule = schedule_of(info.kernel);
  const Plan plan = kernel_plan(p, info.kernel, 0, version_of(made));
  const int64_t last = plan.tiling.tr - 1;  // the longest under a causal mask
  const int64_t ticks = lay(schedule, plan, last, *rates, all).ticks;
  if (!ticks) return std::nullopt;
  return double(lay(schedule, plan, last, *rates, *without).ticks) / double(ticks);
}

// FA2 without swizzle. Rows of a panel lie 128 bytes apart, so that all 8 rows of a matrix that ldmatrix reads, and of
// one that the epilogue writes, share four banks: 8 wavefronts in place of one.
int64_t conflicts_without_swizzle(const Problem& problem, Method kernel) {
  const Problem p = padded_problem(problem, kernel);
  const KernelShape shape = kernel_shape(kernel, int(p.d));
  const Tiling tiling(p);
  const int64_t slabs = shape.br / shape.warps / 16, steps = p.d / 16, keys = shape.bc / 16;
  const int64_t matrices_a_visit = 4 * (steps * slabs + 2 * steps * keys);  // of Q, K and V, by one warp
  const int64_t matrices_at_the_end = slabs * p.d / 4;                      // of O
  int64_t visits = 0;
  for (int64_t i = 0; i < tiling.tr; ++i) visits += tiling.visits(i);
  return 7 * p.batch * p.heads * shape.warps * (visits * matrices_a_visit + tiling.tr * matrices_at_the_end);
}

}  // namespace

SwitchPrice price_of(const RunSpec& spec, const SwitchInfo& info, const Provenance& made) {
  const Problem& problem = spec.problem;
  SwitchPrice price;
  price.without = predict_run(spec, {info.kernel}, made, false);
  price.with = predict_run(spec, {info.kernel, info.id}, made, false);
  price.ticks = ticks_ratio(problem, info, made);
  if (info.id == Switch::Swizzle) price.bank_conflicts = conflicts_without_swizzle(problem, info.kernel);
  return price;
}

std::string words_of(const SwitchPrice& price) {
  std::string words;
  const auto add = [&](std::string more) { words += (words.empty() ? "" : ", ") + std::move(more); };
  const auto ratio = [](int64_t with, int64_t without) { return without ? double(with) / double(without) : 1; };
  if (const double bytes = ratio(price.with.fill_bytes, price.without.fill_bytes); bytes != 1)
    add(fmt::format("{:.2f} x the bytes", bytes));
  if (const double flop = ratio(price.with.matrix_flop, price.without.matrix_flop); flop != 1)
    add(fmt::format("{:.2f} x the products", flop));
  if (price.ticks) add(fmt::format("{:.2f} x the ticks", *price.ticks));
  if (price.bank_conflicts)
    add(fmt::format("{} million bank conflicts", with_commas((*price.bank_conflicts + 500000) / 1000000)));
  return words.empty() ? "no opinion" : words;
}

}  // namespace tilewalk
