// The panels of the window, each one function in one file: Session and ViewState in, boxes and labels out. A panel
// never changes anything; what a person does to a Region is carried out by app/session/commands.h.
//
// Region ids
//   command:<id>            runs the command of that id
//   lesson:<n or id>  fault:<file>  beat:<k>  option:<k>  link:<target>  quantity:<expression>  copy:<n>
//   review:<verb>/<id>      the review page;  set:<k>  a stop of the set list
//   panel:<name>            an area that scrolls;  scroll:<name>  its bar,  thumb:<name>  the bar's handle
//   panel:over              a panel over the stage;  begins:<part>  where a part of the window begins, for F6
//   scrim  card             what lies behind an overlay: a click closes it;  the overlay itself
//   tab:<name>  key-page:next  pick:<k> (a file)  choice:<field>/<value>
//   field:<name>            a place to type; the name is a Fault::field, "go-to", "key-filter", "word-filter",
//   "element", "answer" or
//                           "note";  field:board/<name>  one of the stage's
//   export:<write|stop>  left-over:go  buttons of the export, and of the offer after a crash
//   play  speed             of the transport;  scrubber  click or drag sets the playhead
//   steps  beats            the scrubber of a board, of the beats;  marker:<step>  jumps there
//   notice                  what was said last
//   write:text  write:line/<n>  the text of Write, its lines from 0
//   line:<n>                pseudo-code line n of the schedule
//   tile:<tensor>/<n>       Q, K, V or O tile n;  tile:S/<i>/<j>
//   cell:<tensor>/<r>/<c>   one element of Q, K or V, rows counted over the whole tensor; can be typed over
//   cell-steps              what it can be raised or lowered by;  cell-step:<tensor>/<r>/<c>/<by>  one of them
//   row:<r>                 query row r: follows it
//   stat:<m|l|alpha>/<r>    the statistic of query row r
//   level:<sram|l2|dram>    a memory;  ledger:<level> its line of the ledger
//   word:<word>             a heading that is explained when pointed at: m, alpha, l, L, Q, K, V, S, P, O, unnormalised
//   turn:<knob>/<+ or ->    of a walk before a room: talk_knobs.h
//   gpu:<what>              of the GPU tab: a kernel's refusal, bytes, a stamp;  present:<what>  presenter.h
//   board:<what>  knob:<id>  label:<id>  reading:<id>  and a board's own: app/boards/board.h and kit.h
// Rows and tiles count from 0 in ids.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/stage/moment.h"

namespace tilewalk {

void layout_top_bar(Scene&, const Session&, const ViewState&, Rect, const Style&);
// The switch between Study and Present, right-aligned at `right` in the bar; returns its left edge.
float layout_mode_switch(Scene&, const ViewState&, const Style&, float right, Rect bar);
void layout_rail(Scene&, const Session&, const ViewState&, Rect, const Style&, bool folded);
std::string_view id_of(Tab tab);  // its region
void layout_column(Scene&, const Session&, const Moment&, const ViewState&, Rect, const Style&);
// The GPU's charts, large, where the stage is otherwise.
void layout_gpu_charts(Scene&, const Session&, const Moment&, const ViewState&, Rect, const Style&);
void layout_transport(Scene&, const Session&, const Moment&, const ViewState&, Rect, const Style&);
void layout_board_transport(Scene&, const Session&, const ViewState&, Rect, const Style&);
void layout_coach(Scene&, Rect, const Style&);
void layout_status(Scene&, const Session&, const ViewState&, Rect, const Style&);
void layout_key_sheet(Scene&, const ViewState&, Rect window, const Style&);
void layout_word_sheet(Scene&, const ViewState&, Rect window, const Style&);
void layout_statement_sheet(Scene&, const ViewState&, Rect window, const Style&);
void layout_go_to(Scene&, const Session&, const ViewState&, Rect window, const Style&);
void layout_element(Scene&, const Session&, const ViewState&, Rect window, const Style&);
void layout_review(Scene&, const Session&, const Moment&, const ViewState&, Rect stage, const Style&);
void layout_export(Scene&, const Session&, const ViewState&, Rect window, const Style&);
void layout_left_over(Scene&, const ViewState&, Rect window, const Style&);
// Of Write: the program's text and what is said of it; how many of its lines there is room for; what to begin from.
void layout_write(Scene&, const Session&, const Moment&, const ViewState&, Rect, const Style&);
size_t write_lines(const ViewState&, Rect, const Style&);
void layout_choice_list(Scene&, const Session&, const ViewState&, Rect window, const Style&);
void layout_programs(Scene&, const ViewState&, Rect window, const Style&);
void layout_about(Scene&, const ViewState&, Rect window, const Style&);
void layout_confirm_reset(Scene&, const ViewState&, Rect window, const Style&);
void layout_menu(Scene&, const Session&, const ViewState&, Rect window, const Style&);

// What is open of all that lies over a window and takes all input; the learner's window and the presenter's alike.
void layout_overlays(Scene&, const Session&, const ViewState&, Rect window, const Style&);

// The whole window as one scene. Panels go over the stage, or away, where the window is small for its scale.
Scene layout_window(Session& session, const ViewState& view, Vec2 size);

// The scale a window of this size is really shown at, and a sentence where that is not the wanted one.
struct ShownScale {
  float scale;
  bool overlays;  // rail and right column lie over the stage
  std::string note;
};
ShownScale shown_scale(Vec2 size, float wanted);

}  // namespace tilewalk
