// A picture as pixels: what a rasterizer paints, and what a photo or a plot in a scene is made of.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewalk {

struct Pixels {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top; alpha is 255 throughout
};

// Every pixel the mean of those that it stands for; both sizes at most the picture's own and at least 1.
Pixels shrunk(const Pixels& picture, int width, int height);

}  // namespace tilewalk
