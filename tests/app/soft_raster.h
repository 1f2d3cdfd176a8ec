// Draws ImGui draw data on the processor, slowly and by the book: a pixel belongs to a triangle when its centre is
// inside, colour and coverage are interpolated, blending is ImGui's. For tests that look at pixels without a display.
#pragma once

#include "app/scene/scene.h"
#include "app/window/alpha_texture.h"

#include <cstdint>
#include <map>
#include <vector>

struct ImDrawData;

namespace tilewalk {

class SoftTextures final : public AlphaTextures {
 public:
  struct Texture {
    int width = 0, height = 0;
    std::vector<uint8_t> alpha;
  };
  uint64_t create(int width, int height) override;
  void update(uint64_t texture, int x, int y, int width, int height, const uint8_t* alpha, int stride) override;
  void destroy(uint64_t texture) override { all.erase(texture); }

  std::map<uint64_t, Texture> all;
  uint64_t made = 0;
};

class Picture {
 public:
  Picture(int width, int height, Color ground);
  void draw(const ImDrawData& data, const SoftTextures& textures);
  Color at(int x, int y) const;
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  int width_, height_;
  std::vector<float> rgb_;
};

}  // namespace tilewalk
