// Every colour of the program, by role and theme, in one table. Colour never speaks alone: letters, words, outlines
// and hatches say the same. Chosen for contrast and for colour-blind readers; tests/app/test_palette.cpp holds the
// figures.
#pragma once

#include "app/scene/scene.h"
#include "core/io/look.h"
#include "core/machine/step.h"

#include <array>
#include <cstddef>

namespace tilewalk {

enum class Role : uint8_t {
  Background,
  Surface,        // panels
  SurfaceStrong,  // buttons, cells, tracks on a panel
  Line,           // hairlines between regions
  Border,         // outlines that must be seen: cards, fields, memory levels at rest
  Text,
  TextSecondary,  // the text colour itself in the projector theme
  TextOnBlack,    // on a blanked screen
  Accent,         // violet, as S
  AccentText,     // the accent for text of any size on Background, Surface or SurfaceStrong
  Inverse,        // the chip that says "this, now": black on white, white on black
  InverseText,
  StatFill,  // a cell of m, l or alpha at rest
  StatText,
  Right,
  Wrong,
  RightText,  // 4.5:1 on the surfaces too
  WrongText,
  Focus,  // the ring round what has the keyboard
  Ghost,  // dashed outlines of what is not there
  Count_
};

struct Palette {
  Theme theme = Theme::Light;
  std::array<Color, static_cast<size_t>(Role::Count_)> roles{};
  std::array<Color, kTensorCount> tensors{}, labels{}, inks{};

  Color operator[](Role role) const { return roles[static_cast<size_t>(role)]; }
  // Of any tensor; the statistics m, l, alpha, L and D have StatFill and StatText. A gradient has its tensor's colour
  // and is told from it by the d in its name and a hatched edge.
  Color fill(Tensor t) const { return tensors[static_cast<size_t>(t)]; }     // solid fill and outline
  Color label_on(Tensor t) const { return labels[static_cast<size_t>(t)]; }  // text on that fill
  Color ink(Tensor t) const { return inks[static_cast<size_t>(t)]; }  // text in the tensor's hue, any size, any surface
};

const Palette& palette(Theme theme);

// For a wall, where light falls on it: what is dimmed or thin in the dark theme is so no more. The projector theme is
// made for that.
Palette for_wall(Palette palette);

// A fill and the colour of text on it, at 4.5:1 or more.
struct ValueColors {
  Color fill, text;
};

// A value inside a tile: t from 0 (smallest magnitude, close to the background) to 1 (the tensor's colour).
ValueColors fill_for(const Palette& palette, Tensor tensor, float t);

// A signed value or a difference: t from -1 (blue) over 0 (the background) to 1 (orange).
ValueColors diverging_fill(const Palette& palette, float t);

// Whichever of the theme's dark and light text colours stands out more on `fill` (opaque); pure black or white where
// neither reaches 4.5:1.
Color text_on(Color fill);

}  // namespace tilewalk
