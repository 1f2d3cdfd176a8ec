#include "app/panels/working.h"

#include "app/text/text.h"

#include <string_view>

namespace tilewalk {

void layout_working(Scene& scene, Rect window, const Style& s) {
  constexpr std::string_view kWords = "Working this out …", kLeave = "Ctrl+Q leaves";
  const float size = s.body(), pad = s.px(20), gap = s.px(18), h = s.px(44);
  const float words = text_width(kWords, Face::SansBold, size) + s.px(1);
  const float leave = text_width(kLeave, Face::Sans, size) + s.px(1);
  const float width = 2 * pad + words + gap + leave;
  const Rect plate{window.center().x - width / 2, window.bottom() - s.px(150), width, h};
  scene.box(plate, h / 2, s[Role::Inverse]);
  scene.label({plate.x + pad, plate.y, words, h}, kWords, Face::SansBold, size, s[Role::InverseText]);
  scene.label({plate.x + pad + words + gap, plate.y, leave, h}, kLeave, Face::Sans, size, s[Role::InverseText]);
}

}  // namespace tilewalk
