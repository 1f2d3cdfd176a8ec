// The one line of a first start, over the transport: how to go on, and where all keys are. It goes for good with the
// first step.
#include "app/panels/panels.h"
#include "app/text/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tilewalk {

void layout_coach(Scene& scene, Rect area, const Style& s) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kParts{
      {{"→", "takes the next step"}, {"?", "shows all keys"}}};
  const float size = s.body(), gap = s.px(10), apart = s.px(30), pad = s.px(20), cap = s.px(28);
  const auto cap_w = [&](std::string_view key) {
    return std::max(cap, text_width(key, Face::MonoBold, size) + s.px(14));
  };
  float width = 2 * pad + apart * float(kParts.size() - 1);
  for (const auto& [key, words] : kParts) width += cap_w(key) + gap + text_width(words, Face::SansBold, size) + s.px(1);
  const float h = s.px(44);
  const Rect pill{area.center().x - width / 2, area.center().y - h / 2, width, h};
  scene.box(pill, h / 2, s[Role::Inverse]);
  float x = pill.x + pad;
  for (const auto& [key, words] : kParts) {
    const Rect key_cap{x, pill.center().y - cap / 2, cap_w(key), cap};
    scene.box(key_cap, s.r_small(), s[Role::InverseText]);
    scene.label(key_cap, key, Face::MonoBold, size, s[Role::Inverse], Align::Center);
    x += key_cap.w + gap;
    const float w = text_width(words, Face::SansBold, size) + s.px(1);
    scene.label({x, pill.y, w, h}, words, Face::SansBold, size, s[Role::InverseText]);
    x += w + apart;
  }
}

}  // namespace tilewalk
