// Paints a scene into pixels without a display, on the processor: for pictures in files. The same geometry and glyphs
// as on the screen (app/window/imgui_painter.h), the edges of shapes covered exactly. The same scene gives the same
// pixels on every machine.
#pragma once

#include "app/scene/pixels.h"
#include "app/scene/scene.h"
#include "app/text/glyph_cache.h"

#include <vector>

namespace tilewalk {

// Keeps the glyphs that it has drawn, for the next scene.
class Rasterizer {
 public:
  // One pixel for each unit of the scene; a fraction at its edges is cut off.
  Pixels paint(const Scene& scene);

 private:
  GlyphCache glyphs_;
};

}  // namespace tilewalk
