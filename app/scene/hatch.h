// Slanting lines over a rectangle: what colour alone must not say (recorded, refused, not there).
#pragma once

#include "app/scene/scene.h"

namespace tilewalk {

// `pitch` is the distance of two lines along an edge.
void hatch(Scene& scene, Rect rect, Color color, float pitch, float width);

}  // namespace tilewalk
