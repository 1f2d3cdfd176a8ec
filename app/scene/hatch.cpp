#include "app/scene/hatch.h"

#include <algorithm>

namespace tilewalk {

void hatch(Scene& scene, Rect rect, Color color, float pitch, float width) {
  // Lines x + y = c, cut at the rectangle's edges.
  for (float c = pitch; c < rect.w + rect.h; c += pitch) {
    const float x0 = std::max(0.0f, c - rect.h), x1 = std::min(c, rect.w);
    if (x1 - x0 < 1) continue;
    scene.line({rect.x + x0, rect.y + c - x0}, {rect.x + x1, rect.y + c - x1}, color, width);
  }
}

}  // namespace tilewalk
