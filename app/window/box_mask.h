// Coverage of rounded boxes and of their inner strokes, drawn once into the glyph cache's atlas and then painted as a
// few textured quads. A box is two triangles instead of a hundred, which is what a software renderer counts.
// Edges are kept to a quarter of a pixel.
#pragma once

#include "app/scene/scene.h"
#include "app/text/glyph_cache.h"

#include <optional>

namespace tilewalk {

// One axis of a painted box, in pixels of the target and texels of the atlas: a part that is copied, one texel that is
// stretched, a part that is copied. Where middle == 0 all is in the first part.
struct MaskAxis {
  int start = 0;                        // first pixel
  int first = 0, middle = 0, last = 0;  // pixels
  int texel = 0;                        // first texel
};

struct BoxMask {
  MaskAxis x, y;
  bool hollow = false;  // the middle is empty
};

// The box filled (`stroke` == 0), or the band of that width inside its edge. None for shapes that are better made of
// triangles: larger radii and strokes than the program uses, or far outside any screen.
std::optional<BoxMask> box_mask(GlyphCache& atlas, const Rect& box, float radius, float stroke);

// The coverage itself, for `width` x `height` pixels, of the box with its corner at x, y in 0..1.
GlyphBitmap box_coverage(int width, int height, const Rect& box, float radius, float stroke);

}  // namespace tilewalk
