// Curves over a logarithmic axis, each named at its end: what was modelled as lines, what was recorded or measured as
// marks with their spread. Lines of capacity or reference lie under them; a cross-hair stands at one x, and the plot is
// cut into strips to be pointed at, one for each x at which there are values.
#pragma once

#include "app/boards/board.h"
#include "app/boards/kit.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// How values that a GPU gave are drawn: a full diamond, a hollow one, a square; never as a line. None: a curve.
enum class ChartMark : uint8_t { None, Diamond, Hollow, Square };

// Of a curve that is only what would be, in design pixels.
constexpr float kWouldBeWidth = 1.6f, kWouldBeDash = 3;

struct ChartSeries {
  Series series;
  Paint line, text;  // of the curve, and of its name
  float width = 3;   // design pixels
  float dash = 0;    // of its marks: a gap across them
  ChartMark mark = ChartMark::None;
  double solid_to = INFINITY;  // beyond that x the curve is only what would be: thin and dotted
};

// A level that matters: a GPU's memory, 1×.
struct ChartLevel {
  double value;
  std::string words;
  bool own = false;  // the one that counts: inked, and what lies beyond it cannot be reached
};

// An x at which what is drawn changes its kind: an upright line.
struct ChartTurn {
  double x;
  std::string words;
};

struct SeriesChart {
  std::string x_title;
  std::vector<std::string> y_titles;  // the first that fits
  double least_x, most_x;
  Axis::Scale y_scale = Axis::Scale::Log10;
  std::vector<ChartSeries> series;
  std::vector<ChartLevel> levels;
  std::vector<ChartTurn> turns;
  std::vector<double> stops;  // the x that can be pointed at
  double x = 0;               // where the cross-hair stands
  std::string id;             // regions: "<id>" for the plot as a whole, "<id>/<k>" for stop k
};

// Where the plot lies in the chart's area: axes left and below, names right.
Rect plot_of_chart(const BoardView& view, Rect area, const SeriesChart& chart);
// The stop that is pointed at, or nothing; nothing while the cross-hair is dragged.
std::optional<double> stop_under_pointer(const Exhibit& view, Rect plot, const SeriesChart& chart);
// The value of a curve at x: at its own points exactly, between them on the straight line of a log-log plot.
std::optional<double> value_at(const Series& series, double x);

void layout_series_chart(const BoardView& view, Rect area, const SeriesChart& chart);

// A tick without zeros that say nothing: "10 µs" for "10.0 µs".
std::string tick_words(double value, std::string_view unit);
void diamond(const Pen&, Vec2 at, float radius, Paint fill);

}  // namespace tilewalk
