// Puzzles of Write in a class: what a page tells of the one that it is at, and what the wall says of all.
#pragma once

#include "app/state/view_state.h"
#include "core/classroom/messages.h"

#include <string>

namespace tilewalk {

AtPuzzle puzzle_here(const ViewState& view);  // on show in Write; none: the message that says so

// Of who teaches, of the puzzle on show: "12 have solved it, 9 are at it", and the best of each meter that its goals
// are about, beside what is wanted. Empty where no class is taught, Write is not open or nobody is at it.
struct PuzzleInClass {
  std::string title, counts, best;
};
PuzzleInClass puzzle_in_class(const ViewState& view);

// "Fuse all three: 12 solved, 9 at it", of the desk.
std::string words_of(const PuzzleCount& count);

}  // namespace tilewalk
