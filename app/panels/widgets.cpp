#include "app/panels/widgets.h"

#include "app/session/commands.h"
#include "app/text/text.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

// A triangle that points left (-1) or right (+1), `half` high to each side.
void triangle(Scene& scene, Vec2 tip, float length, float half, float way, Color color) {
  scene.polygon({tip, {tip.x - way * length, tip.y - half}, {tip.x - way * length, tip.y + half}}, color);
}

bool pointed_at(const ViewState& view, std::string_view id) { return view.hover == id; }

}  // namespace

void draw_icon(Scene& scene, Icon icon, Rect area, Color color) {
  const float u = std::min(area.w, area.h) / 24;  // drawn on a grid of 24
  const Vec2 c = area.center();
  const auto bar = [&](float x, float half, float width) {
    scene.box({c.x + x * u - width * u / 2, c.y - half * u, width * u, 2 * half * u}, u, color);
  };
  switch (icon) {
    case Icon::Play: triangle(scene, {c.x + 8 * u, c.y}, 13 * u, 8 * u, 1, color); break;
    case Icon::Pause: bar(-4, 7, 4), bar(4, 7, 4); break;
    case Icon::PartForward: triangle(scene, {c.x + 6 * u, c.y}, 11 * u, 7 * u, 1, color); break;
    case Icon::PartBack: triangle(scene, {c.x - 6 * u, c.y}, 11 * u, 7 * u, -1, color); break;
    case Icon::TileForward:
      triangle(scene, {c.x + u, c.y}, 9 * u, 7 * u, 1, color);
      triangle(scene, {c.x + 10 * u, c.y}, 9 * u, 7 * u, 1, color);
      break;
    case Icon::TileBack:
      triangle(scene, {c.x - u, c.y}, 9 * u, 7 * u, -1, color);
      triangle(scene, {c.x - 10 * u, c.y}, 9 * u, 7 * u, -1, color);
      break;
    case Icon::First: bar(-7, 7, 2.5f), triangle(scene, {c.x - 5 * u, c.y}, 11 * u, 7 * u, -1, color); break;
    case Icon::Last: bar(7, 7, 2.5f), triangle(scene, {c.x + 5 * u, c.y}, 11 * u, 7 * u, 1, color); break;
    case Icon::Menu:
      for (float y : {-6.0f, 0.0f, 6.0f})
        scene.line({c.x - 9 * u, c.y + y * u}, {c.x + 9 * u, c.y + y * u}, color, 2.2f * u);
      break;
    case Icon::Rail:
    case Icon::Column: {
      scene.box({c.x - 10 * u, c.y - 8 * u, 20 * u, 16 * u}, 3 * u, {}, color, 1.8f * u);
      const float x = icon == Icon::Rail ? c.x - 4 * u : c.x + 4 * u;
      scene.line({x, c.y - 8 * u}, {x, c.y + 8 * u}, color, 1.8f * u);
      break;
    }
    case Icon::Theme: {  // a disc, its right half filled
      constexpr int kPoints = 24;
      const float r = 8.2f * u;
      std::vector<Vec2> half;
      for (int k = 0; k <= kPoints; ++k) {
        const float angle = std::numbers::pi_v<float> * (float(k) / kPoints - 0.5f);
        half.push_back({c.x + r * std::cos(angle), c.y + r * std::sin(angle)});
      }
      scene.polygon(std::move(half), color);
      scene.box({c.x - r, c.y - r, 2 * r, 2 * r}, r, {}, color, 1.8f * u);
      break;
    }
    case Icon::Close:
      scene.line({c.x - 6 * u, c.y - 6 * u}, {c.x + 6 * u, c.y + 6 * u}, color, 2.2f * u);
      scene.line({c.x - 6 * u, c.y + 6 * u}, {c.x + 6 * u, c.y - 6 * u}, color, 2.2f * u);
      break;
  }
}

void icon_button(Scene& scene, const ViewState& view, const Style& style, Rect rect, Icon icon,
                 std::string_view command, Look look, ButtonState state) {
  std::string id = "command:" + std::string(command);
  const bool hot = state.enabled && pointed_at(view, id);
  const float radius = look == Look::Round ? rect.h / 2 : style.r_medium();
  Color fill, ink = style[Role::Text];
  if (look == Look::Solid) fill = style[hot ? Role::Line : Role::SurfaceStrong];
  if (look == Look::Plain && (hot || state.on)) fill = style[Role::SurfaceStrong];
  if (look == Look::Round) {
    fill = style[Role::Inverse], ink = style[Role::InverseText];
    if (hot) fill = mix(fill, style[Role::Background], 0.2f);
  }
  if (!state.enabled) ink = style[Role::Ghost];
  scene.box(rect, radius, fill);
  const float side = style.px(look == Look::Plain ? 24 : 26);
  draw_icon(scene, icon, {rect.center().x - side / 2, rect.center().y - side / 2, side, side}, ink);
  scene.region(rect, std::move(id), tip_of(command), true, radius);
}

void text_button(Scene& scene, const ViewState& view, const Style& style, Rect rect, std::string_view text,
                 std::string id, std::string tip, Look look, Face face, float size) {
  const bool hot = pointed_at(view, id);
  const float radius = look == Look::Round ? rect.h / 2 : style.r_medium();
  const Color fill = look == Look::Round          ? style[Role::Inverse]
                     : look == Look::Solid || hot ? style[hot ? Role::Line : Role::SurfaceStrong]
                                                  : Color{};
  scene.box(rect, radius, fill);
  scene.label(rect, text, face, size, style[look == Look::Round ? Role::InverseText : Role::Text], Align::Center);
  scene.region(rect, std::move(id), std::move(tip), true, radius);
}

float fitted(Scene& scene, Rect slot, std::string_view text, Face face, float size, Color color, Align align) {
  if (slot.w <= 0 || text.empty()) return 0;
  const std::string shown = ellipsize(text, face, size, slot.w);
  scene.label(slot, shown, face, size, color, align);
  return text_width(shown, face, size);
}

}  // namespace tilewalk
