// A window of some size and scale, for tests: its picture, and what the layout check finds in it.
#pragma once

#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/scene/layout_check.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace tilewalk {

struct Shape {
  Vec2 size;
  float scale;
};

// Gives the view this window and lays it out. `shown_scale`: what the window is really shown at.
inline Scene window_of(Session& session, ViewState& view, const Shape& shape, float& shown_scale) {
  view.scale = shape.scale;
  fit(view, shape.size);
  shown_scale = window_grid(shape.size, view).scale;
  return layout_window(session, view, shape.size);
}

inline std::string words_of(const Shape& shape, const ViewState& view) {
  return fmt::format("at {}x{}, {:.0f} %, theme {}", shape.size.x, shape.size.y, shape.scale * 100, int(view.theme));
}

inline std::vector<std::string> window_faults(Session& session, ViewState view, const Shape& shape) {
  float scale = 1;
  const Scene scene = window_of(session, view, shape, scale);
  return layout_faults(scene, 14 * scale, scale);
}

}  // namespace tilewalk
