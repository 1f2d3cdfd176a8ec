// Where each panel of the window lies. All in pixels; a rectangle of width 0 is not shown.
#pragma once

#include "app/scene/scene.h"
#include "app/state/view_state.h"

namespace tilewalk {

struct WindowGrid {
  float scale = 1;
  Rect top_bar, rail, stage, column, transport, status;
  Rect class_bar;               // below the top bar, in a class
  Rect coach;                   // between stage and transport, on a first start
  Rect write;                   // the text of Write, left of the stage
  Rect rail_over, column_over;  // over the stage
  bool rail_folded = false, rail_floats = false, column_floats = false;
};

WindowGrid window_grid(Vec2 size, const ViewState& view);

// Writes into the view what the window's size decides: which panels float, how many files a list shows.
void fit(ViewState& view, Vec2 size);

}  // namespace tilewalk
