// One instant of a walk, as the panels see it: the machine before and after the unit on show, the steps between, and
// how far the animation has come. A frame is a function of a Moment; at rest, and in every export, phase is 1.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"
#include "core/playback/narrate.h"
#include "core/playback/units.h"

#include <span>
#include <string>

namespace tilewalk {

struct Moment {
  Walk* walk = nullptr;
  int64_t from = 0, playhead = 0;  // steps taken before and after the unit on show
  float phase = 1;
  MachineState before, after;
  std::span<const Step> steps;  // taken between the two; empty at the very start
  Place place;
  int64_t tile = 0, row = 0;  // the Q tile on chip, and the followed row within it, from 0
  Narration words;
  bool waits = false;  // compared walk only: it has no visit like the first one's; its caption says why

  const Step* step() const { return steps.empty() ? nullptr : &steps.back(); }
  bool moves(Tensor tensor) const;  // a load or store of the tensor is on show
};

Moment moment_of(Walk& walk, const ViewState& view);
// The compared walk where it does to the same tiles what the first one is doing; both start and end together. Within
// one visit of a first walk with one kernel it only goes forward; from visit to visit it jumps where the order differs,
// as between FA1 and FA2 or within FA3's overlap, or from kernel to kernel of standard attention. Where it has no visit
// like the first one's it waits, and its caption says why.
Moment matching_moment(Walk& other, const Moment& first, const ViewState& view);
// "Standard is in kernel 2 of 3: P = softmax(S)"; empty where one kernel has all tiles.
std::string whereabouts(const Moment& moment);

}  // namespace tilewalk
