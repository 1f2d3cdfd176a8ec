// A row of digits to press, for a hand that has only a pointer.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"

#include <string_view>

namespace tilewalk {

constexpr char kBackspaceKey = '<';

// One key for each character of `keys`, each a region `id` + the character. `hover` is the region under the pointer.
void digit_keys(Scene&, const Style&, Rect row, std::string_view keys, std::string_view id, std::string_view hover);

}  // namespace tilewalk
