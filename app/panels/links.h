// What a word of a lesson's text lights up on the stage while it is pointed at.
#pragma once

#include "app/panels/panels.h"

#include <string>

namespace tilewalk {

// What the stage takes for pointed at: the target of a link, the line of code of a step; else what it is.
std::string hover_of_stage(const Session& session, const ViewState& view);

// Rings round the regions of the stage, those from `first` on, that the link under the pointer names.
void ring_linked(Scene& scene, const ViewState& view, size_t first, size_t last, Rect stage, const Style& style);

}  // namespace tilewalk
