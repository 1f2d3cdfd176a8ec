#include "core/schedules/footprint.h"

#include "core/machine/machine.h"
#include "core/machine/words.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace tilewalk {
namespace {

// Tensors that share registers are kept under one name.
Tensor seat_of(Tensor tensor) { return !is_scores(tensor) ? tensor : is_gradient(tensor) ? Tensor::DP : Tensor::S; }

// Keeps the books of one thread block.
class Tenants : public StepSink {
 public:
  Tenants(const Plan& plan, const MachineSpec& spec) : plan_(plan), spec_(spec) {}

  void take(const Step& step) override {
    for (Tensor tensor : touched_by(step).writes)
      if (tensor != kNoTensor) settle(seat_of(tensor), step);
  }

  Footprint most;

 private:
  void settle(Tensor tensor, const Step& step) {
    const OnChip where = on_chip(tensor, step.i, step.j, plan_, spec_);
    std::vector<int64_t>& slots = bytes_[size_t(tensor)];
    const size_t slot = size_t(slot_of(tensor, step));
    if (slots.size() <= slot) slots.resize(slot + 1);
    int64_t& used = where.level == Level::Sram ? now_.sram_bytes : now_.register_bytes;
    used += where.bytes - slots[slot];
    slots[slot] = where.bytes;
    most.sram_bytes = std::max(most.sram_bytes, now_.sram_bytes);
    most.register_bytes = std::max(most.register_bytes, now_.register_bytes);
  }

  const Plan& plan_;
  const MachineSpec& spec_;
  Footprint now_;
  std::array<std::vector<int64_t>, kTensorCount> bytes_;
};

Footprint larger(const Footprint& a, const Footprint& b) {
  return {std::max(a.sram_bytes, b.sram_bytes), std::max(a.register_bytes, b.register_bytes)};
}

// Over all sections, one of each shape.
Footprint fullest(const Schedule& schedule, const Plan& plan, const MachineSpec& spec) {
  Footprint most;
  std::set<uint64_t> seen;
  for (int64_t s = 0; s < schedule.sections(plan); ++s) {
    if (!seen.insert(schedule.shape(plan, s)).second) continue;
    Tenants tenants(plan, spec);
    schedule.emit(plan, s, tenants);
    most = larger(most, tenants.most);
  }
  return most;
}

}  // namespace

Footprint footprint(const Schedule& schedule, const Plan& plan, const MachineSpec& spec) {
  // A mask changes which tiles are visited, not what a visit holds.
  Problem p = plan.problem;
  p.mask = Mask::Full;
  Footprint most = fullest(schedule, {p, Tiling(p), plan.variant}, spec);
  // But where it ends a row of tiles before a ragged last one, what follows the visits meets a whole tile.
  if (plan.tiling.causal && p.n_k > p.bc && p.n_k % p.bc) {
    p.n_k -= p.n_k % p.bc;
    most = larger(most, fullest(schedule, {p, Tiling(p), plan.variant}, spec));
  }
  return most;
}

std::vector<Fault> fit_faults(const Schedule& schedule, const Plan& plan, const MachineSpec& spec) {
  const Footprint f = footprint(schedule, plan, spec);
  const Problem& p = plan.problem;
  std::vector<Fault> faults;
  const std::string tiles = fmt::format("Br = {}, Bc = {}, d = {}", p.br, p.bc, p.d);
  if (f.sram_bytes > spec.sram_bytes)
    faults.push_back(
        {"br", fmt::format("{}: the tiles need {} of SRAM; a thread block on {} has {}. Take smaller tiles.", tiles,
                           bytes_words(f.sram_bytes), spec.title, bytes_words(spec.sram_bytes))});
  if (spec.register_bytes && f.register_bytes > spec.register_bytes)
    faults.push_back(
        {"br", fmt::format("{}: {} and the statistics need {} of registers; {} has {}. Take smaller tiles.", tiles,
                           schedule.backward() ? "S, dP, dQ, dK, dV" : "S, O", bytes_words(f.register_bytes),
                           spec.title, bytes_words(spec.register_bytes))});
  return faults;
}

std::vector<Fault> animation_faults(const Schedule& schedule, const Plan& plan, const MachineSpec& spec) {
  std::vector<Fault> faults = fit_faults(schedule, plan, spec);
  const Problem& p = plan.problem;
  const Meters total = count(schedule, plan).total;
  const bool scores = schedule.scores_in_memory, backward = schedule.backward();
  const int64_t elements =
      ((backward ? 2 : 1) * p.n_q + 2 * p.n_k) * p.d + (scores ? (backward ? 3 : 2) * p.n_q * p.n_k : 0);
  const std::string tensors = backward ? scores ? "Q, K, V, dO, P, dP and dS hold" : "Q, K, V and dO hold"
                              : scores ? "Q, K, V, S and P hold"
                                       : "Q, K and V hold";
  const auto refuse = [&](std::string_view what, int64_t number, std::string_view unit, int64_t most) {
    faults.push_back({"n_q", fmt::format("{} {} {}; up to {} are animated. Counts are exact at any size.", what,
                                         with_commas(number), unit, with_commas(most))});
  };
  if (elements > kMostAnimatedElements)
    refuse(tensors, elements, "numbers", kMostAnimatedElements);
  else if (total.steps > kMostAnimatedSteps)
    refuse("The walk has", total.steps, "steps", kMostAnimatedSteps);
  else if (total.matrix_flop > kMostAnimatedFlop)
    refuse("The matrix products take", total.matrix_flop, "FLOP", kMostAnimatedFlop);
  return faults;
}

}  // namespace tilewalk
