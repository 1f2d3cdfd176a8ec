// A slide of the speaker's own, as the room sees it. Words: its title, and its lines below, in the largest type in
// which all of it fits. A picture: as large as the wall allows, below its title where it has one.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/session/set_list.h"

#include <memory>

namespace tilewalk {

// `wall` is all that the room sees, `area` what words have of it. Without `pixels` a slide with a picture is its title,
// and blank where it has none: a file's name is nothing for a room.
void layout_room_slide(Scene& scene, const Slide& slide, const std::shared_ptr<const Pixels>& pixels, Rect wall,
                       Rect area, const Style& style);

}  // namespace tilewalk
