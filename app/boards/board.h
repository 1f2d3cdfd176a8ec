// A board: a stage of its own for a lesson, with knobs to turn and things to do on it. Everything it shows is computed
// by the core from the knobs. One board is one file that defines one row, listed in boards.cpp.
//
// A board draws its picture; caption, knobs and plates are drawn for it (app/boards/frame.cpp).
#pragma once

#include "app/state/board_state.h"
#include "app/state/keys.h"
#include "app/scene/pen.h"
#include "app/state/session.h"
#include "app/state/view_state.h"
#include "core/quantity/quantity.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What a choice offers: the words on it, and its words in a lesson or a link, where they are others ("a100-80").
struct Choices {
  std::vector<std::string_view> words, ids;
};

struct Knob {
  // Octaves: any whole number; a slider stops at eight places in each doubling, an arrow key doubles or halves.
  enum class Kind : uint8_t { Linear, PowersOfTwo, Octaves, Choice, Switch };
  std::string_view id;     // "N": the name in a lesson's scene block and in knob.N
  std::string_view label;  // "Sequence length N"; empty: the board itself draws it, not the row of knobs
  Kind kind = Kind::Linear;
  double least = 0, most = 1, initial = 0;     // of a choice: indices; of a switch: 0 or 1
  double step = 1;                             // of Linear
  std::span<const std::string_view> choices;   // words of a choice
  std::string_view unit;                       // after the value: "TB/s"
  std::string_view tip;                        // one sentence
  std::span<const std::string_view> ids = {};  // of a choice: its words in a lesson, where they are others: "a100-80"
  const Choices& (*offered)() = nullptr;  // of a choice to which more comes while the program runs: instead of both
  std::string (*said)(double) = nullptr;  // of Linear: what a value is called, where its number says too little

  std::span<const std::string_view> words() const { return offered ? std::span(offered().words) : choices; }
  std::span<const std::string_view> names() const { return offered ? std::span(offered().ids) : ids; }
  double top() const { return offered ? double(offered().words.size()) - 1 : most; }
};
using KnobWords = std::span<const std::string_view>;
constexpr Knob linear_knob(std::string_view id, std::string_view label, double least, double most, double initial,
                           double step, std::string_view tip) {
  return {id, label, Knob::Kind::Linear, least, most, initial, step, {}, {}, tip};
}
constexpr Knob power_knob(std::string_view id, std::string_view label, double least, double most, double initial,
                          std::string_view tip, std::string_view unit = {}) {
  return {id, label, Knob::Kind::PowersOfTwo, least, most, initial, 1, {}, unit, tip};
}
constexpr Knob octave_knob(std::string_view id, std::string_view label, double least, double most, double initial,
                           std::string_view tip) {
  return {id, label, Knob::Kind::Octaves, least, most, initial, 1, {}, {}, tip};
}
constexpr Knob choice_knob(std::string_view id, std::string_view label, KnobWords words, double initial,
                           std::string_view tip, KnobWords ids = {}) {
  return {id, label, Knob::Kind::Choice, 0, double(words.size()) - 1, initial, 1, words, {}, tip, ids};
}
constexpr Knob switch_knob(std::string_view id, std::string_view label, bool on, std::string_view tip) {
  return {id, label, Knob::Kind::Switch, 0, 1, double(on), 1, {}, {}, tip};
}

// A number that the board shows, by name: "stage.time" in a lesson, "reading:time" in a link. A question can cover it.
struct Reading {
  std::string id;
  std::string label;  // "time in DRAM"
  Quantity quantity;
};

// A line of a chart: a quantity over another one, in rising order of x. Drawn by app/boards/series_chart.h; a table of
// the board's numbers holds every point.
struct Series {
  struct Point {
    double x, value;
    double low = value, high = value;  // the spread of what was measured
  };
  std::string id, label;  // "time_fa2", "FA2"
  std::string x_name;     // "N"
  std::string unit;       // of the values, as in Quantity
  Origin origin = Origin::Computed;
  std::string source;
  std::vector<Point> points;
};

struct Board;

// A board as it is set: what is computed from it. Knows no picture.
struct Exhibit {
  const BoardState& state;
  const Session& session;  // for boards that work on the walk's inputs
  const ViewState& view;   // the runs of GPUs; hover, focus, phase of the animation 0..1
  const Board& board;
  double knob(std::string_view id) const;  // its value, or its initial one
  bool on(std::string_view id) const { return knob(id) != 0; }
  bool covered(std::string_view reading) const;  // the number and whatever gives it away must not be shown
};

// What a board is drawn from, and with.
struct BoardView : Exhibit, Pen {
  std::vector<Rect>* plates = nullptr;  // where plates are drawn, for who asks
  bool file = false;                    // a picture for a file, with what lies around the picture left out too
  bool hands =
      true;  // somebody can press and type: else buttons and the boxes of fields are left out, their places stay
};

struct Board {
  std::string_view id, title;  // "clocks", "Two clocks"
  std::span<const Knob> knobs;
  // The picture, into `area`. Regions that act have ids "board:...", fields "field:board/...".
  void (*layout)(const BoardView& view, Rect area);
  // One or two sentences on what is seen now, at most 110 characters each.
  std::string (*caption)(const Exhibit&);
  std::vector<Reading> (*readings)(const Exhibit&);
  // A press on one of its regions, and every move while it is held; `at` is 0..1 across the region (and beyond it while
  // dragged). What cannot be done says why in the returned sentence; empty otherwise. With the keyboard one goes on at
  // the region that is named in the cell ".focus" then. May be null.
  std::string (*act)(std::string_view id, Vec2 at, bool dragged, BoardState& state) = nullptr;
  // Arrow keys on a focused region of its own: one step to the right (+1, 0), up (0, +1). May be null.
  std::string (*nudge)(std::string_view id, int right, int up, BoardState& state) = nullptr;
  // Of a board that is stepped like a walk (→ ← Home End play): the number of steps. May be null.
  int (*steps)(const Exhibit&) = nullptr;
  // Of a board that draws curves: all that it draws now. May be null.
  std::vector<Series> (*series)(const Exhibit&) = nullptr;
  // Shift with an arrow, Delete and the like on a focused region of its own; says whether it took the key. May be null.
  bool (*key)(std::string_view id, const KeyPress& press, BoardState& state) = nullptr;
  // Of fields that take effect when they are left: what the field of a cell holds, and its text being taken. A text
  // that is refused stays in the cell, and one that is taken leaves it. Both or neither.
  std::string (*text_of)(std::string_view cell, const BoardState& state) = nullptr;
  void (*take)(std::string_view cell, BoardState& state) = nullptr;
  // The field that one goes on at when a cell's text has been entered; empty where there is no more. May be null.
  std::string (*next_field)(std::string_view cell, const BoardState& state) = nullptr;
  // What turns with the knob of that id when somebody turns it; with no id, with those that words set. May be null.
  void (*turns_with)(std::string_view knob, BoardState& state) = nullptr;
  // Whether what that knob sets is in the picture, as it is set: of a row of four keys no fifth score. May be null: all
  // is.
  bool (*has)(std::string_view knob, const BoardState& state) = nullptr;
  std::span<const std::string_view> texts = {};  // cells that a link can set
  // What its numbers depend on and no knob turns: "one head · no mask · fp16"; or, where it follows from the knobs,
  // what says it.
  std::string_view fixed = {};
  std::string (*fixed_now)(const Exhibit&) = nullptr;
};

std::span<const Board* const> boards();
const Board* board_named(std::string_view id);  // or null

double knob_value(const Board& board, const BoardState& state, std::string_view id);
void turn_to(const Board& board, BoardState& state, std::string_view id, double value);  // clamped
// Clamps to what the knob allows: whole steps, powers of two, indices of choices.
double clamp_knob(const Knob& knob, double value);
// A value as the knob shows it: "4,096", "A100 80 GB", "on".
std::string knob_text(const Knob& knob, double value);
// A word or number of a scene block as a value of the knob; nothing where it is neither.
std::optional<double> knob_value_of(const Knob& knob, std::string_view text);

// One sentence where the knob takes another value than the one asked for, which was written so: outside its ends, or
// between two places.
std::string knob_fault(const Knob& knob, double asked, std::string_view written);
// What is wrong with a text that sets a cell, in one sentence; empty where nothing is.
std::string text_fault(std::string_view name, std::string_view text);
// "N,gpu": what is to be shown of the board, where one of it is no knob.
std::string show_fault(const Board& board, std::string_view names);

// "clocks?N=1024&gpu=h100&step=3&show=N,gpu" as a state: a board and what is set on it. What is not known is left out,
// and said in a sentence each where somebody wants to know.
BoardState read_board_state(std::string_view words, std::vector<std::string>* faults = nullptr);

// The whole stage of a board: caption above, picture, knobs below. In a picture for a file the knobs' values stand in
// words where the knobs are.
enum class BoardFor : uint8_t { Hands, File };
void layout_board(Scene& scene, const Session& session, const ViewState& view, const BoardState& state, Rect area,
                  const Style& style, BoardFor whom = BoardFor::Hands);

}  // namespace tilewalk
