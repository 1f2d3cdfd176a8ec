// A board that the class is at: what a page types and draws there stays its own, and a roofline that it locks goes to
// the wall.
#pragma once

#include "app/state/view_state.h"

namespace tilewalk {

void remember_own_board(ViewState& view);  // of a page that is where the class is
// After the class has led to a board: its texts are one's own of before, of that beat.
void keep_own_board(const BoardState& before, bool same_beat, ViewState& view);
// The first roofline that is locked for an N, d and GPU goes to the class; none once the truth was on show.
void share_roofline(ViewState& view);

}  // namespace tilewalk
