// Where the keyboard is among the regions of a scene, and where its keys lead. Each function that moves says whether it
// did. What lies under an overlay cannot be reached.
#pragma once

#include "app/scene/scene.h"
#include "app/state/view_state.h"

#include <string_view>

namespace tilewalk {

constexpr std::string_view kScrim = "scrim";  // behind an overlay; a click on it closes the overlay

// The region of that id, unless an overlay lies over it; or null.
const Region* reachable_region(const Scene& scene, std::string_view id);

// Tab: the next stop, or the next that can be typed into; a panel that lies over the stage comes first.
bool move_focus(const Scene& scene, ViewState& view, int by, bool fields_only = false);
// F6: the first stop of the next part of the window, or of the one before.
bool move_to_part(const Scene& scene, ViewState& view, int by);
// Up and Down in a list go on past its ends when there is more of it.
bool move_in_list(const Scene& scene, ViewState& view, int by);

// J and K: what has words and is no stop of Tab is pointed at, one after the other, and selected where a click would.
bool point_on(const Scene& scene, ViewState& view, int by);
bool is_selected_by_click(std::string_view id);

}  // namespace tilewalk
