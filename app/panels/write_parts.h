// The parts of Write's panel.
#pragma once

#include "app/state/view_state.h"
#include "app/ui/node.h"

namespace tilewalk {

// The text, the line that the walk is at (from 1; 0: none) marked.
ui::Node written_text(const ViewState& view, int at);
float text_pitch(Rect area, const Style& style);  // of its lines

ui::Node written_meters(const ViewState& view);                 // beside the shipped schedules
ui::Node written_on_gpu(const ViewState& view, bool one_line);  // nothing while nothing is known
// Of both: a schedule's name above its column, or a number; the program's own stand out.
ui::Node meter_cell(std::string words, bool own, bool head);
constexpr float kMeterNames = 104;                             // the column of both tables' titles
ui::Node puzzle_card(const ViewState& view, bool short_form);  // short: the newest hint alone

}  // namespace tilewalk
