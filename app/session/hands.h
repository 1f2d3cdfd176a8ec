// What the pointer and the keyboard do: hover, click, drag, wheel, keys, typed words. Works on the scene that is on
// screen and on plain data, so that a test has the same hands as a person. Each function says whether anything changed.
#pragma once

#include "app/scene/scene.h"
#include "app/state/keys.h"
#include "app/state/session.h"
#include "app/session/typing.h"
#include "app/state/view_state.h"

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

// Whether a region follows the pointer while it is held: a finger's drag is for it, and else scrolls.
bool can_be_dragged(std::string_view id);

// Tab: applies, and goes on to the next field.
void next_field(const Scene& scene, Session& session, ViewState& view, bool back);

}  // namespace tilewalk
