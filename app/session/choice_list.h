// The list of all that a knob can be, over the window: opened where a knob steps through many words, of a board or of a
// walk before a room, left with Esc as it was.
#pragma once

#include "app/boards/board.h"
#include "app/state/session.h"

#include <string_view>
#include <vector>

namespace tilewalk {

// What the list that is open holds; without words none is open, or what is on show has no such knob.
struct ListedChoices {
  std::string_view label;
  std::vector<std::string_view> words;
  size_t now = 0;
};
ListedChoices listed_choices(const Session& session, const ViewState& view);

void open_choices(const Session& session, ViewState& view, std::string_view knob);
// What is typed there leads to the first that begins so, else to one that has it in its name; false where none has.
bool type_in_list(char32_t character, const Session& session, ViewState& view);
void choose_from_list(Session& session, ViewState& view, int place);

}  // namespace tilewalk
