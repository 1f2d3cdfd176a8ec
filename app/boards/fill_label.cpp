#include "app/boards/fill_label.h"

#include "app/scene/color_math.h"
#include "app/text/text.h"

#include <algorithm>

namespace tilewalk {

void label_on_fill(const BoardView& view, Rect slot, std::string_view words, Face face, float size, Color fill,
                   Color text) {
  constexpr float kReadable = 4.5f;
  if (view.view.present.on && contrast(washed(text), washed(fill)) < kReadable) {
    const float w = std::min(slot.w, text_width(words, face, size) + view.px(10)), h = std::min(slot.h, size * 1.35f);
    const Vec2 at = slot.center();
    view.box({at.x - w / 2, at.y - h / 2, w, h}, view.px(3), Role::Background);
    text = view[Role::Text];
  }
  view.label(slot, words, face, size, text, Align::Center);
}

}  // namespace tilewalk
