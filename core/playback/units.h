// The units in which a playhead moves. A step is one entry of the vocabulary on one tile; a part is the steps of one
// line of the algorithm; a tile is the parts of one turn of the inner loop; a row is one turn of the outer loop. A
// playhead is a number of steps taken, 0 .. steps.size().
#pragma once

#include "core/machine/step.h"

#include <cstdint>
#include <span>

namespace tilewalk {

enum class Unit : uint8_t { Step, Part, Tile, Row };

int64_t unit_forward(std::span<const Step> steps, int64_t playhead, Unit unit);  // to the end of the unit
int64_t unit_back(std::span<const Step> steps, int64_t playhead, Unit unit);     // to where the unit before ended

// Where the last step taken stands: "tile 3 of 4, part 2 of 5", counted from 1. Zeros before the first step.
struct Place {
  int64_t tile = 0, tiles = 0;  // of those that the row meets, however often
  int64_t part = 0, parts = 0;  // within the tile
  int64_t row = 0, rows = 0;    // within the pass
};
Place place_of(std::span<const Step> steps, int64_t playhead);

}  // namespace tilewalk
