// The same step of the same walk with other inputs: those of the next seed. Playhead and row stay; coming back to the
// beat or the stop brings its own numbers back.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

// Says in view.notice which seed it is now, or why there are no other numbers here.
void other_numbers(Session& session, ViewState& view);

}  // namespace tilewalk
