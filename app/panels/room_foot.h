// What the numbers of a board on the wall depend on, in the words at its foot.
#pragma once

#include "app/boards/board.h"

#include <string>

namespace tilewalk {

// As much of it as fits into so many pixels; what no knob turns with it.
std::string knob_words(const Exhibit& view, const Style& style, float width);

}  // namespace tilewalk
