// What boards are drawn with: big numbers, bars, plates over covered numbers, axes. One look for all of them.
#pragma once

#include "app/boards/board.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// "BYTES MOVED" small above "136 MB" large. Draws a plate with "?" where `reading` is covered; adds the region
// "reading:<id>" whose tip says value, origin and source.
void big_number(const BoardView& view, Rect slot, const Reading& reading, std::string_view format = {}, float size = 0);
// The reading of that id; it must be there.
const Reading& reading_of(const std::vector<Reading>& readings, std::string_view id);

// The plate alone, over a bar or a cell that would give a covered number away.
void plate(const BoardView& view, Rect rect);

// A horizontal bar from the left edge of `track`, `share` 0..1 of its width; solid is measured, outline is predicted or
// by a model, hatched with a diamond is recorded.
enum class BarLook : uint8_t { Computed, Model, Recorded, Published };
void bar(const BoardView& view, Rect track, float share, Paint, BarLook look);

// An axis with ticks at powers of two or ten, or at round numbers; returns where a value lies.
struct Axis {
  double least = 0, most = 1;
  enum class Scale : uint8_t { Linear, Log2, Log10 } scale = Scale::Linear;
  float from = 0, to = 0;  // pixels of least and most
  float at(double value) const;
  double value_at(float pixel) const;
  std::vector<double> ticks(int most_ticks) const;
};
// Draws it below (horizontal) or left of (vertical) `plot`, with grid lines inside.
void draw_axis(const BoardView& view, Rect plot, const Axis& axis, bool horizontal, std::string_view format,
               std::string_view title);

constexpr float kLinePitch = 1.35f;  // of wrapped text, in ems

// Where labels go that would lie on each other: each as near as may be to where it is wanted, in the order of the
// wanted places, `gap` apart and between `least` and `most` as long as there is room.
struct LabelPlace {
  float at, size;
};
std::vector<float> place_apart(const std::vector<LabelPlace>& wanted, float least, float most, float gap);

// Text that wraps; returns the height used. Lines beyond `area` are left out and the last is shortened.
float text_block(const Pen&, Rect area, std::string_view text, Face face, float size, Paint, Align = Align::Left);

// A value as text, in the format that suits its unit or the one that is named.
std::string amount(double value, std::string_view unit, std::string_view format = {});

// The part of a plot that cannot be reached, in the colour of what is wrong and hatched: more than a GPU's memory
// holds.
void forbid(const BoardView& view, Rect part);

// What a tip says of a quantity: "136,314,880 bytes, computed: 8 N² + 8 N d ...".
std::string tip_of(const Reading& reading);
// Where it can be pointed at, for that tip; covered, it says so.
void reading_region(const BoardView& view, Rect slot, const Reading& reading);

}  // namespace tilewalk
