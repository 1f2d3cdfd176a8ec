#include "app/panels/transport_parts.h"

#include "app/session/commands.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

float transport_buttons(Scene& scene, const ViewState& view, const Style& s, Rect area,
                        const std::vector<TransportButton>& buttons) {
  scene.box(area, 0, s[Role::Background]);
  scene.line({area.x, area.y + s.px(0.5f)}, {area.right(), area.y + s.px(0.5f)}, s[Role::Line], s.px(1));
  const float side = std::min(s.px(56), area.h - s.px(16)), gap = s.px(8), y = area.center().y - side / 2;
  float x = area.x + s.px(24);
  for (const TransportButton& button : buttons) {
    icon_button(scene, view, s, {x, y, side, side}, button.icon, button.command,
                button.command == "play" ? Look::Round : Look::Solid, {button.enabled, false});
    x += side + gap;
  }
  return x - gap;
}

Rect transport_right(Scene& scene, const ViewState& view, const Style& s, Rect area, bool speed, float& right) {
  const float side = s.px(40), y = area.center().y - side / 2;
  text_button(scene, view, s, {right - side, y, side, side}, "?", "command:keys", tip_of("keys"), Look::Plain,
              Face::SansBold, s.heading());
  right -= side + s.px(6);
  if (speed) {
    const std::string words =
        fmt::format("{}×", view.speed < 1 ? fmt::format("{:.2g}", view.speed) : fmt::format("{:.1f}", view.speed));
    const float w = text_width("0.25×", Face::Mono, s.caption()) + s.px(16);
    text_button(scene, view, s, {right - w, y, w, side}, words, "speed",
                "Speed: click for the next one ([ slower, ] faster)", Look::Plain, Face::Mono, s.caption());
    right -= w + s.px(10);
  }
  return {area.x, y, right - area.x, side};
}

void draw_playhead(Scene& scene, const ViewState& view, const Style& s, std::string_view id, Vec2 at) {
  const float r = s.px(view.hover == id || view.held == id ? 14 : 12);
  scene.box({at.x - r, at.y - r, 2 * r, 2 * r}, r, s[Role::Inverse]);
  scene.box({at.x - r * 0.4f, at.y - r * 0.4f, r * 0.8f, r * 0.8f}, r * 0.4f, s[Role::InverseText]);
}

}  // namespace tilewalk
