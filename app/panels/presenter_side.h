// The column beside the stage in the presenter's window: what comes next, the answer and the hands of a question, the
// notes, and what the room sees.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

void layout_presenter_side(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& style);

}  // namespace tilewalk
