// What the pointer and the keyboard do: hover, click, drag, wheel, keys, typed words. Works on the scene that is on
// screen and on plain data, so that a test has the same hands as a person. Each function says whether anything changed.
#pragma once

#include "app/scene/scene.h"
#include "app/session/keys.h"
#include "app/session/session.h"
#include "app/session/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

bool pointer_moved(Vec2 at, const Scene& scene, Session& session, ViewState& view);
bool pointer_left(ViewState& view);
bool pressed(Vec2 at, const Scene& scene, Session& session, ViewState& view);
bool released(ViewState& view);
bool wheeled(float notches, const Scene& scene, Session& session, ViewState& view);  // up is positive
bool key_pressed(const KeyPress& press, const Scene& scene, Session& session, ViewState& view);

// Carries out a click on a region. `at` matters to the scrubber alone.
bool activate(std::string_view id, Vec2 at, const Scene& scene, Session& session, ViewState& view);

// Typing. A field is a region "field:<name>" or "cell:<tensor>/<row>/<column>" that ViewState::editing names.
bool is_field(std::string_view id);
bool is_live_field(std::string_view id);  // takes every letter at once: the filter of the key sheet
std::string text_in(std::string_view id, const Session& session, const ViewState& view);
void begin_typing(std::string_view id, ViewState& view);
void typed_into(std::string_view id, std::string text, ViewState& view);  // what stands in the field now
void finish_typing(Session& session, ViewState& view);                    // Enter: applies it, or says why not
void leave_typing(ViewState& view);                                       // Esc: nothing changes
// Tab: applies, and goes on to the next field.
void next_field(const Scene& scene, Session& session, ViewState& view, bool back);

}  // namespace tilewalk
