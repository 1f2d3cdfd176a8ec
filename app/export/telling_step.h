// Which row, and in which order, a series of pictures follows, so that something is rescaled in it; and where paper
// shows a walk or a stepped board that stands at its start, which has nothing on chip, nothing met: where a row is
// rescaled first, else in the middle.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tilewalk {

// The row to follow through those steps: the first one whose max rises in them; where the walk rescales nothing, the
// first one that the walk beside it does.
std::optional<int64_t> rescaled_row(const Session& session, int64_t from, int64_t to);

// A row of keys that is met in reverse, where nothing has to be rescaled, is met forward.
void meet_forward(BoardState& board);

// Goes there where the walk is on the stage and at its start; the sentence says where that is, and is empty elsewhere.
std::string tell_of_walk(Session& session, ViewState& view);
// The same of a board with steps that rescales something, or that its beat puts at the start; one that covers an answer
// stays.
std::string tell_of_board(const Session& session, ViewState& view);

}  // namespace tilewalk
