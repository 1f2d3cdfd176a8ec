// Tools: boards that a person puts on the stage without a lesson, from the menu or by a key. What was there is kept and
// comes back when the tool is left, and so is what was set on the tool.
#pragma once

#include "app/state/board_state.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

bool tool_open(const ViewState& view);

// Puts the board on the stage; the tool that is there already is left by that.
void open_tool(ViewState& view, std::string_view board);
void open_tool(ViewState& view, BoardState state);  // as it is set
// Back to what was on the stage before. Nothing where no tool is open.
void leave_tool(ViewState& view);
// In a talk one that was opened over what one went to off the list: leaving it leads there.
bool tool_over_other_stop(const ViewState& view);

// "Lesson 6", "the walk": where leaving leads.
std::string back_words(const ViewState& view);

}  // namespace tilewalk
