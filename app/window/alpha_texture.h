// What the painter asks of a graphics library: a texture of coverage, whose texels read as white with that alpha, and
// textures of pictures. Tests give it one without a graphics library.
#pragma once

#include "app/scene/pixels.h"

#include <cstdint>

namespace tilewalk {

class AlphaTextures {
 public:
  virtual ~AlphaTextures() = default;
  // A new texture of 8-bit alpha, contents undefined, sampled without interpolation. 0 if it cannot be made.
  virtual uint64_t create(int width, int height) = 0;
  // Replaces a rectangle; `alpha` is its first texel, rows are `stride` bytes apart.
  virtual void update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) = 0;
  // The picture with its colours, interpolated where it is drawn smaller or larger. 0 if it cannot be made.
  virtual uint64_t create_picture(const Pixels&) { return 0; }
  virtual void destroy(uint64_t texture) = 0;
};

}  // namespace tilewalk
