// The sheet of paper beside the plot, private to its files: where the next row goes, and what rows are made of.
#pragma once

#include "app/boards/draw.h"

#include <string>
#include <string_view>

namespace tilewalk {

struct GraphPaper {
  const BoardView& view;
  const DrawSheet& sheet;
  const Truth& truth;
  Rect area;  // below the tabs
  float y;    // where the next row begins
  float row;  // height of a row with a field

  float px(float design) const { return view.px(design); }
  float left() const { return area.bottom() - y; }
  Rect take(float h) {
    const Rect out{area.x, y, area.w, h};
    y += h;
    return out;
  }
};

void paper_button(const GraphPaper& p, Rect slot, std::string_view words, std::string id, std::string tip,
                  bool on = false, bool enabled = true);
// A button that says what is: where nothing can be pressed, its word where it is on.
void paper_switch(const GraphPaper& p, Rect slot, std::string_view words, std::string id, std::string tip, bool on,
                  bool enabled);
// A field of the board, with a tick where it is close to the truth, with a cross where it is known to be far off.
enum class FieldMark : uint8_t { None, Right, Wrong };
void paper_field(const GraphPaper& p, Rect slot, std::string_view cell, std::string_view words, std::string_view faint,
                 FieldMark mark, std::string tip, bool enabled);
// Whether what to do next is said: to one at a desk and to the speaker, not on a wall that the speaker's pointer is on.
inline bool says_what_to_do(const BoardView& view) {
  return view.hands && (!view.view.present.on || view.view.present.presenters_window());
}
constexpr std::string_view kNothingYet = "–";  // in a field's place, where nobody can type
// Why what was typed was not taken, under its field; the value is as it was.
void paper_fault(GraphPaper& p, std::string_view cell);

// What is predicted; once locked what it is worth, and what the model knows of that a roofline does not.
void layout_prediction(GraphPaper& p);
void layout_score(GraphPaper& p);
void layout_missing(GraphPaper& p);

}  // namespace tilewalk
