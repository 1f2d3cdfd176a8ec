// Places in a picture: pixels of the target image, y downwards.
#pragma once

#include <algorithm>

namespace tilewalk {

struct Vec2 {
  float x = 0, y = 0;
};

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Vec2 center() const { return {x + w / 2, y + h / 2}; }
  bool contains(Vec2 p) const { return p.x >= x && p.y >= y && p.x < x + w && p.y < y + h; }
  Rect inset(float dx, float dy) const { return {x + dx, y + dy, w - 2 * dx, h - 2 * dy}; }
  Rect inset(float by) const { return inset(by, by); }
  Rect shifted(float dx, float dy) const { return {x + dx, y + dy, w, h}; }
};

// What both have in common; empty where they have nothing.
inline Rect intersection(const Rect& a, const Rect& b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  const float w = std::min(a.right(), b.right()) - x, h = std::min(a.bottom(), b.bottom()) - y;
  return w > 0 && h > 0 ? Rect{x, y, w, h} : Rect{};
}

}  // namespace tilewalk
