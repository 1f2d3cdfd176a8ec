// The list of all that a knob can be, over the window: opened where a knob steps through many words, left with Esc as
// it was.
#pragma once

#include "app/boards/board.h"

#include <string_view>

namespace tilewalk {

// The knob whose list is open; null where none is, or the board on show has no such knob.
const Knob* listed_knob(const ViewState& view);

void open_choices(ViewState& view, std::string_view knob);
void choose_from_list(const Session& session, ViewState& view, int place);

}  // namespace tilewalk
