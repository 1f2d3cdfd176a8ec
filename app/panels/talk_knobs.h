// What the one who talks can turn of the stop, below the stage: every knob of a board or a tool, those that the stop
// itself shows first; of the GPU's charts whose recording and which size; of a walk its mask, schedule, machine, seed
// and row (app/session/turn_walk.h).
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

float talk_knobs_height(const ViewState& view, const Style& style);  // 0 where nothing can be turned
void layout_talk_knobs(Scene& scene, const Session& session, const ViewState& view, Rect row, const Style& style);

}  // namespace tilewalk
