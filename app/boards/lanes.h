// The two charts of the board of lanes.
#pragma once

#include "app/boards/board.h"
#include "core/run/run.h"
#include "core/timing/laid_block.h"

namespace tilewalk {

// The whole block as a strip and a few K/V tiles of it as lanes.
void layout_lanes(const BoardView& view, Rect area, const LaidBlock& block);

// A recorded run's clock stamps of FA3's warpgroups, or null; and its chart.
const KernelTrace* fa3_stamps(const RunResult& recorded);
// The shipped run with the most of them, for pictures of which no GPU tab has read the recordings.
const RunResult* shipped_fa3_stamps();

// What a step of the lanes is called, in the lesson's words: "P V", "exponentials".
std::string_view words_of_step(StepKind kind);
void layout_recorded_lanes(const BoardView& view, Rect area, const RunResult& recorded);

}  // namespace tilewalk
