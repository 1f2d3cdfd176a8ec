// The controls of a form. They read Session and ViewState; what a person does to them is carried out by fields.h.
#pragma once

#include "app/panels/column_parts.h"

#include <string>
#include <vector>

namespace tilewalk {

struct Option {
  std::string value, title, tip;
};
struct Chip {
  std::string id, title, tip;
  bool chosen = false;
};

// Widths are those that there will be, in scene pixels; `row` is the height of one line, in design pixels.
// A place to type, with its name above where it has one.
ui::Node field_node(const Column&, const std::string& name, std::string caption, std::string tip, float row);
// One of several; the chosen one stands out. Takes two lines where one is too narrow.
ui::Node segments_node(const Column&, std::string_view field, const std::vector<Option>&, std::string_view chosen,
                       float width, float row);
// Buttons as wide as their words, in as many lines as they need.
ui::Node chips_node(const std::vector<Chip>&, float row);
// A sentence in place: why something was refused, with a mark and a colour, or a plain remark.
ui::Node note_node(std::string text, bool refusal);

// The same for panels that compute rectangles, all in scene pixels.
float segments_height(const Column&, const std::vector<Option>&, float width, float row);
void layout_segments(const Column&, Rect, std::string_view field, const std::vector<Option>&, std::string_view chosen,
                     float row);
float chips_height(const Column&, const std::vector<Chip>&, float width, float row);
void layout_chips(const Column&, Rect, const std::vector<Chip>&, float row);
float note_height(const Column&, std::string_view text, float width, bool refusal);
void layout_note(const Column&, Rect, std::string_view text, bool refusal);

}  // namespace tilewalk
