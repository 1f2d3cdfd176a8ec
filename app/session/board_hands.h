// The hands on a board: its knobs and the things of its picture, pressed, dragged, typed into and moved by arrow keys.
// Part of hands.cpp's work; each function says whether it did something.
#pragma once

#include "app/scene/scene.h"
#include "app/state/keys.h"
#include "app/state/session.h"
#include "app/state/view_state.h"

#include <optional>
#include <string_view>

namespace tilewalk {

// A press by a key has no place on them: of knobs and things of the board Enter presses switches and buttons, and Space
// presses no slider.
bool of_board(std::string_view id);
bool is_slider(const ViewState& view);

// Where a point lies across a region, 0..1; beyond it while the region is dragged.
Vec2 across(Vec2 at, const Rect& rect);

// Of a thing that lies on a plot, "board:plot/roof/dram", the plot: what moves is measured by what stays.
const Region* plot_of(std::string_view id, const Scene& scene);

// A press on a knob or on a thing of the board, or a move while it is held.
bool on_board(std::string_view id, Vec2 at, const Scene& scene, const Session& session, ViewState& view, bool dragged);

// A number is typed into the cell of the board that has the focus, from its first digit on.
bool typed_on_cell(const KeyPress& press, ViewState& view);

// A digit on a knob that has the focus begins its number, in the field "field:knob/<id>"; Enter takes it, and what
// cannot be taken as it is leaves a sentence. Not of switches, nor where what is chosen are no numbers.
bool typed_on_knob(const KeyPress& press, ViewState& view);
bool is_knob_field(std::string_view id);
void take_knob(std::string_view field, std::string_view text, const Session& session, ViewState& view);

// A board's knob of that id ("mask", "gpu"), and its next value; false where it has none, or a question locks it.
bool has_knob(const ViewState& view, std::string_view id);
void turn_on(const Session& session, ViewState& view, std::string_view id);

// The method of the board on the stage; nothing where it has none. Once a knob, by its id or its region, has turned it,
// the picture is another one, and what the pen drew over it goes.
std::optional<double> method_on_board(const ViewState& view);
void wipe_after_method(std::string_view knob, std::optional<double> before, ViewState& view);

// A board that draws keys for digits takes them from the keyboard too, for the cell that it outlines.
bool typed_on_outlined(const KeyPress& press, const Scene& scene, ViewState& view);

// An arrow key on a focused knob or thing of the board, or Home and End on a slider.
bool nudged(const KeyPress& press, const Session& session, ViewState& view);

}  // namespace tilewalk
