// The window of the one who presents. With a screen of its own for the room: the stage, live and to be worked on; what
// the room sees; what comes next; the notes in a size of their own; clock, time gone, place in the set list. With one
// screen the window is the room's: its picture, no notes, and at its foot what is being typed and, for a while, what
// there is to be said; swapping shows the presenter's view there, and back.
//
// Region ids: "present:stage" where the stage is worked on, "present:room" where the window shows the room's picture as
// it is, "set:<k>" a place in the set list; the stage's own as in app/panels/panels.h.
#pragma once

#include "app/scene/scene.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

// `under`: how many of its items lie under what is open over the window, and so under that over the room's picture.
Scene layout_presenter(Session& session, const ViewState& view, Vec2 size, size_t* under = nullptr);

// On one screen: what can be pointed at, and dialogs that were asked for. The picture itself lies below.
Scene layout_home_room(Session& session, const ViewState& view, Vec2 size);

}  // namespace tilewalk
