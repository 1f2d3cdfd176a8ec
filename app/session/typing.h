// Typing into fields: what stands in one, and what Enter and Esc make of it.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"

#include <string>
#include <string_view>

namespace tilewalk {

// A field is a region "field:<name>" or "cell:<tensor>/<row>/<column>" that ViewState::editing names.
bool is_field(std::string_view id);
bool is_stop_field(std::string_view id);    // of a stop in the overview: its title, its note
bool is_live_field(std::string_view id);    // takes every letter at once: the filter of the key sheet
bool is_dialog_field(std::string_view id);  // the one field of an overlay: leaving it closes the overlay
std::string text_in(std::string_view id, const Session& session, const ViewState& view);
void begin_typing(std::string_view id, ViewState& view);
void typed_into(std::string_view id, std::string text, ViewState& view);  // what stands in the field now
void finish_typing(Session& session, ViewState& view);                    // Enter: applies it, or says why not
void leave_typing(ViewState& view);                                       // Esc: nothing changes
bool hides_typed(const ViewState& view);  // on the only screen a note would be all that a dark room reads
// What is being typed into a field of a board, put back as it was when that was begun.
void without_typed_cell(ViewState& view);

// The clicker's keys in front of a room, which no field holds up: what was typed is taken, and one goes on. False where
// it could not be kept and is worth staying for; of hands what cannot be read is left.
bool pages_from_field(const KeyPress& press, const ViewState& view);
// Up and Down behind G in front of a room: another of those that are called so.
bool chooses_hit(const KeyPress& press, const ViewState& view);
bool choose_hit(const KeyPress& press, const Session& session, ViewState& view);
bool finish_for_page(Session& session, ViewState& view);
// In front of a room a number, of a slider or in the picture, is set by Enter and Tab alone: all else that leaves it
// throws it away, and so does the key that puts the stop in order; that key leads back from what a word means, too.
void drop_half_typed(ViewState& view);
bool restores_from_field(const KeyPress& press, const ViewState& view);
// Black and frozen are no letters of a number, of a slider, in the picture, of an element or of hands: their keys do
// what they do elsewhere in a talk. A unit's letters are typed: "3.3 TB/s".
bool darkens_from_field(const KeyPress& press, const ViewState& view);

}  // namespace tilewalk
