// What comes of pressing something.
#pragma once

#include "app/state/action.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

void update(Session& session, ViewState& view, const Action& action);

}  // namespace tilewalk
