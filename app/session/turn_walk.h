// What of a walk can be turned where it stands, as the knobs of a board are: mask, schedule, machine, seed and row. The
// walk rests on the same event afterwards (same_event.h), and what has happened there to the followed row with other
// numbers happens again.
#pragma once

#include "app/state/action.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

std::string_view label_of(WalkKnob knob);                                                 // "Schedule"
std::string words_of_knob(WalkKnob knob, const Session& session, const ViewState& view);  // "FA2"

// By one on or back. What cannot be turned says so in view.notice.
void turn_walk(Session& session, ViewState& view, WalkKnob knob, int by);

}  // namespace tilewalk
