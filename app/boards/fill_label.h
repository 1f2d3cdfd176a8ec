// A name on a coloured fill, centred. Before a room whose light would leave less than 4.5:1 between the two it stands
// on a plate of the background's colour.
#pragma once

#include "app/boards/board.h"

#include <string_view>

namespace tilewalk {

void label_on_fill(const BoardView& view, Rect slot, std::string_view words, Face face, float size, Color fill,
                   Color text);

}  // namespace tilewalk
