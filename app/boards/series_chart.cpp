#include "app/boards/series_chart.h"

#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

struct Extent {
  double least = INFINITY, most = 0;
};

// What the values span, in whole octaves or decades; measured spreads included.
Extent span_of(const SeriesChart& chart) {
  Extent r;
  for (const ChartSeries& s : chart.series)
    for (const Series::Point& p : s.series.points)
      if (p.low > 0 && std::isfinite(p.high)) r.least = std::min(r.least, p.low), r.most = std::max(r.most, p.high);
  for (const ChartLevel& level : chart.levels)
    if (level.own) r.least = std::min(r.least, level.value), r.most = std::max(r.most, level.value);
  if (!(r.most > 0)) return {1, 10};
  const double base = chart.y_scale == Axis::Scale::Log2 ? 2 : 10;
  const auto whole = [&](double value, bool up) {
    const double log = std::log(value) / std::log(base) * 2;  // half steps leave less empty
    return std::pow(base, (up ? std::ceil(log + 0.02) : std::floor(log - 0.02)) / 2);
  };
  return {whole(r.least, false), whole(r.most, true)};
}

void curve(const BoardView& view, const ChartSeries& s, const Axis& x, const Axis& y) {
  const auto at = [&](const Series::Point& p) { return Vec2{x.at(p.x), y.at(p.value)}; };
  const float width = view.px(s.width), dash = view.px(s.dash);
  const std::vector<Series::Point>& points = s.series.points;
  for (size_t k = 1; k < points.size(); ++k) {
    const Vec2 from = at(points[k - 1]), to = at(points[k]);
    if (points[k].x > s.solid_to) {
      view.line(from, to, s.line, view.px(kWouldBeWidth), view.px(kWouldBeDash));
      continue;
    }
    view.line(from, to, s.line, width, dash);
    // A round joint, where the next piece turns enough to leave a notch.
    if (dash == 0 && k + 1 < points.size())
      view.box({to.x - width / 2, to.y - width / 2, width, width}, width / 2, s.line);
  }
}

void measured_points(const BoardView& view, const ChartSeries& s, const Axis& x, const Axis& y) {
  for (const Series::Point& p : s.series.points) {
    const Vec2 at{x.at(p.x), y.at(p.value)};
    const float low = y.at(p.low), high = y.at(p.high), cap = view.px(5);
    if (low - high > view.px(3)) {
      view.line({at.x, low}, {at.x, high}, s.line, view.px(2));
      for (const float end : {low, high}) view.line({at.x - cap, end}, {at.x + cap, end}, s.line, view.px(2));
    }
    if (s.mark == ChartMark::Square) {
      for (const auto& [r, fill] : {std::pair(view.px(7), Paint(Role::Background)), std::pair(view.px(5.5f), s.line)})
        view.box({at.x - r, at.y - r, 2 * r, 2 * r}, 0, fill);
      if (s.dash > 0) view.line({at.x - view.px(5), at.y}, {at.x + view.px(5), at.y}, Role::Background, view.px(2.5f));
      continue;
    }
    diamond(view, at, view.px(8.5f), Role::Background);
    diamond(view, at, view.px(6.5f), s.line);
    if (s.dash > 0) view.line({at.x - view.px(6), at.y}, {at.x + view.px(6), at.y}, Role::Background, view.px(2.5f));
    if (s.mark == ChartMark::Hollow) diamond(view, at, view.px(3.5f), Role::Background);
  }
}

void draw_levels(const BoardView& view, Rect plot, const Axis& y, const SeriesChart& chart) {
  const Style& st = view.style;
  for (const ChartLevel& level : chart.levels)
    if (level.own && y.at(level.value) > plot.y) forbid(view, {plot.x, plot.y, plot.w, y.at(level.value) - plot.y});
  for (const ChartLevel& level : chart.levels) {
    const float at = y.at(level.value);
    if (at < plot.y || at > plot.bottom()) continue;
    view.line({plot.x, at}, {plot.right(), at}, level.own ? Role::Wrong : Role::Ghost, st.px(level.own ? 3 : 1.5f),
              level.own ? 0 : st.px(5));
  }
}

// Levels' names lie inside, at the left, where the curves are low: above their line, else below it, else on top of a
// name that covers it, else beside one, and on no other level's line. The own one's is always above.
void name_levels(const BoardView& view, Rect plot, const Axis& y, const SeriesChart& chart) {
  const Style& st = view.style;
  const float h = st.px(18), gap = st.px(8), off = st.px(1);
  std::vector<Rect> taken;
  const auto free = [&](const Rect& rect) {
    return rect.y >= plot.y && rect.bottom() <= plot.bottom() && rect.right() <= plot.right() &&
           std::ranges::none_of(taken, [&](const Rect& t) { return intersection(t, rect).w > 0; }) &&
           std::ranges::none_of(chart.levels, [&](const ChartLevel& other) {
             const float line = y.at(other.value);
             return line > rect.y && line < rect.bottom();
           });
  };
  const auto name = [&](const ChartLevel& level) {
    const float at = y.at(level.value);
    const Face face = level.own ? Face::SansBold : Face::Sans;
    const Rect above{plot.x + gap, at - h - off, text_width(level.words, face, st.small()) + st.px(10), h};
    std::vector<Rect> places{above, above.shifted(0, h + 2 * off)};
    for (const Rect& t : taken)
      if (at >= t.y && at <= t.bottom()) places.push_back(above.shifted(0, t.y - h - off - above.y));
    for (const Rect& t : taken) places.push_back(above.shifted(t.right() + gap - above.x, 0));
    const auto found = level.own ? places.begin() : std::ranges::find_if(places, free);
    if (found == places.end() || above.y < plot.y || at > plot.bottom()) return;
    taken.push_back(*found);
    view.box(*found, st.px(3), Role::Background);
    view.label(*found, level.words, face, st.small(), level.own ? Role::WrongText : Role::TextSecondary, Align::Center);
  };
  for (const bool own : {true, false})
    for (const ChartLevel& level : chart.levels)
      if (level.own == own) name(level);
}

// Upright lines have their names at the top: the cross-hair's first, a turn's below it.
void name_uprights(const BoardView& view, Rect plot, const Axis& x, const SeriesChart& chart) {
  const Style& st = view.style;
  const float h = st.px(20), gap = st.px(5);
  Rect place{0, plot.y + st.px(2), 0, h};
  const auto name = [&](double at, const std::string& words, Face face, Role ink) {
    place.w = text_width(words, face, st.small()) + st.px(10);
    place.x = x.at(at) + gap;
    if (place.right() > plot.right()) place.x = x.at(at) - gap - place.w;
    view.box(place, st.px(3), Role::Background);
    view.label(place, words, face, st.small(), ink, Align::Center);
    place.y += h;
  };
  name(chart.x, fmt::format("N = {}", with_commas(int64_t(chart.x))), Face::SansBold, Role::Text);
  for (const ChartTurn& turn : chart.turns) name(turn.x, turn.words, Face::Sans, Role::TextSecondary);
}

// Each curve's name behind its end, pushed apart where they would touch, with a line to it where it had to move.
void draw_names(const BoardView& view, Rect plot, float width, const Axis& x, const Axis& y, const SeriesChart& chart) {
  const Style& st = view.style;
  const float h = st.px(22);
  std::vector<LabelPlace> wanted;
  std::vector<const ChartSeries*> named;
  for (const ChartSeries& s : chart.series)
    if (s.mark == ChartMark::None && !s.series.points.empty()) {
      named.push_back(&s);
      wanted.push_back({std::clamp(y.at(s.series.points.back().value), plot.y, plot.bottom()) - h / 2, h});
    }
  const std::vector<float> placed = place_apart(wanted, plot.y - h / 2, plot.bottom(), 0);
  for (size_t k = 0; k < named.size(); ++k) {
    const float from = wanted[k].at + h / 2, to = placed[k] + h / 2, lead = st.px(18);
    const float begin = x.at(named[k]->series.points.back().x) + st.px(4);
    if (std::fabs(from - to) > st.px(3))
      view.line({begin, from}, {plot.right() + lead - st.px(2), to}, named[k]->line, st.px(1.2f));
    const float at = plot.right() + (std::fabs(from - to) > st.px(3) ? lead : st.px(8));
    view.text({at, placed[k], plot.right() + width - at, h}, named[k]->series.label, Face::SansBold, st.number(),
              named[k]->text);
  }
}

float names_width(const BoardView& view, Rect area, const SeriesChart& chart) {
  float names = 0;
  for (const ChartSeries& s : chart.series)
    if (s.mark == ChartMark::None)
      names = std::max(names, text_width(s.series.label, Face::SansBold, view.style.number()));
  return std::min(names + view.px(28), area.w * 0.2f);
}

}  // namespace

void diamond(const Pen& pen, Vec2 at, float radius, Paint fill) {
  pen.polygon({{at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y}}, fill);
}

std::string tick_words(double value, std::string_view unit) {
  std::string words = unit == "times" ? fmt::format("{:.4g}×", value) : amount(value, unit);
  const size_t space = words.find(' ');
  const size_t end = space == std::string::npos ? words.size() : space;
  const size_t dot = words.find('.');
  if (unit == "times" || dot == std::string::npos || dot > end) return words;
  size_t last = end;
  while (last > dot + 1 && words[last - 1] == '0') --last;
  if (last == dot + 1) last = dot;
  return words.substr(0, last) + words.substr(end);
}

Rect plot_of_chart(const BoardView& view, Rect area, const SeriesChart& chart) {
  const Style& st = view.style;
  const float names = names_width(view, area, chart), left = st.px(86), top = st.px(30), bottom = st.px(50);
  return {area.x + left, area.y + top, area.w - left - names, area.h - top - bottom};
}

std::optional<double> stop_under_pointer(const Exhibit& view, Rect plot, const SeriesChart& chart) {
  const ViewState& now = view.view;
  if (!now.hover.starts_with(chart.id + "/") || now.held.starts_with(chart.id) || chart.stops.empty())
    return std::nullopt;
  // Where the pointer is says more than where it was when the region under it was last looked for.
  if (plot.contains(now.pointer)) {
    const Axis x{chart.least_x, chart.most_x, Axis::Scale::Log2, plot.x, plot.right()};
    return *std::ranges::min_element(chart.stops, {}, [&](double n) { return std::fabs(x.at(n) - now.pointer.x); });
  }
  const auto k = number_of<size_t>(std::string_view(now.hover).substr(chart.id.size() + 1));
  return k && *k < chart.stops.size() ? std::optional(chart.stops[*k]) : std::nullopt;
}

std::optional<double> value_at(const Series& series, double x) {
  const std::vector<Series::Point>& p = series.points;
  if (p.empty() || x < p.front().x || x > p.back().x) return std::nullopt;
  const auto after = std::ranges::lower_bound(p, x, {}, &Series::Point::x);
  if (after->x == x || after == p.begin()) return after->value;
  const auto before = after - 1;
  const double t = std::log(x / before->x) / std::log(after->x / before->x);
  return before->value * std::pow(after->value / before->value, t);
}

void layout_series_chart(const BoardView& view, Rect area, const SeriesChart& chart) {
  const Style& st = view.style;
  const Rect plot = plot_of_chart(view, area, chart);
  const float left = plot.x - area.x, names = area.right() - plot.right();
  const Axis x{chart.least_x, chart.most_x, Axis::Scale::Log2, plot.x, plot.right()};
  const Extent range = span_of(chart);
  const Axis y{range.least, range.most, chart.y_scale, plot.bottom(), plot.y};
  const std::string unit = chart.series.empty() ? "" : chart.series.front().series.unit;

  draw_axis(view, plot, x, true, "count", chart.x_title);
  for (const double tick : y.ticks(std::max(2, int(plot.h / st.px(44))))) {
    const float at = y.at(tick);
    view.line({plot.x, at}, {plot.right(), at}, Role::Line, st.px(1));
    view.label({area.x, at - st.px(10), left - st.px(8), st.px(20)}, tick_words(tick, unit), Face::Mono, st.small(),
               Role::TextSecondary, Align::Right);
  }
  const float title = plot.right() - area.x;
  view.text({area.x, area.y, title, st.px(22)}, form_that_fits(chart.y_titles, Face::SansBold, st.number(), title),
            Face::SansBold, st.number(), Role::Text);
  draw_levels(view, plot, y, chart);
  for (const ChartTurn& turn : chart.turns)
    view.line({x.at(turn.x), plot.y}, {x.at(turn.x), plot.bottom()}, Role::Border, st.px(2));

  // Where the pointer is, and where x stands: behind the curves.
  const std::optional<double> pointed = stop_under_pointer(view, plot, chart);
  if (pointed && *pointed != chart.x)
    view.line({x.at(*pointed), plot.y}, {x.at(*pointed), plot.bottom()}, Role::Ghost, st.px(2), st.px(5));
  const float own = x.at(chart.x);
  view.line({own, plot.y}, {own, plot.bottom()}, Role::Text, st.px(2));
  for (const ChartSeries& s : chart.series)
    if (s.mark == ChartMark::None) curve(view, s, x, y);
  name_levels(view, plot, y, chart);
  for (const ChartSeries& s : chart.series)
    if (const auto value = s.mark != ChartMark::None ? std::nullopt : value_at(s.series, pointed.value_or(chart.x))) {
      const float r = st.px(6);
      const Vec2 at{x.at(pointed.value_or(chart.x)), y.at(*value)};
      view.box({at.x - r, at.y - r, 2 * r, 2 * r}, r, s.line, Role::Background, st.px(2));
    }
  for (const ChartSeries& s : chart.series)
    if (s.mark != ChartMark::None) measured_points(view, s, x, y);
  draw_names(view, plot, names, x, y, chart);
  name_uprights(view, plot, x, chart);
  if (!view.file && view.hands)
    view.box({own - st.px(9), plot.bottom() - st.px(34), st.px(18), st.px(32)}, st.px(9), Role::Background,
             Role::Inverse, st.px(view.view.held.starts_with(chart.id) ? 6 : 4));

  view.region(plot, chart.id, fmt::format("N = {}. Drag to the left or right (← →)", with_commas(int64_t(chart.x))),
              true);
  for (size_t k = 0; k < chart.stops.size(); ++k) {
    const float at = x.at(chart.stops[k]);
    const float from = k == 0 ? plot.x : (x.at(chart.stops[k - 1]) + at) / 2;
    const float to = k + 1 == chart.stops.size() ? plot.right() : (at + x.at(chart.stops[k + 1])) / 2;
    view.region({from, plot.y, to - from, plot.h}, fmt::format("{}/{}", chart.id, k),
                fmt::format("N = {}", with_commas(int64_t(chart.stops[k]))));
  }
}

}  // namespace tilewalk
