// A stop of a talk as it is at one moment: the stage, its step and row, what is drawn and typed, what was answered, so
// that it can be put back so. Each is kept before every key and press on it, while its knobs are as they were prepared,
// for who goes elsewhere and comes back; what it was prepared with stays on its way (app/session/stop_way.h).
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <memory>

namespace tilewalk {

StopKey stop_key(const Presentation& p);
// What plays stands at its end.
std::shared_ptr<const KeptStop> stop_now(const Session& session, const ViewState& view);
bool put_stop(Session& session, ViewState& view, const StopKey& key, std::shared_ptr<const KeptStop> kept);
// Puts back what was turned since: the knobs of the same board, or the walk, which then rests where it did. False where
// nothing of it was turned, or another stage is there.
bool put_knobs(Session& session, ViewState& view, const KeptStop& kept);
// Whether the stage is as it was then: its walk, step and row, its board's step and what is drawn and turned on it.
bool stage_as_kept(const Session& session, const ViewState& view, const KeptStop& kept);
// Whether something was drawn, typed or turned on its board since.
bool worked_on(const ViewState& view, const KeptStop& kept);
// Takes a comparison back that was made since; false where there is none.
bool compare_as_kept(Session& session, ViewState& view, const KeptStop& kept);
// Whether the room is shown the same of it: the question, its answer, or the picture.
bool shown_as_kept(const ViewState& view, const KeptStop& kept);

void keep_stop(const Session& session, ViewState& view);
// The next stop as Page Down then puts it back: one that Page Up led out of, or from off the list the stop that was
// left; null where it comes as it was prepared.
std::shared_ptr<const KeptStop> kept_next(const ViewState& view, const StopKey& next);
// From a tool that was looked at back to the stop as it was before that, turned or not. False where no tool is open.
bool put_as_left(Session& session, ViewState& view);

}  // namespace tilewalk
