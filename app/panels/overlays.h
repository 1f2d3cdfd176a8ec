// What lies over the panels besides those that panels.h declares: the file list, the tooltip, the ring of the focus.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/view_state.h"

namespace tilewalk {

void layout_picker(Scene& scene, const ViewState& view, Rect window, const Style& style);
int picker_rows(Rect window, const Style& style);  // how many files there is room for

void layout_cell_steps(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& style);
// Of the region that is pointed at; and round the region that has the keyboard.
void layout_tip(Scene& scene, const ViewState& view, Rect window, const Style& style);
void layout_focus(Scene& scene, const ViewState& view, const Style& style);

}  // namespace tilewalk
