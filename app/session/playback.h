// What the transport moves. On a walk it is the playhead; on a board that is stepped, the board's step; on a board of a
// lesson that is not, the beats of the lesson; else nothing.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"
#include "core/playback/units.h"

namespace tilewalk {

// What → goes on with: steps, beats, or, before a room, the stops of the set list.
enum class Moves : uint8_t { Walk, Board, Beats, Stops, Nothing };
Moves what_moves(const Session& session, const ViewState& view);

void within_steps(const Session& session, ViewState& view);      // what was turned may have left the board fewer steps
int board_steps(const Session& session, const ViewState& view);  // of the board on the stage; 0 where it has none

bool can_go_forward(const Session& session, const ViewState& view);
bool can_go_back(const Session& session, const ViewState& view);
void go_forward(Session& session, ViewState& view, Unit unit);
void go_back(Session& session, ViewState& view, Unit unit);
void go_to_start(Session& session, ViewState& view);
void go_to_end(Session& session, ViewState& view);
void play_or_pause(Session& session, ViewState& view);
void replay_last(Session& session, ViewState& view);

// A board's step, at rest; played from where it stands up to a step.
void seek_board(const Session& session, ViewState& view, int step);
void play_board(const Session& session, ViewState& view, int to);

// The beat that a drag along the beats, or End, may go to on the way to `wanted`: no further than the first question
// that is open. A click on a beat goes there all the same.
int beat_in_reach(const ViewState& view, int wanted);
void go_to_beat(Session& session, ViewState& view, int wanted);  // as far as that, and says why not further

constexpr float kLiftSeconds = 0.25f;  // of the plates, once a question is answered

// Time: as advance() and seconds_to_change() of a walk.
void pass_time_on_stage(Session& session, ViewState& view, float seconds);
float seconds_to_change_on_stage(const Session& session, const ViewState& view);

}  // namespace tilewalk
