// On the only screen of a talk the knobs of what is on the stage lie over the picture's foot while Tab has brought them
// there: nothing of the speaker's side comes with them.
#pragma once

#include "app/state/view_state.h"

#include <string_view>

namespace tilewalk {

inline constexpr std::string_view kKnobsOverPicture = "present:knobs";  // their region

bool has_home_knobs(const ViewState& view);    // whether Tab can bring them
bool shows_home_knobs(const ViewState& view);  // whether they lie there

}  // namespace tilewalk
