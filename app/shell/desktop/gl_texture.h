// Alpha textures and pictures in OpenGL 3.3. A context must be current whenever one is used or destroyed.
#pragma once

#include "app/window/alpha_texture.h"

namespace tilewalk {

class GlAlphaTextures final : public AlphaTextures {
 public:
  uint64_t create(int width, int height) override;
  void update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) override;
  uint64_t create_picture(const Pixels& picture) override;
  void destroy(uint64_t texture) override;
};

}  // namespace tilewalk
