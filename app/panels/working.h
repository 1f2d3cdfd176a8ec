// Over a picture that stays while the next one is being worked out: a plate that says so.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"

namespace tilewalk {

void layout_working(Scene&, Rect window, const Style&);

}  // namespace tilewalk
