// A picture with some of everything the painters draw: every role, face, alignment, dash, arrow and marker.
#pragma once

#include "app/scene/palette.h"
#include "app/scene/scene.h"

namespace tilewalk {

// 960 x 600 at scale 1.
Scene sample_scene(Theme theme, float scale);

}  // namespace tilewalk
