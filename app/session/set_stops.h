// Where a talk stands against its set list: on the stop that was opened last, or, where the view was taken elsewhere
// since, off the list; what a stop is called, and what comes next.
#pragma once

#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

// The slide that the room sees in place of the stage; null where it sees the stage, as while something else has it.
const std::string* slide_on_show(const ViewState& view);
// A slide's line; any other shows the stage. The sentence says why its picture is not shown, and is empty where it is.
std::string show_slide(ViewState& view, const std::string& stop);

StopPlace place_now(const ViewState& view);
// A beat, a board or a walk other than the stop's: steps, knobs and rows within it are not elsewhere. False without a
// list.
bool off_set_list(const ViewState& view);
// The same, and without a list: no lesson is on the stage any more, or no walk of one's own, where one was.
bool off_stop(const ViewState& view);
const SetItem* stop_on_show(const ViewState& view);  // null off the list, and without one

// By its own title, else by what it leads to, and never by its note: "The second tile", "Two clocks", "Walk: FA2, step
// 12".
std::string stop_title(const SetItem& item, const ViewState& view);

// Where one stands, 0..1 of the set list or the lesson.
float presented_share(const ViewState& view);
// The stop of the set list or the beat that comes after: its title, or empty at the end.
std::string next_title(const ViewState& view);

}  // namespace tilewalk
