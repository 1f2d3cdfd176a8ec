// The stage: what happens in which memory at one moment. Caption, SRAM, L2, DRAM and the ledger of bytes, fast memory
// on top, laid out into a rectangle as plain data. A function of its arguments alone.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/stage/moment.h"

namespace tilewalk {

// One schedule over the whole rectangle.
void layout_stage(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                  const Style& style);

// Two schedules side by side on the same inputs, at the same tile visit.
void layout_stage_pair(Scene& scene, const Session& session, const Moment& first, const Moment& second,
                       const ViewState& view, Rect area, const Style& style);

// The stage alone, as it is exported: 1920x1080 or any other size of at least 960x540.
Scene layout_stage_scene(Session& session, const ViewState& view, Vec2 size);

}  // namespace tilewalk
