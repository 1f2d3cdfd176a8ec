// The sheet of lesson 7 to print, for a pencil: one query row, its keys in tiles of two, empty cells and squared paper
// to work on; and the same sheet filled in, with how each cell comes about. The numbers are app/boards/paper_sheet.h's.
#pragma once

#include "app/scene/scene.h"

#include <cstdint>
#include <string>

namespace tilewalk {

struct Worksheet {
  uint64_t seed = 5;  // 0 is the example
  int tiles = 2;      // 2 or 3; the example has 2
  bool answers = false;
};

// A4 upright: 794 x 1123 pixels of 1/96 inch, which is what printing takes a pixel for.
Scene worksheet_scene(const Worksheet& sheet);

// Both sheets as one page of HTML, the answers on a page of their own.
std::string worksheet_html(Worksheet sheet);

// Where the program shows the same sheet, to be filled in there.
std::string worksheet_link(const Worksheet& sheet);

}  // namespace tilewalk
