// The pieces of the right column, private to it. Each lays itself out into the rectangle that it is given and leaves
// out what does not fit; none overlaps its neighbours.
#pragma once

#include "app/boards/board.h"
#include "app/panels/flow.h"
#include "app/panels/panels.h"
#include "app/ui/node.h"
#include "core/playback/gradient_trace.h"
#include "core/playback/row_trace.h"

namespace tilewalk {

struct KernelSource;

// What every piece reads, and the scene it writes to.
struct Column {
  Scene& scene;
  const Session& session;
  const Moment& moment;
  const ViewState& view;
  const Style& style;

  void show(const ui::Node&, Rect) const;
  void set(Flow&, ui::Node, float width) const;  // as the next piece

  float px(float at_100_percent) const { return style.px(at_100_percent); }
  Color color(Role role) const { return style[role]; }
  const Plan& plan() const { return moment.walk->plan(); }
  const Tiling& tiling() const { return moment.walk->plan().tiling; }
  int64_t query_row() const { return moment.tile * tiling().br + moment.row; }  // over the whole of Q, from 0
};

void layout_lesson(const Column&, Rect);
// Where one stands in the lesson and the buttons that go on, at the foot of the column whichever tab is open; returns
// what is left above it: all of it where no beat is on show.
Rect layout_lesson_foot(const Column&, Rect);
void layout_explain(const Column&, Rect);
void layout_numbers(const Column&, Rect);
// The same two where a board has the stage: its derivation, and its numbers with where they come from.
void layout_board_explain(const Column&, const Board*, Rect);  // no board: two walks, by their beat
void layout_board_numbers(const Column&, const Board&, Rect);
void layout_problem(const Column&, Rect);
void layout_gpu(const Column&, Rect);

// The chosen query row as a chart: its scores, m, alpha and l.
void layout_row_strip(const Column&, const RowTrace&, Rect);
void layout_gradient_strip(const Column&, const GradientTrace&, Rect);  // of a backward walk: its P and dS
float row_chevrons(const Column&, Rect card);  // to the rows above and below within the Q tile; where they begin

// The schedule's pseudo-code with the current line, or a window of lines around it.
float formula_height(const Column&, float width, float usual);  // more where it takes two rows
int code_rows(const Column&, float width);  // of all its lines; one of two statements that is too wide takes two
float code_height(const Column&, int rows);
void layout_code(const Column&, Rect);

// The source of the kernel that is chosen instead, if one is and the schedule on the stage runs on it; and the choice.
const KernelSource* source_on_show(const Column&);
void layout_source(const Column&, const KernelSource&, Rect);
float layout_code_choice(const Column&, Rect line);  // returns its height: several lines where one is too narrow

// The step's formula in symbols, and with the row's numbers.
void layout_formula(const Column&, Rect);

// A tab that is too high for its rectangle is cut into pages; this draws the choice between them at the bottom and
// returns what is left above it.
Rect pages_room(const Column&, Rect);
Rect layout_pages(const Column&, Rect, const std::vector<std::string>& titles);
ui::Node page_switch(const std::vector<std::string>& titles, int open);  // the same choice, as a node

}  // namespace tilewalk
