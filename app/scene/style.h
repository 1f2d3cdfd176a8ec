// What layout code needs to know about how things look: palette, scale and the sizes that everything is built from.
#pragma once

#include "app/scene/palette.h"
#include "app/scene/scene.h"

namespace tilewalk {

struct Style {
  Palette palette;
  float scale = 1;

  Style(Theme theme, float scale) : palette(tilewalk::palette(theme)), scale(scale) {}
  Color operator[](Role role) const { return palette[role]; }
  float px(float at_100_percent) const { return at_100_percent * scale; }  // design pixels -> scene pixels

  // The type scale, in scene pixels.
  float small() const { return px(14); }   // status, fine print; the smallest there is
  float number() const { return px(16); }  // numbers in tiles
  float body() const { return px(18); }
  float caption() const { return px(20); }
  float heading() const { return px(22); }
  float title() const { return px(26); }
  float display() const { return px(30); }  // the number that carries the step

  // One family of radii, one grid.
  float r_small() const { return px(6); }
  float r_medium() const { return px(10); }
  float r_large() const { return px(12); }
  float gap() const { return px(8); }
};

// A label that shrinks from `size` to the smallest text there is, and is shortened with "…" after that.
void fitted_label(Scene&, const Style&, Rect slot, std::string_view text, Face, float size, Color, Align = Align::Left);
// A label on as many lines of `pitch` as it needs and the slot has room for, one at least, shortened with "…" after
// that; returns their height.
float wrapped_label(Scene&, Rect slot, std::string_view text, Face, float size, float pitch, Color);

}  // namespace tilewalk
