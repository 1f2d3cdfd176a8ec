// The way back to the stop that was left for another one out of turn: by G, by the overview, by Home and End. It is
// there as long as one is at that other stop, and leads over several such jumps to the stop that the first one left.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

void note_jump(ViewState& view, const StopKey& left);             // after it
bool jump_to_item(Session& session, ViewState& view, int place);  // of the set list; false where it leads nowhere

// "returns to stop 5": what Ctrl+Backspace does there; empty elsewhere, and while the stop is to be put in order first.
std::string way_back_words(const Session& session, const ViewState& view);
bool go_way_back(Session& session, ViewState& view);  // to that stop, as it was left; false where there is none

}  // namespace tilewalk
