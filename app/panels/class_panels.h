// What a class adds to the window: a bar under the top bar that says where one stands to it, the card of its question,
// the desk of who teaches, the dialog that joins; and, on the wall, how it is joined.
//
// Region ids: "vote:<place>", "field:class-number" and "sure:<level>" of the card; "field:class" of the dialog;
// "class:state" of the bar; "class:end", "class:really-end" and "class:lock" of the desk; "summary:<page>".
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

namespace tilewalk {

void layout_class_bar(Scene& scene, const ViewState& view, Rect area, const Style& style);
void layout_class_card(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& style);
void layout_class_desk(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& style);
void layout_class_summary(Scene& scene, const Session& session, const ViewState& view, Rect window, const Style& style);
void layout_join_class(Scene& scene, const ViewState& view, Rect window, const Style& style);
// "Join at", the address, the code and the QR code, for a room.
// Of a puzzle on the wall: how many have solved it, and the best of all; returns what is left of the area below.
Rect layout_room_puzzle(Scene& scene, const ViewState& view, Rect area, const Style& style);
void layout_room_invitation(Scene& scene, const ViewState& view, Rect area, const Style& style);

}  // namespace tilewalk
