// Moving the playhead: by units, to a step, by playing. Time enters here alone, as seconds since the last frame, and
// changes nothing but how far the animation of the unit on show has come, and when play takes the next one.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

constexpr float kSlowest = 0.1f, kFastest = 8;
constexpr float kPartSeconds = 0.9f, kRiseSeconds = 1.4f;       // of play, at speed 1; the second where a max rises
constexpr float kMoveSeconds = 0.35f, kReducedSeconds = 0.08f;  // of the animation itself
constexpr float kRepeatSeconds = 0.15f;                         // steps that follow faster than this are not animated

// Rests at `playhead`, clamped to the walk; the part that ends there is on show.
void seek(const Walk& walk, ViewState& view, int64_t playhead);

// To the end of the unit, animated; to where the unit before ended, at rest.
void step_forward(const Walk& walk, ViewState& view, Unit unit);
// A place that the scrubber marks, and the row on which it is seen; the next one from the playhead, or the one before
// (by 1 or -1), or -1.
void go_to_mark(const Walk& walk, ViewState& view, int64_t step);
int64_t mark_from(const Walk& walk, const ViewState& view, int by);
void step_back(const Walk& walk, ViewState& view, Unit unit);

void replay_unit(ViewState& view);                                  // the animation on show, from its beginning
void toggle_play(const Walk& walk, ViewState& view);                // at the end: from the start
void play_to(const Walk& walk, ViewState& view, int64_t playhead);  // and rests there

// Whether a max rises in the unit on show.
bool max_rises(const Walk& walk, const ViewState& view);

void advance(const Walk& walk, ViewState& view, float seconds);

// Seconds until advance() changes what is seen: 0 while something moves, infinity when nothing will.
float seconds_to_change(const Walk& walk, const ViewState& view);

// The same clocks for anything that is played in units of so many seconds: pass() says whether the next one is due.
bool pass(ViewState& view, float seconds, float unit);
float seconds_to_change(const ViewState& view, float unit);

}  // namespace tilewalk
