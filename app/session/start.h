// What is on the stage when nobody says what to begin with: where one stopped, or on a first start lesson 1 with one
// line that says how to go on.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

// The course and the progress must be there. `coach_seen`: the line was read once, and does not come again;
// `left_on_walk`: the last time ended on a walk of one's own, and so this time begins with one.
void start_where_one_stopped(Session& session, ViewState& view, bool coach_seen, bool left_on_walk);

}  // namespace tilewalk
