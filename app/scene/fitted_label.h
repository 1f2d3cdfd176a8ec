// A label that shrinks from `size` to the smallest text there is, and is shortened with "…" after that.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"

#include <string_view>

namespace tilewalk {

void fitted_label(Scene&, const Style&, Rect slot, std::string_view text, Face, float size, Color, Align = Align::Left);

}  // namespace tilewalk
