// The hands in a lesson: its keys before all others, clicks on its options, beats and links, and scrolling of what is
// higher than its place. Part of hands.cpp's work; each function says whether it did something.
#pragma once

#include "app/scene/scene.h"
#include "app/state/keys.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string_view>

namespace tilewalk {

// Whether a thing of the board has the focus that does the same wherever it is pressed, or a switch that Tab came to:
// Enter presses it. On what is dragged or slid Enter goes on.
bool on_board_button(const ViewState& view);
// Whether a thing of the board is a button: it does the same wherever it is pressed.
bool presses_alike(const ViewState& view, std::string_view id);

// 1-5 and digits answer the question on show, Enter goes on; nothing while the keyboard's focus is elsewhere.
bool lesson_key(const KeyPress& press, Session& session, ViewState& view);

// "option:2", "beat:3", "link:tile:K/2", "copy:0", "lesson:6", "fault:<path>".
bool lesson_click(std::string_view id, Session& session, ViewState& view);

// "scroll:lesson", "thumb:lesson": the bar follows the pointer. `turned`: the wheel over "panel:lesson"; up is
// positive.
bool drag_scroll(std::string_view id, Vec2 at, const Scene& scene, ViewState& view);
bool turn_scroll(float turned, const Scene& scene, ViewState& view);
void keep_rail(const Scene& scene, ViewState& view);  // the rail stands where a lesson turned it to, from now on

// "steps" of a board, "beats" of a lesson: the transport's track follows the pointer.
bool drag_track(std::string_view id, Vec2 at, const Scene& scene, Session& session, ViewState& view);

// The number that is asked for: "field:answer".
bool is_answer(std::string_view id);
std::string answer_text(const ViewState& view);
void type_answer(ViewState& view, std::string text);

}  // namespace tilewalk
