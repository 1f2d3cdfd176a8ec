#include "app/scene/digit_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tilewalk {

void digit_keys(Scene& scene, const Style& style, Rect row, std::string_view keys, std::string_view id,
                std::string_view hover) {
  const float gap = style.px(4), w = std::min(style.px(40), (row.w + gap) / float(keys.size()) - gap);
  for (size_t k = 0; k < keys.size(); ++k) {
    const bool back = keys[k] == kBackspaceKey;
    const std::string key_id = fmt::format("{}{}", id, keys[k]), name = back             ? "⌫"
                                                                        : keys[k] == '-' ? "−"
                                                                                         : std::string(1, keys[k]);
    const Rect key{row.x + (w + gap) * float(k), row.y, w, row.h};
    scene.box(key, style.r_small(), style[hover == key_id ? Role::SurfaceStrong : Role::Surface]);
    scene.label(key, name, Face::Mono, style.number(), style[Role::Text], Align::Center);
    scene.region(key, key_id, back ? "Takes the last digit away" : fmt::format("Types {}", name));
  }
}

}  // namespace tilewalk
