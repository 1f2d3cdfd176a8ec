// The way through a stop of a talk, press by press: its picture, each of its questions, its answer, and the picture
// again where the answer changes it. Every point is kept as it was when one came to it and as it was left, so that
// going back leads over the same points, and each comes back as it was left or as it was prepared.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

void begin_way(const Session& session, ViewState& view);  // the stop was just opened: so it is prepared
// After a press that led on or back within the stop otherwise than by these.
void note_on_way(const Session& session, ViewState& view);

// To the next point, or to the one before as it was left; false where the way ends there.
bool next_in_beat(Session& session, ViewState& view);
bool back_in_beat(Session& session, ViewState& view);
bool answer_waits(const ViewState& view);   // the room sees a question that is not answered yet
bool asked_goes_on(const ViewState& view);  // or its answer, whose picture is still to come
// What keys say that turn the stage's picture while the room sees a question or its answer, which are about it as it
// was prepared; else empty.
std::string behind_question_words(const ViewState& view);
// Whether that knob may not be turned, which is said then.
bool refused_behind_question(std::string_view knob, ViewState& view);
// What the next press brings, where that is no other stop; else empty.
std::string next_in_beat_words(const ViewState& view);

// The stop at the point that one had come to, as it was left before a knob was turned, or as it was prepared; false
// where no way over it is known.
bool restore_left(Session& session, ViewState& view, const StopKey& key);
bool restore_way(Session& session, ViewState& view, const StopKey& key);
// Page Down into a stop that Page Up led out of: as it was left, at its first point; false elsewhere.
bool come_back_ahead(Session& session, ViewState& view, const StopKey& key);
// Of the stop that one is on: whether anything of it was stepped, followed, turned or drawn since.
bool differs_from_prepared(const Session& session, const ViewState& view);
bool worked_on_stop(const ViewState& view);            // drawn, typed or turned, whatever was stepped
bool undo_compare(Session& session, ViewState& view);  // that was not prepared; false where there is none

}  // namespace tilewalk
