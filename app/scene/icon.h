// The program's icon: tiles on the way through them, those behind black, the one at hand violet. One drawing for every
// size, as a scene and as pixels.
#pragma once

#include "app/scene/scene.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

Scene icon_scene(float side);

// side * side pixels of 4 bytes, rows from the top, straight alpha, as encode_png wants them.
std::vector<uint8_t> icon_pixels(int side);

}  // namespace tilewalk
