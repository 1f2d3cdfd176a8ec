// Finds places for names beside things on a plot, so that none lies over another: the closest free place, with a leader
// line where that is not at its thing. The same input gives the same places.
#pragma once

#include "app/scene/scene.h"

#include <span>
#include <utility>
#include <vector>

namespace tilewalk {

struct NameWish {
  std::vector<Vec2> anchors;  // where it may belong: a point, or places along a line; earlier ones are better
  float clear = 0;            // from the anchor to the name, at least
  float w = 0, h = 0;         // of the name
};

struct NamePlace {
  Rect rect;
  Vec2 anchor;
  bool found = false;   // false: there is no room for it
  bool leader = false;  // far enough from its thing to need a line to it
};

// In the order of the wishes: who comes first has the better place. `kept` is what no name may cover; `lines` are
// better not crossed.
std::vector<NamePlace> place_names(std::span<const NameWish> wishes, Rect area, std::vector<Rect> kept,
                                   std::span<const std::pair<Vec2, Vec2>> lines, float gap);

}  // namespace tilewalk
