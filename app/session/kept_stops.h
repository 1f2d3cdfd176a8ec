// The stops of a talk as they were left, so that coming back finds them so: the stage, its step, what was answered. A
// stop is kept before every key and press on it, until something of it is turned: so a mask or a GPU that somebody
// asked about is gone when one comes back.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

void keep_stop(const Session& session, ViewState& view);

// The stop of the set list, from 0, else of the beat of the lesson on show, as it was left; false where it was not.
bool restore_set_stop(Session& session, ViewState& view, int place);
bool restore_beat(Session& session, ViewState& view, int beat);

// From wherever one is to the stop that was left, and to that one as it was before anything of it was turned; false
// where one is on it and nothing was turned.
bool restore_stop(Session& session, ViewState& view);

}  // namespace tilewalk
