#include "app/scene/pen.h"

#include "app/scene/hatch.h"

#include <utility>

namespace tilewalk {

Color Pen::operator[](Paint paint) const {
  const Color color = paint.role != Role::Count_ ? style[paint.role]
                      : paint.tensor >= 0        ? style.palette.fill(Tensor(paint.tensor))
                                                 : paint.color;
  return paint.alpha < 0 ? color : with_alpha(color, paint.alpha);
}

Color Pen::ink(Paint paint) const {
  return paint.tensor < 0 ? (*this)[paint] : style.palette.ink(Tensor(paint.tensor));
}

void Pen::text(Rect slot, std::string_view words, Face face, float size, Paint paint, Align align) const {
  fitted_label(scene, style, slot, words, face, size, ink(paint), align);
}

void Pen::label(Rect slot, std::string_view words, Face face, float size, Paint paint, Align align) const {
  scene.label(slot, words, face, size, ink(paint), align);
}

void Pen::box(Rect r, float radius, Paint fill, Paint stroke, float stroke_width, float dash) const {
  scene.box(r, radius, (*this)[fill], (*this)[stroke], stroke_width, dash);
}

void Pen::line(Vec2 from, Vec2 to, Paint paint, float width, float dash, bool arrow) const {
  scene.line(from, to, (*this)[paint], width, dash, arrow);
}

void Pen::polygon(std::vector<Vec2> points, Paint paint) const { scene.polygon(std::move(points), (*this)[paint]); }

void Pen::hatch(Rect r, Paint paint, float pitch, float width) const {
  tilewalk::hatch(scene, r, (*this)[paint], pitch, width);
}

void Pen::region(Rect r, std::string id, std::string tip, bool focusable, float focus_radius) const {
  scene.region(r, std::move(id), std::move(tip), focusable, focus_radius);
}

}  // namespace tilewalk
