#include "app/scene/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewalk {

namespace {
constexpr float pi = std::numbers::pi_v<float>;
constexpr float flatness = 0.05f;  // pixels between a corner's arc and the chords that stand for it
constexpr float head_length = 4.5f, head_half_width = 2.2f;  // of an arrow, in line widths
}  // namespace

RoundedRect rounded(Rect rect, float radius) {
  return {rect, std::max(0.0f, std::min({radius, rect.w / 2, rect.h / 2}))};
}

RoundedRect stroke_path(const Box& box) {
  const float outer = rounded(box.rect, box.radius).radius;
  const float in = std::min({box.stroke_width / 2, box.rect.w / 2, box.rect.h / 2});
  return rounded(box.rect.inset(in), std::max(0.0f, outer - in));
}

float perimeter(const RoundedRect& s) { return 2 * (s.rect.w + s.rect.h) - (8 - 2 * pi) * s.radius; }

float dash_of_loop(float length, float wanted) {
  if (!(wanted > 0) || !(length > 0)) return 0;
  return length / (2 * std::max(1.0f, std::round(length / (2 * wanted))));
}

float dash_of_line(float length, float wanted) {
  if (!(wanted > 0) || !(length > 0)) return 0;
  const float dashes = std::max(1.0f, std::round((length / wanted + 1) / 2));
  return length / (2 * dashes - 1);
}

int corner_chords(float radius) {
  if (!(radius >= 0.05f)) return 0;
  const float step = 2 * std::acos(std::max(0.0f, 1 - flatness / std::max(radius, 2 * flatness)));
  return std::clamp(static_cast<int>(std::ceil(pi / 2 / step)), 2, max_corner_chords);
}

void outline(const RoundedRect& s, std::vector<Vec2>& out) {
  const float r = s.radius;
  const Rect& b = s.rect;
  if (r < 0.05f) {
    out.insert(out.end(), {{b.x, b.y}, {b.right(), b.y}, {b.right(), b.bottom()}, {b.x, b.bottom()}});
    return;
  }
  const int chords = corner_chords(r);
  out.push_back({b.x + r, b.y});
  const Vec2 centers[] = {
      {b.right() - r, b.y + r}, {b.right() - r, b.bottom() - r}, {b.x + r, b.bottom() - r}, {b.x + r, b.y + r}};
  for (int corner = 0; corner < 4; ++corner) {
    for (int i = 0; i <= chords; ++i) {
      const float angle =
          pi / 2 * (static_cast<float>(corner) - 1 + static_cast<float>(i) / static_cast<float>(chords));
      out.push_back({centers[corner].x + r * std::cos(angle), centers[corner].y + r * std::sin(angle)});
    }
  }
  out.pop_back();  // the point it began with
}

ArrowHead arrow_head(const Line& line) {
  const float dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const float length = std::hypot(dx, dy);
  if (!(length > 0)) return {line.to, line.to, line.to, line.to};
  const float ux = dx / length, uy = dy / length;
  const float head = std::min(head_length * line.width, length);
  const float half = head * head_half_width / head_length;
  const Vec2 back{line.to.x - ux * head, line.to.y - uy * head};
  // The line goes a little into the head, so that no seam shows.
  const float overlap = std::min(head / 2, line.width);
  return {line.to,
          {back.x + uy * half, back.y - ux * half},
          {back.x - uy * half, back.y + ux * half},
          {back.x + ux * overlap, back.y + uy * overlap}};
}

Line crisp(const Line& line) {
  Line moved = line;
  const float half = line.width / 2;
  if (line.from.x == line.to.x) moved.from.x = moved.to.x = std::round(line.from.x - half) + half;
  if (line.from.y == line.to.y) moved.from.y = moved.to.y = std::round(line.from.y - half) + half;
  return moved;
}

Rect on_pixels(const Rect& rect) {
  const float left = std::round(rect.x), top = std::round(rect.y);
  return {left, top, std::round(rect.right()) - left, std::round(rect.bottom()) - top};
}

}  // namespace tilewalk
