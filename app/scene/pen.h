// What layout code draws with: a scene, and how things look. Colours are roles of the palette, or given as they are.
#pragma once

#include "app/scene/style.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// A colour, or where the palette has it: of a role, or of a tensor, whose text has another shade than its shapes.
// Without any nothing is painted.
struct Paint {
  Paint() = default;
  Paint(Color color, float alpha = -1) : color(color), alpha(alpha) {}
  Paint(Role role, float alpha = -1) : role(role), alpha(alpha) {}
  Paint(Tensor tensor, float alpha = -1) : tensor(int(tensor)), alpha(alpha) {}
  Color color;
  Role role = Role::Count_;
  int tensor = -1;
  float alpha = -1;  // 0..1 in place of the colour's own; negative: as it is
};

struct Pen {
  Scene& scene;
  const Style& style;

  float px(float design) const { return style.px(design); }
  Color operator[](Paint) const;  // of shapes
  Color ink(Paint) const;         // of text

  // Shrinks from `size` to the smallest text there is, and is shortened with "…" after that.
  void text(Rect slot, std::string_view words, Face, float size, Paint, Align = Align::Left) const;
  void label(Rect slot, std::string_view words, Face, float size, Paint, Align = Align::Left) const;
  void box(Rect, float radius, Paint fill, Paint stroke = {}, float stroke_width = 0, float dash = 0) const;
  void line(Vec2 from, Vec2 to, Paint, float width, float dash = 0, bool arrow = false) const;
  void polygon(std::vector<Vec2> points, Paint) const;
  // Slanting lines, `pitch` apart along an edge: what colour alone must not say (recorded, refused, not there).
  void hatch(Rect, Paint, float pitch, float width) const;
  void region(Rect, std::string id, std::string tip, bool focusable = false, float focus_radius = 8) const;
};

}  // namespace tilewalk
