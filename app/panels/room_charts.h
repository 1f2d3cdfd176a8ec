// The GPU's charts as a room sees them: what came of it in the largest type there is, where that is from, and the bars
// that say so. No controls; a press on a bar, where somebody has hands, chooses it.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/stage/moment.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

void layout_room_charts(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                        const Style& style);

std::string room_charts_premises(const ViewState& view);  // "B 4 · H 16 · N 4,096 · d 128 · no mask · fp16"

}  // namespace tilewalk
