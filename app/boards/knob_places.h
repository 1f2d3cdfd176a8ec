// Where a board's knobs stand below the stage of a talk: each at the same place at every stop that has it within reach,
// as far as they do not get into each other's way.
#pragma once

#include "app/boards/board.h"
#include "core/lesson/course.h"

#include <vector>

namespace tilewalk {

// All of them, `count` side by side on each page: the ones in `reach` on the first, then the others. Null: nothing
// stands there.
std::vector<const Knob*> placed_knobs(const Board& board, const std::vector<const Knob*>& reach, const Course* course,
                                      size_t count);

}  // namespace tilewalk
