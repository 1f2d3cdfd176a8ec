// The machine's state after any step of a program: keyframes plus replay, exact in both directions. Keyframes share
// unchanged tiles and are thinned out to stay under a budget.
#pragma once

#include "core/machine/machine.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

struct ReplayOptions {
  int64_t keyframe_budget = 64 << 20;  // bytes held by keyframes
  int64_t first_interval = 64;         // steps between keyframes before any thinning
};

// A moment worth a mark on the scrubber: the state after `step` steps shows it.
struct Marker {
  enum Kind : uint8_t { MaxRose, Stored, Masked };
  Kind kind;
  int64_t step;
  int64_t first_row = -1, last_row = -1;  // MaxRose: the first and last row over all of Q whose max rose
};

class Replay {
 public:
  // Runs the program once from start to end. Throws MachineFault where the machine refuses a step.
  Replay(const Schedule& schedule, const Plan& plan, const MachineSpec& spec, const Inputs& inputs,
         ReplayOptions options = {});

  int64_t length() const { return int64_t(steps_.size()); }
  const std::vector<Step>& steps() const { return steps_; }
  const Schedule& schedule() const { return schedule_; }
  const Plan& plan() const { return machine_.plan(); }
  const Machine& machine() const { return machine_; }
  const std::vector<Marker>& markers() const { return markers_; }

  // The state after `step` steps, 0 .. length(). The reference stays good until the next call.
  const MachineState& at(int64_t step);

  int64_t keyframe_bytes() const { return keyframe_bytes_; }
  int64_t interval() const { return interval_; }

 private:
  void keep(const MachineState& state);
  void thin_out();
  void mark(const MachineState& state, const Step& step);

  const Schedule& schedule_;
  Machine machine_;
  ReplayOptions options_;
  std::vector<Step> steps_;
  std::vector<MachineState> keyframes_;  // after 0, interval, 2 * interval ... steps
  int64_t keyframe_bytes_ = 0;           // tiles that neighbours share counted once
  int64_t interval_;
  std::vector<Marker> markers_;
  MachineState current_;
};

}  // namespace tilewalk
