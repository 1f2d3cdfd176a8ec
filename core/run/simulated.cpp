#include "core/run/simulated.h"

#include "core/io/effort.h"
#include "core/machine/arithmetic.h"
#include "core/machine/machine.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <limits>

namespace tilewalk {
namespace {

// Memories without limits: whether tiles fit a GPU is the kernel's affair, and it fits.
constexpr int64_t kRoom = int64_t{1} << 50;
constexpr MachineSpec kRoomy{"", "", kRoom, 0, false, 0, 1, ""};

// Takes every step and notes what it leaves behind.
class Runner : public StepSink {
 public:
  Runner(const Schedule& schedule, const Plan& plan, const Inputs& inputs, SimulatedRun& out)
      : machine_(schedule, plan, kRoomy, inputs), tiling_(plan.tiling), out_(out) {}

  void take(const Step& step) override {
    Effort::stop_if_wanted();
    machine_.apply(state_, step);
    if (step.kind == StepKind::RowSum) {
      if (step.has(Step::kFinalMax))
        note(out_.lse, step.i,
             arithmetic::log_sum_exp(*state_.find(Tensor::M)->data, *state_.find(Tensor::L)->data, Arithmetic::Kernel));
      else
        note_statistics(step);
    }
    if (step.kind == StepKind::StoreLse) note(out_.lse, step.i, *state_.lse.get(step.i));
    if (step.kind == StepKind::StoreO && step.has(Step::kOutput)) note(out_.o, step.i, *state_.o.get(step.i));
  }

 private:
  void note(std::vector<float>& list, int64_t i, const Matrix& tile) {
    const int64_t first = tiling_.first_row(i) * tile.cols;
    for (size_t e = 0; e < tile.values.size(); ++e) list[size_t(first) + e] = float(tile.values[e]);
  }
  void note_statistics(const Step& step) {
    const Matrix &m = *state_.find(Tensor::M)->data, &l = *state_.find(Tensor::L)->data;
    const int64_t first = step.j * tiling_.n_q + tiling_.first_row(step.i);
    for (int64_t r = 0; r < m.rows; ++r) {
      out_.statistics.m[size_t(first + r)] = float(m.at(r, 0));
      out_.statistics.l[size_t(first + r)] = float(l.at(r, 0));
    }
  }

  Machine machine_;
  MachineState state_;
  const Tiling& tiling_;
  SimulatedRun& out_;
};

}  // namespace

std::optional<SimulatedRun> simulate_run(const Problem& problem, Method kernel, const Inputs& inputs,
                                         std::string& fault, KernelVersion version) {
  Problem p = kernel_problem(problem, kernel);
  p.arithmetic = Arithmetic::Kernel;
  const Schedule& schedule = schedule_of(kernel);
  if (schedule.backward()) {
    fault = fmt::format("{} has no O and L of its own to be simulated.", info_of(kernel).kernel_name());
    return std::nullopt;
  }
  const double flop = 4.0 * double(p.n_q) * double(p.n_k) * double(p.d);
  if (flop > double(kMostSimulatedFlop)) {
    fault = fmt::format(
        "N = {} and d = {} take {:.3g} FLOP a head; the simulator computes up to {:.3g}. Take a "
        "smaller N.",
        with_commas(p.n_q), p.d, flop, double(kMostSimulatedFlop));
    return std::nullopt;
  }
  if (schedule.scores_in_memory && p.n_q * p.n_k > kMostSimulatedScores) {
    fault = fmt::format("S of {} x {} is too large for the simulator; it keeps up to {} scores. Take a smaller N.",
                        with_commas(p.n_q), with_commas(p.n_k), with_commas(kMostSimulatedScores));
    return std::nullopt;
  }

  const Plan plan = kernel_plan(p, kernel, 0, version);
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  SimulatedRun out;
  out.o.assign(size_t(p.n_q * p.d), kNone);
  out.lse.assign(size_t(p.n_q), kNone);
  if (!schedule.scores_in_memory) {
    out.statistics.tiles = plan.tiling.tc;
    out.statistics.rows = p.n_q;
    out.statistics.m.assign(size_t(plan.tiling.tc * p.n_q), kNone);
    out.statistics.l = out.statistics.m;
  }
  Runner runner(schedule, plan, inputs, out);
  for (int64_t s = 0; s < schedule.sections(plan); ++s) schedule.emit(plan, s, runner);
  return out;
}

}  // namespace tilewalk
