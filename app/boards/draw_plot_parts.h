// The axes of the drawing board, private to their files: the plot and what has been put on it so far.
#pragma once

#include "app/boards/draw.h"
#include "app/scene/label_places.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewalk {

using DrawSegment = std::pair<Vec2, Vec2>;

struct DrawPlot {
  const BoardView& view;
  const DrawSheet& sheet;
  Rect rect;
  Axis x, y;
  std::vector<DrawSegment> lines;  // drawn: names had better not lie on them
  std::vector<Rect> kept;          // marks and handles, which no name may cover

  struct Name {
    std::string words, shorter;
    NameWish wish;
    Color color;
    Face face = Face::SansBold;
  };
  std::vector<Name> names;

  Vec2 at(double intensity, double rate) const {
    return {x.at(std::clamp(intensity, kLeastX, kMostX)), y.at(std::clamp(rate, kLeastY, kMostY))};
  }
  // Of a round mark: not over the numbers of the axis.
  Vec2 mark_at(double intensity, double rate) const {
    const Vec2 p = at(intensity, rate);
    return {p.x, std::min(p.y, rect.bottom() - px(13))};
  }
  bool inside(double intensity, double rate) const {
    return intensity >= kLeastX && intensity <= kMostX && rate >= kLeastY && rate <= kMostY;
  }
  float px(float design) const { return view.px(design); }
};

// Squared paper with the numbers of its decades; what the marks mean; undo, redo, the grid and the way back to empty
// axes.
void draw_squared_paper(const DrawPlot& p);
void draw_legend(DrawPlot& p, Rect slot, const Truth& truth, size_t of_class);  // drawings of the class
void draw_tools(DrawPlot& p, Rect row);
// A name beside each thing that no other name covers.
void draw_names(DrawPlot& p);

}  // namespace tilewalk
