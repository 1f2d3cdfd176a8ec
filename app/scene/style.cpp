#include "app/scene/style.h"

#include "app/text/text.h"

#include <algorithm>

namespace tilewalk {

void fitted_label(Scene& scene, const Style& style, Rect slot, std::string_view text, Face face, float size,
                  Color color, Align align) {
  const float width = text_width(text, face, size);
  if (width > slot.w) size = std::max(style.small(), size * slot.w / width * 0.995f);
  if (text_width(text, face, size) > slot.w)
    scene.label(slot, ellipsize(text, face, size, slot.w), face, size, color, align);
  else
    scene.label(slot, text, face, size, color, align);
}

}  // namespace tilewalk
