// What a walk stands on, so that it can be found again after its numbers, its mask or its schedule have changed: the
// step that was taken last, and whether the followed row was rescaled on that visit.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <optional>

namespace tilewalk {

struct WalkEvent {
  std::optional<Step> step;  // nothing: before the first
  int64_t nth = 0;           // of the steps that are alike, from 0
  double share = 0;          // of the walk, 0..1
  int64_t row = 0;           // that is followed, from 0
  // Of the followed row; nothing on its first visit, once the next tile has come, and where there is no such thing.
  std::optional<bool> rescales;
  bool shrinks = false;  // that rescale is on show: what was summed shrinks in this very part
};
WalkEvent event_now(const Session& session, const ViewState& view);
bool shrinks_zero(const Session& session, const ViewState& view);  // that rescale is on show, of a sum that is 0
bool same_visit(const Step& a, const Step& b);                     // of the same two tiles

// Rests where the same step has been taken; where it is not taken any more, at the end of that visit of the two tiles,
// else at the nearest step of its kind.
void stand_on(const WalkEvent& event, const Session& session, ViewState& view);

// Where the event is a rescale that the followed row does not have here, the nearest row of its tile that has it is
// followed. Says whether another one is.
bool follow_event(const WalkEvent& event, const Session& session, ViewState& view);

// Where no row of that tile has it at this step: rests at the nearest step of the same visit that has it for some row,
// else of its kind, else of any. False where the walk has none; then nothing is changed.
bool seek_event(const WalkEvent& event, const Session& session, ViewState& view);

}  // namespace tilewalk
