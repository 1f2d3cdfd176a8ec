// Gives every node of a tree its rectangle, and paints it.
#pragma once

#include "app/ui/node.h"

#include <memory>
#include <string_view>

namespace tilewalk::ui {

// As it likes to be; without losing anything; at the very least.
struct Extent {
  float want = 0, snug = 0, least = 0;
};

struct Placed {
  const Node* node = nullptr;
  Rect rect;
  Extent across, down;             // width and height, in scene pixels
  float natural = 0;               // width of a text's first form
  std::vector<std::string> lines;  // of text, as shown but for the cut
  std::vector<Placed> kids;
  std::unique_ptr<Node> made;  // what a choice or a list's "more" came to; `kids` point into it
};

Placed layout(const Node&, Rect, float scale);
float height_of(const Node&, float width, float scale);  // as it likes to be, so wide

// A tree into a part of a scene: shapes, labels, and a region for all that has a name. `hover` is the name of what the
// pointer is on.
void show(Scene&, const Node&, Rect, const Style&, std::string_view hover);

}  // namespace tilewalk::ui
