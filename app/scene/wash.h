// A picture of pixels as the last row of a bright room sees it: black lifted by the room's light, edges softened by the
// projector. For rehearsal.
#pragma once

#include <cstdint>
#include <span>

namespace tilewalk {

// `rgba` holds width * height pixels of 4 bytes. `room_contrast` as in color_math.h; `blur`: radius of a box blur,
// pixels.
void wash_picture(std::span<uint8_t> rgba, int width, int height, float room_contrast, int blur);

}  // namespace tilewalk
