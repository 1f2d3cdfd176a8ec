// What lies over the stage in the room's picture: what the pen drew, which the lens enlarges with the picture; the
// countdown, the pointer, the spotlight, the lens's rim; and black or white over everything.
#pragma once

#include "app/scene/scene.h"
#include "app/state/presentation.h"

namespace tilewalk {

// A countdown in the lower right corner, in pixels of 1080 lines: large beside a question, whose page leaves so much of
// its foot free, and as high as the foot of a picture, which has words everywhere else.
constexpr float kCountdownHeight = 152, kCountdownMargin = 20;
struct CountdownPlate {
  float type, w, h, below;
};
CountdownPlate countdown_plate(const Presentation& present);

void draw_strokes(Scene& stage, const Presentation& present);
Scene layout_room_overlay(const Presentation& present, Vec2 size);

// The lens: where it lies in the picture, and the part of the picture that it shows, 0..1. Width 0 without one.
struct Lens {
  Rect rect;
  float radius = 0;
  Rect source;
};
Lens lens_of(const Presentation& present, Vec2 size);

}  // namespace tilewalk
