// What the clicker and the presenter's keys do: beginning and ending, from beat to beat, freezing and blanking, the
// tools. Questions are asked and revealed on the way, nothing of it is scored, and the learner's own answers and
// progress are as they were when it ends.
#pragma once

#include "app/session/stop_way.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

// From the beginning of the set list, else of the lesson on show; or from where one is.
void begin_presenting(Session& session, ViewState& view, bool from_beginning);
// Where a talk of the set list that is open was left: at its stop, with its clock; else from the beginning.
void go_on_presenting(Session& session, ViewState& view);
bool can_go_on_presenting(const ViewState& view);
void present_anew(Session& session, ViewState& view);  // from the first stop, the clock at zero
void end_presenting(Session& session, ViewState& view);
// Ends it, and a room with a screen of its own keeps its last picture until one goes on or ends it for good.
void leave_presenting(Session& session, ViewState& view);

// A beat's stops are its stage, each of its questions, its answer, and the stage again where the answer changes it. On
// past the last one comes the next of the set list, or of the lesson. Off the set list either way leads back to the
// stop that was left. A stop that one comes back to is as it was left, at the point that one had come to, but for
// knobs that were turned; one that is opened otherwise, as it was prepared.
void present_next(Session& session, ViewState& view);
void present_back(Session& session, ViewState& view);
void present_beat(Session& session, ViewState& view,
                  int beat);  // of the lesson on show, from 0, its questions asked anew
void present_lesson(Session& session, ViewState& view, const Lesson& lesson, int beat);  // from 0, as that does
// From elsewhere back to the stop, the stop as it was prepared, and from one that was gone to
// out of turn back to the one that was left (app/session/jumps.h).
void present_restore(Session& session, ViewState& view);
// The answer of the question the room sees; where it sees the stage, its question first.
void present_reveal(Session& session, ViewState& view);
// The question of the beat alone, whatever the room sees now, and back; the first one that is not answered yet.
void present_poll(Session& session, ViewState& view);

// Undoes one thing: the overview, the countdown, the lens, the tool, black or white, frozen, what is selected, a
// comparison. Where there is nothing of it, the second press within kStopSeconds ends the presentation.
void present_escape(Session& session, ViewState& view);

void take_tool(ViewState& view, Tool tool);
void turn_lens(ViewState& view);              // on or off; it and the spotlight put each other away
void resize_tool(ViewState& view, float by);  // of the spotlight, or the lens: one notch up or down
void end_lights(ViewState& view);             // spotlight and lens, which light up what their stop shows
void take_stage(ViewState& view);             // for something that is no place of its own, elsewhere than its stops
void pin_strokes(ViewState& view);            // what the pen has drawn stays when the stage goes on; again: it does not
void wipe_strokes(ViewState& view);           // but for those: the picture that they were drawn over is gone

// The pointer over the picture (0..1), and its button. True where a tool has taken it and the stage is not to see it.
bool tool_moved(ViewState& view, Vec2 at);
bool tool_pressed(ViewState& view, Vec2 at);
void tool_released(ViewState& view);

// "6" a lesson, "6.3" its third beat, "6.end", else as in app/session/go_to.h. The sentence says why not.
std::string present_go_to(std::string_view words, Session& session, ViewState& view);

bool open_set_item(Session& session, ViewState& view, int place);

void pass_presentation_time(ViewState& view, float seconds);
float seconds_to_presentation_change(const ViewState& view);  // infinity while nothing will

}  // namespace tilewalk
