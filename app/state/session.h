// What is being walked: one problem, its inputs, one or two schedules on them, and the replay of each. Pure model:
// knows no window, no time, no colour. A change that is not possible leaves the last good walk in place and says why.
#pragma once

#include "core/attention/gradients.h"
#include "core/attention/inputs.h"
#include "core/attention/reference.h"
#include "core/model/l2.h"
#include "core/playback/replay.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// Everything a person can choose about a walk.
struct Setup {
  Problem problem;
  Method schedule = Method::Fa2;
  std::shared_ptr<const Schedule> own = {};  // what is walked where `schedule` is Own
  VariantId variant = VariantId::Paper;
  std::optional<Method> compared;  // a second schedule beside the first
  std::string machine{default_machine().id};
  std::string preset = "toy";  // where the inputs came from, when it was a preset
  bool operator==(const Setup&) const = default;
};
const Schedule& schedule_of(const Setup& setup);

// One schedule on the session's inputs.
struct Walk {
  Walk(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs,
       std::shared_ptr<const Schedule> own = {});
  std::shared_ptr<const Schedule> own;  // holds a person's; null for those that are there anyway
  const Schedule& schedule;
  const MachineSpec& spec;
  Replay replay;
  L2Trace l2;
  Count total;        // of one head
  Footprint fullest;  // what its tiles take on chip, at most
  const Plan& plan() const { return replay.plan(); }
};

class Session {
 public:
  Session();  // the toy preset under FA2

  // Builds the walk that `setup` asks for. On any fault nothing changes and the faults are returned. Generated inputs
  // are made anew; custom inputs are kept while their shapes agree.
  std::vector<Fault> change(const Setup& setup);
  // The same with inputs of the user's own: a file's tensors, or a preset's. Shapes come from the inputs.
  std::vector<Fault> change(const Setup& setup, Inputs inputs);
  // Types one element over; the distribution becomes Custom. Tensor is Q, K or V; indices from 0.
  std::vector<Fault> edit(Tensor tensor, int64_t row, int64_t col, double value);

  const Setup& setup() const { return setup_; }
  const Problem& problem() const { return setup_.problem; }
  const Inputs& inputs() const { return inputs_; }
  uint64_t input_hash() const { return input_hash_; }
  const Reference& expected() const { return expected_; }
  const Gradients& expected_gradients() const { return expected_gradients_; }  // of a backward walk, else empty
  Walk& walk() const { return *walk_; }
  Walk* other() const { return other_.get(); }  // the compared schedule, or null
  // A problem that is counted only: its totals are there, the walk is the last animated one.
  const std::optional<Count>& counted() const { return counted_; }
  int64_t generation() const { return generation_; }  // goes up with every successful change

 private:
  Setup setup_;
  Inputs inputs_;
  Reference expected_;
  Gradients expected_gradients_;
  uint64_t input_hash_ = 0;
  std::unique_ptr<Walk> walk_, other_;
  std::optional<Count> counted_;
  int64_t generation_ = 0;
};

}  // namespace tilewalk
