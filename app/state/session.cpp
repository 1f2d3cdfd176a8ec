#include "app/state/session.h"

#include "core/attention/presets.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <utility>

namespace tilewalk {
namespace {

std::unique_ptr<Walk> make_walk(const Setup& setup, const Schedule& schedule, const Inputs& inputs) {
  return std::make_unique<Walk>(schedule, make_plan(schedule, setup.problem, setup.variant),
                                *machine_named(setup.machine), inputs,
                                &schedule == setup.own.get() ? setup.own : nullptr);
}

bool shapes_agree(const Inputs& inputs, const Problem& p) {
  return inputs.q.rows == p.n_q && inputs.q.cols == p.d && inputs.k.rows == p.n_k && inputs.k.cols == p.d &&
         inputs.v.rows == p.n_k && inputs.v.cols == p.d;
}

// More tiles than this along N are not counted while somebody waits at the window: about 0.3 s of one core.
constexpr int64_t kMostCounted = int64_t{1} << 16;

bool counts_at_once(const Problem& p) {
  return (p.n_q + p.br - 1) / p.br <= kMostCounted && (p.n_k + p.bc - 1) / p.bc <= kMostCounted;
}

// Faults of the setup that can be told without running it.
std::vector<Fault> faults_of(const Setup& setup) {
  std::vector<Fault> faults = validate(setup.problem);
  const MachineSpec* spec = machine_named(setup.machine);
  if (!spec) faults.push_back({"machine", fmt::format("There is no machine called \"{}\".", setup.machine)});
  if (!faults.empty()) return faults;
  if (!counts_at_once(setup.problem))
    return {{"n_q", fmt::format("N is cut into more than {} tiles, too many to count at once here. Take larger tiles; "
                                "`tilewalk predict` counts more.",
                                with_commas(kMostCounted))}};
  if (setup.compared && (schedule_of(setup).backward() || schedule_of(*setup.compared).backward()))
    return {{"compare", "A backward walk stands alone: compare two forward schedules."}};
  const auto check = [&](const Schedule& schedule) {
    for (Fault& f : animation_faults(schedule, make_plan(schedule, setup.problem, setup.variant), *spec))
      faults.push_back({f.field, fmt::format("{}: {}", schedule.name, f.message)});
    if (faults.empty() && count(schedule, make_plan(schedule, setup.problem, setup.variant)).total.steps == 0)
      faults.push_back({"schedule", "The program takes no step on this problem: there is nothing to show."});
  };
  check(schedule_of(setup));
  if (setup.compared) check(schedule_of(*setup.compared));
  return faults;
}

}  // namespace

const Schedule& schedule_of(const Setup& setup) {
  return setup.schedule == Method::Own && setup.own ? *setup.own : schedule_of(setup.schedule);
}

Walk::Walk(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs,
           std::shared_ptr<const Schedule> own)
    : own(std::move(own)),
      schedule(schedule),
      spec(spec),
      replay(schedule, plan, spec, inputs),
      l2(replay.steps(), plan, spec.l2_bytes),
      total(count(schedule, plan)),
      fullest(footprint(schedule, plan, spec)) {}

Session::Session() {
  const Preset& toy = *preset_named("toy");
  Setup setup;
  setup.problem = toy.problem;
  change(setup, inputs_of(toy));
}

std::vector<Fault> Session::change(const Setup& wanted) {
  Setup setup = wanted;
  if (setup.problem.distribution == Distribution::Custom) {
    if (!shapes_agree(inputs_, setup.problem))
      return {{"distribution", fmt::format("These inputs are {} queries and {} keys of {} numbers; choose a generated "
                                           "distribution first to change their size.",
                                           inputs_.q.rows, inputs_.k.rows, inputs_.q.cols)}};
    return change(setup, inputs_);
  }
  // Ask before making inputs: a size may be absurd.
  if (std::vector<Fault> faults = faults_of(setup); !faults.empty()) {
    counted_.reset();
    if (validate(setup.problem).empty() && machine_named(setup.machine) && counts_at_once(setup.problem)) {
      const Schedule& schedule = schedule_of(setup);
      counted_ = count(schedule, make_plan(schedule, setup.problem, setup.variant));
    }
    return faults;
  }
  return change(setup, generate_inputs(setup.problem));
}

std::vector<Fault> Session::change(const Setup& wanted, Inputs inputs) {
  Setup setup = wanted;
  setup.problem.n_q = inputs.q.rows;
  setup.problem.n_k = inputs.k.rows;
  setup.problem.d = inputs.q.cols;
  if (std::vector<Fault> faults = faults_of(setup); !faults.empty()) return faults;

  round_inputs(inputs, setup.problem.format);
  std::unique_ptr<Walk> walk, other;
  try {
    walk = make_walk(setup, schedule_of(setup), inputs);
    if (setup.compared) other = make_walk(setup, schedule_of(*setup.compared), inputs);
  } catch (const MachineFault& fault) {
    return {{"br", fault.what()}};
  }
  expected_ = reference(setup.problem, inputs);
  expected_gradients_ = {};
  if (schedule_of(setup).backward())
    expected_gradients_ = reference_gradients(setup.problem, inputs, output_gradient(setup.problem, inputs));
  input_hash_ = hash_of(inputs);
  setup_ = setup;
  inputs_ = std::move(inputs);
  walk_ = std::move(walk);
  other_ = std::move(other);
  counted_.reset();
  ++generation_;
  return {};
}

std::vector<Fault> Session::edit(Tensor tensor, int64_t row, int64_t col, double value) {
  Inputs inputs = inputs_;
  Matrix& x = tensor == Tensor::Q ? inputs.q : tensor == Tensor::K ? inputs.k : inputs.v;
  x.at(row, col) = value;
  inputs.source = "typed";
  Setup setup = setup_;
  setup.problem.distribution = Distribution::Custom;
  return change(setup, std::move(inputs));
}

}  // namespace tilewalk
