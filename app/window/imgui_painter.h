// Puts scenes on ImGui draw lists. Text comes from a glyph cache in a texture of the painter's own; shapes take their
// colour from a covered texel of the same texture, so that a whole scene is one draw command; images have a texture
// each, as long as somebody holds their pixels.
#pragma once

#include "app/scene/scene.h"
#include "app/text/glyph_cache.h"
#include "app/window/alpha_texture.h"

#include <map>
#include <memory>
#include <vector>

struct ImDrawList;

namespace tilewalk {

class ImguiPainter {
 public:
  explicit ImguiPainter(AlphaTextures& textures);
  ~ImguiPainter();
  ImguiPainter(const ImguiPainter&) = delete;
  ImguiPainter& operator=(const ImguiPainter&) = delete;

  // Once a frame, before the first paint.
  void begin_frame();

  // Adds the scene to `list` with its upper left corner at `origin`, in pixels. `pixels_per_unit` is ImGui's
  // DisplayFramebufferScale. Items outside the list's clip rectangle are left out. A scene that has a background covers
  // its size with it, unless `background` is false: where the frame was just cleared to that colour, a software
  // renderer is spared a layer.
  void paint(const Scene& scene, ImDrawList& list, Vec2 origin = {}, float pixels_per_unit = 1, bool background = true);

  // Once a frame, after the last paint and before the lists are rendered: brings new glyphs to the texture.
  void upload();

  // True when glyphs found no room in this frame; the next frame draws them all anew, so ask for one.
  bool needs_another_frame() const { return glyphs_.overflowed(); }
  const GlyphCache& glyphs() const { return glyphs_; }

 private:
  struct Shown {
    std::weak_ptr<const Pixels> pixels;
    uint64_t texture = 0;
  };
  uint64_t texture_of(const std::shared_ptr<const Pixels>& pixels);

  AlphaTextures& textures_;
  uint64_t texture_;
  GlyphCache glyphs_;
  std::vector<PlacedGlyph> line_;
  std::map<const Pixels*, Shown> images_;
};

}  // namespace tilewalk
