#include "core/roofline/rest.h"

#include "core/machine/words.h"
#include "core/roofline/beside.h"
#include "core/run/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

// Products first: what every method must do; then what may or may not run under them.
constexpr std::array<Roof, kRoofCount> kOrder{Roof::Tensor, Roof::Exponential, Roof::Vector,
                                              Roof::Sram,   Roof::L2,          Roof::Dram};

std::string micro(double seconds) { return fmt::format("{} µs", number_words(seconds * 1e6)); }

void add_reasons(Rest& rest, const Work& work, const Roofs& roofs, const Estimate& model, const Timing* timing) {
  const double left = rest.measured - model.time;
  const bool fused = is_fused(work.method);
  const auto& products = roofs.tensor(info_of(work.method).estimate.multiply);
  if (timing && clock_of(*timing) > 0 && products && products->clock > 0 && fused) {
    const double clock = clock_of(*timing) * 1e6, change = 1 - products->clock / clock;
    if (std::abs(change) > 0.005)
      rest.reasons.push_back(fmt::format(
          "Clock: the products' ceiling was reached at {:.0f} MHz, as far as the power limit let it; the run reports "
          "{:.0f} MHz, at which they would take {} {}.",
          products->clock / 1e6, clock / 1e6, micro(std::abs(change) * model[Roof::Tensor]),
          change > 0 ? "less" : "more"));
  }
  if (timing && timing->back_to_back > 0) {
    const double more = timing->back_to_back * 1e-3 - rest.measured;
    if (more > 0.01 * rest.measured)
      rest.reasons.push_back(fmt::format(
          "Power: launched without rests the same run takes {} more, {:.0f} %, as the power limit lowers the clock.",
          micro(more), 100 * more / rest.measured));
  }
  const Problem& p = work.problem;
  if (work.method == Method::Standard && keeps_wide_scores(p) && roofs[Roof::Dram]) {
    const double more = 2.0 * (4 - bytes_of(p.format)) * double(work.heads()) * double(p.n_q) * double(p.n_k);
    rest.reasons.push_back(
        fmt::format("S in fp32: the papers' count, which the model takes, has S in {}; this kernel writes and reads it "
                    "in fp32 here, "
                    "{} more at DRAM's rate.",
                    name_of(p.format), micro(more / roofs[Roof::Dram]->value)));
  }
  if (fused && model.waves > 0)
    rest.reasons.push_back(fmt::format(
        "Last wave: {} thread blocks on {} multiprocessors make {} wave{}; tail and padded tiles are {} of the model's "
        "time.",
        with_commas(work.passes.empty()
                        ? 0
                        : std::ranges::max_element(work.passes, {}, [](const PassWork& p) { return p.blocks.count; })
                              ->blocks.count),
        roofs.sms, with_commas(model.waves), model.waves == 1 ? "" : "s", micro(model.tail * model.time)));
  if (left > 0 && work.method == Method::Fa1)
    rest.reasons.push_back(fmt::format(
        "Latency: at each of its {} visits a block of FA1 needs O back before it can add to it, and the way to L2 or "
        "DRAM and back is in no roof; with issue slots it is at most the {} that are left.",
        with_commas(int64_t(work.passes.front().blocks.longest)), micro(left)));
  else if (left > 0 && fused)
    rest.reasons.push_back(
        fmt::format("Issue slots and waits: addresses, conversions, shuffles, masks, barriers and latencies are in no "
                    "roof; they are "
                    "at most the {} that are left.",
                    micro(left)));
  if (left > 0 && !fused)
    rest.reasons.push_back(fmt::format(
        "Three kernels reach less than a plain copy: reading S in rows, and turns between reading and writing, are in "
        "no roof; together at most the {} that are left.",
        micro(left)));
  if (!roofs.launch)
    rest.reasons.push_back("Not in the model: the launch, some microseconds, which was not measured with these roofs.");
  for (const Roof roof : model.unknown)
    rest.reasons.push_back(fmt::format("Not in the model: nothing is known of this GPU's rate of {}.", name_of(roof)));
}

}  // namespace

Rest rest_of(const Work& work, const Roofs& roofs, double measured, const Timing* timing) {
  Rest rest;
  rest.measured = measured;
  Roofs so_far = roofs;
  for (auto& rate : so_far.rates) rate.reset();
  const auto mma = so_far.mma_sync;
  so_far.mma_sync.reset();
  so_far.launch.reset();
  double before = 0;
  const auto add = [&](std::string name, double model) {
    if (std::abs(model - before) <= 1e-3 * measured) return;
    rest.terms.push_back({std::move(name), model, measured - model});
    before = model;
  };
  for (const Roof roof : kOrder) {
    so_far[roof] = roofs[roof];
    if (roof == Roof::Tensor) so_far.mma_sync = mma;
    add(std::string(name_of(roof)), estimate(work, so_far, Levels::WithL2, true).time);
  }
  const Estimate model = estimate(work, roofs);
  add("last wave, padding", model.time - model.launch);
  add("launch", model.time);
  add_reasons(rest, work, roofs, model, timing);
  return rest;
}

std::optional<Method> method_of(const KernelResult& kernel) {
  if (kernel.label.empty()) return info_of(kernel.kernel).estimate.as;
  if (kernel.label == "PyTorch eager") return Method::Eager;
  if (kernel.label == "PyTorch FA2") return Method::Fa2;
  if (kernel.label == "PyTorch cuDNN") return Method::Fa3;
  return std::nullopt;
}

std::vector<Compared> compare(std::span<const RunResult> runs, const Roofs& roofs) {
  std::vector<Compared> out;
  for (const RunResult& run : runs) {
    for (const KernelResult& kernel : run.kernels) {
      const auto method = method_of(kernel);
      if (!method || !kernel.timing || !validate(run.spec.problem).empty() || !fault_of(run.spec.problem).empty())
        continue;
      const Schedule& schedule = schedule_of(kernel.kernel);
      std::string own(is_beside(kernel.kernel) ? info_of(kernel.kernel).kernel_name() : info_of(*method).name);
      if (kernel.kernel == Method::Fa1) own += " released";  // Algorithm 1 is another kernel
      if (schedule.backward()) own += " backward";
      if (const SwitchInfo* with =
              recorded_switch_of(kernel.kernel, kernel.with, run.spec.problem.d, run.spec.problem.mask == Mask::Causal))
        own += " " + words_of(*with);
      const Roofs met = roofs_for(kernel, roofs);
      Work work = work_of_kernel(kernel, run.spec, *method, roofs.sms, version_of(run.provenance));
      const Estimate model = estimate(work, met);
      out.push_back({&run, &kernel, *method, schedule.direction, kernel.label.empty() ? own : kernel.label,
                     std::move(work), met, model, kernel.timing->median * 1e-3});
    }
  }
  return out;
}

}  // namespace tilewalk
