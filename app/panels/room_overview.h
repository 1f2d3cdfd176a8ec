// The overview of a talk, over the stage: each stop as a card with a small picture of what the room will see, and the
// other lessons as chips below. Pictures are drawn elsewhere, one after the other (app/window/stop_pictures.h), and a
// card whose picture is not there yet is empty.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/view_state.h"

namespace tilewalk {

void layout_overview(Scene& scene, const ViewState& view, Rect area, const Style& style);

// Pixels of a card's picture when the overview has that area.
Vec2 stop_picture_size(const ViewState& view, Rect area, const Style& style);

// A room's picture in a card's size: text too small to be read becomes a line where it stands.
Scene small_picture(Scene picture);

}  // namespace tilewalk
