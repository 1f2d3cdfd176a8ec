// What lies over the whole window and takes all input: menu, key sheet, dialogs. At most one is open.
#pragma once

#include "app/session/view_state.h"

namespace tilewalk {

bool overlay_open(const ViewState& view);
void close_overlays(ViewState& view);  // and what is typed into one

}  // namespace tilewalk
