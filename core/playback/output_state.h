// What a tile of O is at one moment of a walk: a sum still, or divided already. Read from the steps alone; captions,
// the stage and tables of numbers ask here, so that they agree.
#pragma once

#include "core/machine/step.h"
#include "core/schedules/schedule.h"

#include <cstdint>
#include <span>

namespace tilewalk {

enum class OutputState : uint8_t {
  Zero,           // its start value
  Sum,            // of values times weights relative to m: divide by l to read it
  PartOfAverage,  // of values times weights that are divided already: whole once every key has been added
  Average,        // of the values of the keys seen so far
  Final,          // stored as the output
};

// Of O tile i after `playhead` steps, on chip or, while it is not there, in memory.
OutputState output_state(std::span<const Step> steps, int64_t playhead, int32_t i, const Schedule& schedule);
// Whether it is an average by then: where the row's L stands beside it, too, no alpha changes it any more.
inline bool output_is_divided(std::span<const Step> steps, int64_t playhead, int32_t i, const Schedule& schedule) {
  const OutputState state = output_state(steps, playhead, i, schedule);
  return state == OutputState::Average || state == OutputState::Final;
}

// Whether memory holds tile `index` of O, dQ, dK or dV as the output by then, not as it is between visits or before the
// first. The O of a backward walk is there from the start.
bool output_is_stored(std::span<const Step> steps, int64_t playhead, int32_t index, const Schedule& schedule,
                      Tensor tensor = Tensor::O);

}  // namespace tilewalk
