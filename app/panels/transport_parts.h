// What the transport of a walk and that of a board have in common.
#pragma once

#include "app/panels/widgets.h"

#include <vector>

namespace tilewalk {

struct TransportButton {
  Icon icon;
  std::string_view command;
  bool enabled;
};
// The ground, and buttons from the left; returns where they end.
float transport_buttons(Scene&, const ViewState&, const Style&, Rect area, const std::vector<TransportButton>&);
// From the right: keys, and speed where something plays. Moves `right` to where they begin; returns the line they lie
// on.
Rect transport_right(Scene&, const ViewState&, const Style&, Rect area, bool speed, float& right);
// The knob of a scrubber, whose region is `id`.
void draw_playhead(Scene&, const ViewState&, const Style&, std::string_view id, Vec2 at);

}  // namespace tilewalk
