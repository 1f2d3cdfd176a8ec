// What lies over the stage in the room's picture: the countdown, what the pen drew, the pointer, the spotlight, the
// lens's rim; and black or white over everything.
#pragma once

#include "app/scene/scene.h"
#include "app/state/presentation.h"

namespace tilewalk {

// What a countdown takes of the lower right corner, in pixels of 1080 lines.
constexpr float kCountdownHeight = 152;
float countdown_width(double left);  // with so many seconds left

Scene layout_room_overlay(const Presentation& present, Vec2 size);

// The lens: where it lies in the picture, and the part of the picture that it shows, 0..1. Width 0 without one.
struct Lens {
  Rect rect;
  float radius = 0;
  Rect source;
};
Lens lens_of(const Presentation& present, Vec2 size);

}  // namespace tilewalk
