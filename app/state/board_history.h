// Undo and redo of what a person does on a board: copies of its state, without limit. One entry for each drag, for each
// text that was typed, for each press and arrow key.
#pragma once

#include "app/state/board_state.h"

#include <string>
#include <vector>

namespace tilewalk {

struct ViewState;

struct BoardHistory {
  std::string place;  // which board, in which beat; elsewhere another history begins
  BoardState now;     // as it was when the last entry was made
  std::vector<BoardState> before, after;
};

// Whether two states hold the same work. What is selected, covered, within reach or stepped to is none: cells whose
// names begin with '.', and the members that are no knobs and no cells.
bool same_work(const BoardState& a, const BoardState& b);

// To be called after every event: takes note of what has changed since, once the button is up and the field is left.
void note_work(ViewState& view);

bool can_undo(const ViewState& view);
bool can_redo(const ViewState& view);
void undo_work(ViewState& view);
void redo_work(ViewState& view);

}  // namespace tilewalk
