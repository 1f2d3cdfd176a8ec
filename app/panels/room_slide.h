// A slide of the speaker's own words, as the room sees it: its title, and its lines below, in the largest type in which
// all of it fits.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/session/set_list.h"

namespace tilewalk {

void layout_room_slide(Scene& scene, const Slide& slide, Rect area, const Style& style);

}  // namespace tilewalk
