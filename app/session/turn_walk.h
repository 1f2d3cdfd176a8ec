// What of a walk can be turned where it stands, as the knobs of a board are: mask, schedule, machine, seed and row. The
// walk rests on the same event afterwards (same_event.h), and what has happened there to the followed row with other
// numbers happens again.
#pragma once

#include "app/state/action.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

std::string_view label_of(WalkKnob knob);                                                 // "Schedule"
std::string words_of_knob(WalkKnob knob, const Session& session, const ViewState& view);  // "FA2"

// All that it can be, where it is one of many names, and which of them it is now, from 0; without a list none.
struct WalkNames {
  std::vector<std::string_view> all;
  size_t now = 0;  // all.size() where it is none of them
};
WalkNames names_of_knob(WalkKnob knob, const Session& session);
std::string list_of_knob(WalkKnob knob);  // "turn:Machine", as ChoiceList has it
std::optional<WalkKnob> walk_knob_of(std::string_view list);

// Whether the GPU's charts are large and are of a mask: the walk's, or the ladder's own.
bool charts_have_mask(const ViewState& view);

// The row below or above the one that is followed, within the Q tile on chip.
void follow_row(const Session& session, ViewState& view, int by);

// By one on or back. What cannot be turned says so in view.notice.
void turn_walk(Session& session, ViewState& view, WalkKnob knob, int by);
// Behind a question a press turns no more than a key does, and says so.
bool refused_turn(WalkKnob knob, ViewState& view);
void turn_walk_to(Session& session, ViewState& view, WalkKnob knob, int place);  // in the list of its names

}  // namespace tilewalk
