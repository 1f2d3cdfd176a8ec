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

float wrapped_label(Scene& scene, Rect slot, std::string_view text, Face face, float size, float pitch, Color color) {
  std::vector<std::string> lines = wrap_text(text, face, size, slot.w);
  const size_t room = std::max<size_t>(1, size_t(slot.h / pitch + 0.01f));
  for (; lines.size() > room; lines.pop_back()) lines[lines.size() - 2] += " " + lines.back();
  for (size_t k = 0; k < lines.size(); ++k)
    scene.label({slot.x, slot.y + float(k) * pitch, slot.w, pitch}, ellipsize(lines[k], face, size, slot.w), face, size,
                color);
  return float(lines.size()) * pitch;
}

}  // namespace tilewalk
