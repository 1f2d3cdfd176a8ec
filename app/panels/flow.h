// A column of pieces under each other, each with its height and a way to draw itself. What is higher than its place is
// scrolled; a piece is shown whole or not at all, so that nothing is ever cut.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/state/view_state.h"

#include <functional>
#include <string_view>
#include <vector>

namespace tilewalk {

class Flow {
 public:
  using Draw = std::function<void(Rect)>;
  void add(float height, Draw draw);
  void space(float height) { height_ += height; }
  // Ground that lies behind everything from `top` to here; it is cut to what is seen.
  void ground(float top, Draw draw);
  // Everything of another flow, that far from the left and that wide.
  void append(const Flow& other, float x, float width);
  float height() const { return height_; }
  // `above`: how much of it has gone out at the top.
  void draw(Rect area, float width, float above) const;

 private:
  struct Piece {
    float top, height;
    Draw draw;
  };
  std::vector<Piece> grounds_, pieces_;
  float height_ = 0;
};

// Draws the flow into the area, scrolled by `share` (0..1 of what does not fit), with a bar in the margin of that width
// right of it. Regions: "panel:<name>" the area, "scroll:<name>" the bar, "thumb:<name>" its handle; hands.cpp scrolls
// by them. `name` is "lesson", "board", "rail", "review", "source" or "words".
void layout_scrolled(Scene& scene, const Style& style, const ViewState& view, Rect area, const Flow& flow, float share,
                     float margin, std::string_view name, std::string_view tip);

}  // namespace tilewalk
