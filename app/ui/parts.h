// What panels are made of, put together from nodes: buttons, fields, switches, cards.
#pragma once

#include "app/ui/node.h"

namespace tilewalk::ui {

enum class Fill : uint8_t { Plain, Solid, Round };
Node button(std::string words, Press, Fill, Font = {18, Face::SansBold});

// A place to type, as it looks while nobody types; the text field lies exactly on it.
Node field(Press, const std::string& words, std::string hint, bool typing);

struct Choice {
  std::string title;
  Press press;
  bool chosen = false;
};
// One of several, side by side; with a height of a line also in several lines of so many.
Node segments(std::vector<Choice>, size_t per_line = 99, float line = -1);

Node boxed(Node content, Pad);  // a card, as it looks
// A card over the window; `above` of the free room is above it.
Node card(Node content, Size width, Pad, float above = 0.5f);

}  // namespace tilewalk::ui
