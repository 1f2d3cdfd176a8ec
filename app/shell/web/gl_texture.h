// Alpha textures and pictures in WebGL 2, as GlRenderer draws them. The context must be current whenever one is used or
// destroyed.
#pragma once

#include "app/window/alpha_texture.h"

namespace tilewalk {

class WebAlphaTextures final : public AlphaTextures {
 public:
  uint64_t create(int width, int height) override;
  void update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) override;
  uint64_t create_picture(const Pixels& picture) override;
  void destroy(uint64_t texture) override;

 private:
  int largest_ = 0;  // asked for once
};

}  // namespace tilewalk
