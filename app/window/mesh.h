// Anti-aliased shapes as triangles on an ImGui draw list, and nothing of what they mean. Coordinates are pixels of the
// target; every edge fades over one pixel, so that an edge on a pixel's border is sharp.
#pragma once

#include "app/scene/shape.h"

#include <imgui.h>

#include <cstddef>
#include <vector>

namespace tilewalk {

class Mesh {
 public:
  // `white` is the texture coordinate of a fully covered texel. `origin` is where the scene's corner lies, in pixels,
  // and `pixels_per_unit` how many pixels make one unit of the draw list.
  Mesh(ImDrawList& list, ImVec2 white, Vec2 origin, float pixels_per_unit)
      : list_(list), white_(white), origin_(origin), units_(1 / pixels_per_unit) {}

  void fill(const RoundedRect& shape, ImU32 color, bool soft_edge = true);
  void stroke(const RoundedRect& centre, float width, ImU32 color);
  void dashes(const RoundedRect& centre, float width, float dash, ImU32 color);
  void line(Vec2 from, Vec2 to, float width, ImU32 color);
  void convex(const Vec2* points, size_t count, ImU32 color);
  // Room for it must have been reserved on the list.
  void reserved_quad(Rect rect, ImVec2 uv0, ImVec2 uv1, ImU32 color);

 private:
  ImVec2 place(Vec2 p) const { return {(p.x + origin_.x) * units_, (p.y + origin_.y) * units_}; }
  void vertex(Vec2 p, ImU32 color);
  void index(size_t i);
  void ring(const RoundedRect& centre, int chords, float by, ImU32 color);
  void between(size_t row, size_t next_row, size_t points, bool closed);
  void path(const Vec2* points, size_t count, float width, ImU32 color);

  ImDrawList& list_;
  ImVec2 white_;
  Vec2 origin_;
  float units_;
  std::vector<Vec2> scratch_, loop_, piece_;
};

}  // namespace tilewalk
