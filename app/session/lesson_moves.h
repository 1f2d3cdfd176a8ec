// Moving through lessons: opening one, its beats, and what each beat puts on the stage. A walk of one's own is kept
// while a lesson has the stage, and comes back as it was.
#pragma once

#include "app/session/lesson_walk.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tilewalk {

std::shared_ptr<const Lesson> lesson_on_show(const ViewState& view);  // null without one
const Beat* beat_on_show(const ViewState& view);                      // null without one; held by the course

// At that beat (from 0); -1 is where one stopped, or the beginning of a lesson that is done. False where there is no
// such lesson; its file's faults are then shown, or view.notice says that it is not written.
bool open_lesson(Session& session, ViewState& view, std::string_view id, int beat = -1);
bool open_lesson_numbered(Session& session, ViewState& view, int number, int beat = -1);
void open_free_walk(Session& session, ViewState& view);
void drop_lesson(
    ViewState& view);  // the stage is for something else now; the walk that was kept is not wanted any more

// Puts the beat on the stage. Going forward by one changes only what the beat names and leaves the rest as the learner
// set it; any other way the stage is what the beats up to this one make of it.
void show_beat(Session& session, ViewState& view, int beat);

// Puts the question on show on the stage, where it is not answered yet: the beat's board as the lesson set it, whatever
// was turned since, and over it what the question itself sets.
void put_question(Session& session, ViewState& view);

// "6.3" is the third beat of lesson 6, "lesson 6" its first, "F" or "flash" a relative; on a board a number is one of
// its steps, and nothing else is anywhere. Nothing where the words are for the walk; else what is wrong, empty where
// one is there now.
std::optional<std::string> go_to_lesson(std::string_view words, Session& session, ViewState& view);

// A question's proof, or a link that leads somewhere: changes only what it names. The sentence says what could not be
// done; empty otherwise.
std::string apply_setting(Session& session, ViewState& view, const StageSetting& setting);

// What a beat of the lesson, or the one on show, asks for: the id of its stage ("walk", or a board's); the words of its
// walk; its board as it was set before anybody touched it. Empty without a lesson.
std::string stage_of_beat(const Lesson& lesson, int beat);
WalkWords walk_of_beat(const ViewState& view);
BoardState board_of_beat(const ViewState& view);

// The text of the n-th code block of the beat on show, for the clipboard.
std::string code_of_beat(const ViewState& view, int n);

// After the course was read again: the lesson on show may be another one now, or gone.
void settle_lesson(Session& session, ViewState& view);

// Enter: locks an answer, goes on to the next question, the next beat, the next lesson. What it will do, in words for
// the button: "Lock answer", "Next question", "Next", "Lesson 7".
void continue_lesson(Session& session, ViewState& view);
std::string continue_words(const Session& session, const ViewState& view);
bool can_continue(const Session& session, const ViewState& view);
bool leads_to_estimate(const Lesson& lesson);  // the path's last review, behind which one's own model comes

}  // namespace tilewalk
