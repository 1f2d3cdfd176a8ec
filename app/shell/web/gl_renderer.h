// Draws Dear ImGui's draw data with WebGL 2. Nobody else draws in this context, so that no state is ever read back:
// there each question waits for the GPU, and a frame that asks takes ten times as long.
#pragma once

#include "app/scene/scene.h"

#include <array>
#include <cstdint>
#include <string>

struct ImDrawData;

namespace tilewalk {

class GlRenderer {
 public:
  // What Dear ImGui calls a texture: OpenGL's name of it, and whether it holds colours or coverage alone.
  static uint64_t coverage(unsigned name) { return uint64_t{name} << 1; }
  static uint64_t colors(unsigned name) { return uint64_t{name} << 1 | 1; }
  static unsigned name_of(uint64_t texture) { return unsigned(texture >> 1); }

  GlRenderer() = default;
  ~GlRenderer();
  GlRenderer(const GlRenderer&) = delete;
  GlRenderer& operator=(const GlRenderer&) = delete;

  void begin();          // a context is current: the GPU makes what is drawn with, beside whatever comes next
  std::string open();    // waits for that; empty, or what the driver says
  void fonts_changed();  // Dear ImGui's atlas goes to the GPU
  // Into the frame buffer that is bound, of that many pixels, over the background.
  void draw(const ImDrawData& data, Vec2 size, Color background);

 private:
  std::array<unsigned, 2> shaders_{};
  unsigned program_ = 0, array_ = 0, vertices_ = 0, indices_ = 0, font_ = 0;
  int scale_ = -1, colored_ = -1;  // uniforms
};

}  // namespace tilewalk
