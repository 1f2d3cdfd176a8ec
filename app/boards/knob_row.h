// The knobs within reach, side by side under a board: sliders, choices and switches, all by pointer and by arrow keys.
// Regions: "knob:N" (a slider, a switch, a choice as a whole), "knob:gpu/2" (one of few choices), "knob:gpu/-" and
// "knob:gpu/+" (steps through many), "knob:gpu/list" (opens the list of them), "knob:more/" (a tool's next knobs).
#pragma once

#include "app/boards/board.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// At most three, those that the state shows or else the board's first ones.
std::vector<const Knob*> knobs_in_reach(const Board& board, const BoardState& state);

// In front of a room all of them are at hand: those of `knobs_in_reach` first, where the state shows some, then all,
// three at a time, each at its place: knob_places.h.
std::vector<const Knob*> all_knobs(const Board& board);

float knob_row_height(const BoardView& view, float width);  // 0 without knobs
void layout_knob_row(const BoardView& view, Rect row);

std::string choices_region(std::string_view knob);  // that opens the list of all that it can be
bool opens_choices(std::string_view region);

// A switch or an order that is as it always is: it tells nothing to who cannot turn it.
bool is_usual(const Knob& knob, double value);
bool is_locked(const BoardState& state, std::string_view knob);  // until a question is answered; by its id
bool has_slider(const Board& board, std::string_view id);        // the knob of a region
bool is_switch(const Board& board, std::string_view id);
const Knob* typed_knob(const Board& board, std::string_view id);  // the knob of a region, where it is numbers; or null
float knob_share(const Knob& knob, double value);                 // where it lies between least and most, 0..1

// A press on a knob's region, or a move while it is held; `at` is 0..1 across it, of a slider across its track.
void turn_knob(const Board& board, BoardState& state, std::string_view id, Vec2 at, bool dragged);
// The same on the region of a slider, at a place on the screen: a handle that is pressed stays, and is dragged from
// where it was taken; beside it the handle comes under the pointer.
void turn_slider(const Board& board, BoardState& state, std::string_view id, const Rect& region, Vec2 at, bool dragged);
// An arrow key on it: by one step, one power of two, one choice.
void nudge_knob(const Board& board, BoardState& state, std::string_view id, int by);
// The region of the knob that has the keyboard after that: of a row of choices the chosen one, else `id` again.
std::string focus_of_knob(const Board& board, const BoardState& state, std::string_view id);

double at_eighth(double value);            // the nearest of eight places in its octave: 1,024, 1,152, ... 2,048
double next_octave(double value, int by);  // the next power of two above, or below

}  // namespace tilewalk
