// A step in words and numbers, for one chosen row: the caption over the stage, the formula with its values put in, and
// the lines that `tilewalk walk` prints.
#pragma once

#include "core/machine/machine.h"
#include "core/playback/row_trace.h"

#include <cstdint>
#include <span>
#include <string>

namespace tilewalk {

struct Narration {
  std::string caption;  // one or two short sentences, at most 110 characters
  std::string formula;  // "α = e^(0.117 − 0.811) = 0.499"; empty where nothing is computed
};

// `steps` are the ones taken between the two states: one step, or those of a part, a tile or a row; of several the one
// that matters most is told. `row` counts from 0 within the Q tile; a ragged tile's last row stands in for one beyond
// it. With no steps: what there is to do before the first. Rows, keys and tiles count from 1 in the words.
Narration narrate(std::span<const Step> steps, const MachineState& before, const MachineState& after, const Plan& plan,
                  const Schedule& schedule, int64_t row);

// The same for one unit of a replay, from `from` to `playhead` steps taken; `row` counts from 0 over the whole of Q and
// picks the row within whichever Q tile is on show when it lies in another one.
Narration narrate(Replay& replay, int64_t from, int64_t playhead, int64_t row);

}  // namespace tilewalk
