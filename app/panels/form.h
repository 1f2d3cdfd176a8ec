// The controls of a form, drawn from data: places to type, choices in segments, chips. They read Session and ViewState;
// what a person does to their regions is carried out by fields.h.
#pragma once

#include "app/panels/column_parts.h"

#include <string>
#include <vector>

namespace tilewalk {

struct Option {
  std::string value, title, tip;
};

// A place to type, with its name above where the rectangle leaves room for it.
void layout_field(const Column&, Rect, std::string_view name, std::string_view caption, std::string_view tip);

// One of several; the chosen one stands out. Takes two lines where one is too narrow.
float segments_height(const Column&, const std::vector<Option>&, float width, float row);
void layout_segments(const Column&, Rect, std::string_view field, const std::vector<Option>&, std::string_view chosen,
                     float row);

// Buttons as wide as their words, in as many lines as they need.
struct Chip {
  std::string id, title, tip;
  bool chosen = false;
};
float chips_height(const Column&, const std::vector<Chip>&, float width, float row);
void layout_chips(const Column&, Rect, const std::vector<Chip>&, float row);

// A sentence in place: why something was refused, with a mark and a colour, or a plain remark.
float note_height(const Column&, std::string_view text, float width, bool refusal);
void layout_note(const Column&, Rect, std::string_view text, bool refusal);

}  // namespace tilewalk
