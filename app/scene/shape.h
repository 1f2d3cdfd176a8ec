// The geometry that both painters share, so that a picture on the screen and in a file is the same.
#pragma once

#include "app/scene/scene.h"

#include <vector>

namespace tilewalk {

// Where an inner stroke's centre line runs: the box drawn in by half the stroke, with the radius that keeps the
// outer edge's corner round.
struct RoundedRect {
  Rect rect;
  float radius;
};
RoundedRect rounded(Rect rect, float radius);  // the radius that fits the rectangle
RoundedRect stroke_path(const Box& box);
float perimeter(const RoundedRect& shape);

// Length of a dash, near `wanted`, so that dashes and gaps of that length close evenly round a loop, or begin and end a
// line with a dash. 0 if `wanted` or `length` is not positive.
float dash_of_loop(float length, float wanted);
float dash_of_line(float length, float wanted);

// Chords that stand for the quarter circle of a corner; 0 for a sharp one.
inline constexpr int max_corner_chords = 64;
int corner_chords(float radius);

// Points of the outline, clockwise on the screen from the end of the upper left corner, as SVG walks a <rect>.
void outline(const RoundedRect& shape, std::vector<Vec2>& out);

// The head of an arrow and where its line then ends.
struct ArrowHead {
  Vec2 tip, left, right, line_end;
};
ArrowHead arrow_head(const Line& line);

// A level or upright line moved by less than a pixel, so that its edge lies on a pixel's border; any other line as it
// is. Both painters do this: a hairline between two panels is then one sharp pixel and not two pale ones.
Line crisp(const Line& line);

// The rectangle with its edges moved to whole pixels: what layout does to boxes at rest, so that their edges are sharp.
// Rectangles that share an edge still share it.
Rect on_pixels(const Rect& rect);

}  // namespace tilewalk
