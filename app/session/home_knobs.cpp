#include "app/session/home_knobs.h"

#include "app/boards/board.h"
#include "app/boards/knob_row.h"
#include "app/session/set_stops.h"

namespace tilewalk {

bool has_home_knobs(const ViewState& view) {
  const Presentation& p = view.present;
  if (!p.on || p.presenters_window() || p.overview || p.joining || slide_on_show(view)) return false;
  if (p.frozen || p.blank != Blank::None) return false;
  const Board* board = view.gpu.enlarged ? nullptr : board_named(view.board.board);
  return !board || !all_knobs(*board).empty();
}

bool shows_home_knobs(const ViewState& view) { return view.present.knobs && has_home_knobs(view); }

}  // namespace tilewalk
