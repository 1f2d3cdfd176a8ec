// What lies over the whole window and takes all input: menu, key sheet, dialogs. At most one is open.
#pragma once

#include "app/state/view_state.h"

namespace tilewalk {

bool overlay_open(const ViewState& view);
void close_overlays(ViewState& view);  // and what is typed into one

// What Esc does: closes or leaves the topmost of what is open, runs or is chosen.
void leave_topmost(ViewState& view);

}  // namespace tilewalk
