#include "app/panels/room_overlay.h"

#include "app/scene/palette.h"
#include "app/session/talk_time.h"
#include "app/text/text.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// Pixels of 1080 lines.
constexpr float kPenWidth = 7, kPointerRadius = 34, kPointerRing = 9, kEraserRadius = 30, kLensRadius = 280, kRim = 4;
constexpr float kDim = 0.65f;  // outside the spotlight 35 % is left

void dot(Scene& scene, Vec2 at, float radius, Color fill, Color rim = {}, float rim_width = 0) {
  scene.box({at.x - radius, at.y - radius, 2 * radius, 2 * radius}, radius, fill, rim, rim_width);
}

// Light within a circle: what lies around it is a stroke that reaches past every corner.
void spotlight(Scene& scene, Vec2 at, float radius) {
  const float reach = std::hypot(scene.size.x, scene.size.y), outer = radius + reach;
  scene.box({at.x - outer, at.y - outer, 2 * outer, 2 * outer}, outer, {}, with_alpha(rgb(0x000000), kDim), reach);
}

// A ring, so that what it points at can be read within it.
void pointer(Scene& scene, Vec2 at, const Palette& colors, float unit) {
  const float inner = kPointerRadius - kPointerRing, rim = kRim / 2;
  dot(scene, at, kPointerRadius * unit, {}, colors[Role::Wrong], kPointerRing * unit);
  dot(scene, at, (kPointerRadius + rim) * unit, {}, colors[Role::Background], rim * unit);
  dot(scene, at, inner * unit, {}, colors[Role::Background], rim * unit);
}

// In the lower right corner, over the foot.
void countdown(Scene& scene, const Presentation& p, const Palette& colors, float unit) {
  const CountdownPlate plate = countdown_plate(p);
  const float w = plate.w * unit, h = plate.h * unit;
  const Rect rect{scene.size.x - kCountdownMargin * unit - w, scene.size.y - plate.below * unit - h, w, h};
  scene.box(rect, std::min(20 * unit, h / 4), colors[Role::Inverse]);
  scene.label(rect, countdown_words(p.countdown), Face::MonoBold, plate.type * unit, colors[Role::InverseText],
              Align::Center);
}

}  // namespace

CountdownPlate countdown_plate(const Presentation& p) {
  const auto with = [&](float type, float pad, float h, float below) {
    return CountdownPlate{type, text_width(countdown_words(p.countdown), Face::MonoBold, type) + 2 * pad, h, below};
  };
  return p.question ? with(112, 28, kCountdownHeight - kCountdownMargin, kCountdownMargin) : with(46, 16, 56, 5);
}

Lens lens_of(const Presentation& p, Vec2 size) {
  if (!p.lens || p.blank != Blank::None) return {};
  const float r = kLensRadius * size.y / 1080;
  const float part_w = 2 * r / size.x / p.lens_zoom, part_h = 2 * r / size.y / p.lens_zoom;
  const Vec2 at{p.at.x * size.x, p.at.y * size.y};
  return {{at.x - r, at.y - r, 2 * r, 2 * r}, r, {p.at.x - part_w / 2, p.at.y - part_h / 2, part_w, part_h}};
}

void draw_strokes(Scene& stage, const Presentation& p) {
  const float unit = stage.size.y / 1080;
  const auto place = [&](Vec2 part) { return Vec2{part.x * stage.size.x, part.y * stage.size.y}; };
  const Color ink = palette(p.theme)[Role::Wrong];
  for (const PenStroke& stroke : p.strokes)
    for (size_t k = 0; k < stroke.points.size(); ++k) {
      dot(stage, place(stroke.points[k]), kPenWidth * unit / 2, ink);
      if (k > 0) stage.line(place(stroke.points[k - 1]), place(stroke.points[k]), ink, kPenWidth * unit);
    }
}

Scene layout_room_overlay(const Presentation& p, Vec2 size) {
  Scene scene;
  scene.size = size;
  const Rect all{0, 0, size.x, size.y};
  const Palette& colors = palette(p.theme);
  if (p.blank != Blank::None) {
    scene.box(all, 0, p.blank == Blank::Black ? rgb(0x000000) : rgb(0xFFFFFF));
    return scene;
  }
  const float unit = size.y / 1080;
  const auto place = [&](Vec2 part) { return Vec2{part.x * size.x, part.y * size.y}; };
  if (p.countdown > 0) countdown(scene, p, colors, unit);
  const Color ink = colors[Role::Wrong];
  const Vec2 at = place(p.at);
  if (const Lens lens = lens_of(p, size); lens.radius > 0)
    dot(scene, at, lens.radius, {}, colors[Role::Text], kRim * unit);
  if (p.tool == Tool::Spotlight) spotlight(scene, at, p.spot * unit);
  const bool shown = p.pointing && p.since_pointer < kPointerSeconds;
  if (p.tool == Tool::Pointer && p.pointing) pointer(scene, at, colors, unit);
  if (p.tool == Tool::Pen && shown) dot(scene, at, kPenWidth * unit, ink);
  if (p.tool == Tool::Eraser && shown) dot(scene, at, kEraserRadius * unit, {}, colors[Role::Text], kRim * unit);
  return scene;
}

}  // namespace tilewalk
