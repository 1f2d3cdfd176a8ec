// What is said to the one who talks where the only screen is the room's: for a while a strip in the picture's upper
// margin, in type for who stands before the screen. Nothing that the room reads is there, and the picture of a slide,
// which has the margin too, makes way.
#pragma once

#include "app/scene/style.h"
#include "app/state/view_state.h"

namespace tilewalk {

bool is_said(const ViewState& view);
float said_height(float picture_height);
void layout_said(Scene& scene, const ViewState& view, Rect picture, const Style& style);

}  // namespace tilewalk
