// The axes with what is drawn on them: the learner's roofs and points in ink, the truth over them in the accent.
#include "app/boards/draw_plot_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// The square in a round mark: a name may come close to its rim.
Rect core_of(Vec2 at, float size) {
  const float half = size * 0.36f;
  return {at.x - half, at.y - half, 2 * half, 2 * half};
}

// The line of a bandwidth within the axes, up to the ceiling.
std::optional<DrawSegment> slope_of(const DrawPlot& p, double rate, double ceiling) {
  const double top = ceiling > 0 ? std::min(ceiling, kMostY) : kMostY;
  const double from = std::max(kLeastX, kLeastY / rate), to = std::min(kMostX, top / rate);
  if (!(to > from)) return std::nullopt;
  return DrawSegment{p.at(from, from * rate), p.at(to, to * rate)};
}

std::optional<DrawSegment> flat_of(const DrawPlot& p, double rate, double bandwidth) {
  const double from = bandwidth > 0 ? std::clamp(rate / bandwidth, kLeastX, kMostX) : kLeastX;
  if (rate < kLeastY || rate > kMostY || from >= kMostX) return std::nullopt;
  return DrawSegment{p.at(from, rate), p.at(kMostX, rate)};
}

void add_line(DrawPlot& p, const std::optional<DrawSegment>& segment, Color color, float width, float dash = 0) {
  if (!segment) return;
  p.view.line(segment->first, segment->second, color, width, dash);
  p.lines.push_back(*segment);
}

// Ceilings that are not the lowest go on over the slopes that reach them.
double reach_of(const Drawing& drawing, Roof bandwidth) {
  double highest = 0;
  for (const DrawnRoof& roof : drawing.roofs)
    if (!is_bandwidth(roof.kind)) highest = std::max(highest, in_flop(roof.kind, roof.rate, drawing.d));
  return bandwidth == Roof::Dram && drawing.find(Roof::Dram) ? ceiling_of(drawing) : highest;
}

void draw_true_roofs(DrawPlot& p, const Truth& truth) {
  const auto& dram = truth.roofs[Roof::Dram];
  const auto& tensor = truth.roofs[Roof::Tensor];
  if (!dram || !tensor) return;
  const Color accent = p.view[Role::Accent];
  for (const DrawnRoof& roof : p.sheet.drawing.roofs) {
    if (roof.kind == Roof::Dram || roof.kind == Roof::Tensor || !truth.roofs[roof.kind]) continue;
    const double rate = truth.roofs[roof.kind]->value;
    add_line(p,
             is_bandwidth(roof.kind) ? slope_of(p, rate, tensor->value)
                                     : flat_of(p, in_flop(roof.kind, rate, p.sheet.d()), dram->value),
             with_alpha(accent, 0.7f), p.px(1.5f), p.px(6));
  }
  add_line(p, slope_of(p, dram->value, tensor->value), accent, p.px(2));
  add_line(p, flat_of(p, tensor->value, dram->value), accent, p.px(2));
}

// What the class has drawn, lightly: where many agree the lines grow dark.
void draw_class(DrawPlot& p, const std::vector<Drawing>& all) {
  const float ink = std::clamp(4.0f / float(all.size()), 0.07f, 0.4f), dot = p.px(9);
  const Color color = with_alpha(p.view[Role::Text], ink);
  for (const Drawing& drawing : all) {
    const double bandwidth = bandwidth_of(drawing), ceiling = ceiling_of(drawing);
    for (const auto& segment : {bandwidth > 0 ? slope_of(p, bandwidth, ceiling) : std::nullopt,
                                ceiling > 0 ? flat_of(p, ceiling, bandwidth) : std::nullopt})
      if (segment) p.view.line(segment->first, segment->second, color, p.px(2));
    for (const DrawnPoint& point : drawing.points)
      if (const double rate = attainable(drawing, point); rate > 0) {
        const Vec2 at = p.mark_at(point.intensity, rate);
        p.view.box({at.x - dot / 2, at.y - dot / 2, dot, dot}, dot / 2, color);
      }
  }
}

// A round grip on a roof, and its name.
void add_handle(DrawPlot& p, const DrawnRoof& roof, Vec2 at, std::vector<Vec2> anchors, bool tick) {
  const std::string key = fmt::format("roof/{}", key_of(roof.kind)), id = "board:plot/" + key;
  const bool hot = p.view.view.hover == id || p.view.view.held == id || p.sheet.roof == roof.kind;
  const float size = p.px(20), hit = p.px(30);
  const bool locked = p.sheet.locked;
  if (!locked && p.view.hands)
    p.view.box({at.x - size / 2, at.y - size / 2, size, size}, size / 2, Role::Background, Role::Text,
               p.px(hot ? 6 : 4));
  if (p.view.hands) p.kept.push_back(core_of(at, size));
  const std::string words = fmt::format("{} {}", short_name(roof.kind), rate_words(roof.kind, roof.rate));
  std::string tip = fmt::format("{}: {}.", name_of(roof.kind), rate_words(roof.kind, roof.rate));
  if (roof.kind == Roof::Exponential || roof.kind == Roof::Vector)
    tip += fmt::format(" {} 4 d = {} FLOP of products: {}FLOP/s.",
                       roof.kind == Roof::Exponential ? "Each exponential comes with" : "Four operations come with",
                       4 * p.sheet.d(), si_words(in_flop(roof.kind, roof.rate, p.sheet.d())));
  p.view.region({at.x - hit / 2, at.y - hit / 2, hit, hit}, id,
                tip + " Drag it, or ↑ ↓ (finer with Shift); Delete removes it", !locked, hit / 2);
  DrawPlot::Name name;
  name.words = tick ? words + " ✓" : words;
  name.shorter = words;
  name.wish.anchors = std::move(anchors);
  name.wish.clear = p.px(8);
  name.color = p.view[Role::Text];
  p.names.push_back(std::move(name));
}

void draw_roofs(DrawPlot& p, const Truth& truth) {
  const Drawing& drawing = p.sheet.drawing;
  const Color ink = p.view[Role::Text];
  const double ceiling = ceiling_of(drawing), bandwidth = bandwidth_of(drawing);
  double fastest = bandwidth;  // ceilings above the lowest begin at the fastest slope
  for (const DrawnRoof& roof : drawing.roofs)
    if (is_bandwidth(roof.kind)) fastest = std::max(fastest, roof.rate);
  for (const DrawnRoof& roof : drawing.roofs) {
    const bool slope = is_bandwidth(roof.kind);
    const double flop = in_flop(roof.kind, roof.rate, p.sheet.d());
    const auto segment = slope ? slope_of(p, roof.rate, reach_of(drawing, roof.kind))
                               : flat_of(p, flop, flop == ceiling ? bandwidth : fastest);
    const bool binds = slope ? roof.rate == bandwidth : flop == ceiling;
    add_line(p, segment, binds ? ink : p.view[Role::TextSecondary], p.px(binds ? 4 : 2));
  }
  if (drawing.eta < 1 && ceiling > 0) add_line(p, flat_of(p, ceiling * drawing.eta, bandwidth), ink, p.px(2), p.px(6));
  for (const DrawnRoof& roof : drawing.roofs) {
    const auto& rate = truth.roofs[roof.kind];
    const bool tick = p.view.hands && rate && is_close(roof.rate, rate->value);
    const double flop = in_flop(roof.kind, roof.rate, p.sheet.d());
    if (is_bandwidth(roof.kind)) {
      const double x = handle_x(roof.kind);
      const Vec2 at = p.mark_at(x, x * roof.rate);
      // On the slope itself: past its end the name would stand at the ceiling.
      const double reach = reach_of(drawing, roof.kind);
      std::vector<Vec2> anchors;
      for (const double further : {1.9, 1.0, 3.2, 5.5, 9.0, 15.0, 24.0, 0.5, 0.27})
        if (further <= 1 || reach <= 0 || x * further * roof.rate < reach)
          anchors.push_back(p.at(x * further, x * further * roof.rate));
      add_handle(p, roof, at, std::move(anchors), tick);
    } else {
      // Apart from each other, as ceilings may lie close together.
      const double x = kMostX / (roof.kind == Roof::Tensor ? 2.4 : roof.kind == Roof::Vector ? 7 : 20);
      const Vec2 at = p.mark_at(x, flop);
      std::vector<Vec2> anchors;
      for (const double further : {0.32, 0.16, 0.08, 1.0, 2.0}) anchors.push_back(p.at(x * further, flop));
      add_handle(p, roof, at, std::move(anchors), tick);
    }
  }
}

void draw_ridge(DrawPlot& p) {
  const double ridge = ridge_of(p.sheet.drawing), rate = ceiling_of(p.sheet.drawing);
  if (ridge <= 0 || !p.inside(ridge, rate)) return;
  const Vec2 top = p.at(ridge, rate), foot{top.x, p.rect.bottom()};
  p.view.line(top, foot, Role::Text, p.px(1.5f), p.px(5));
  p.lines.emplace_back(top, foot);
  const Reading reading{
      "ridge", "Ridge of your roofs", {ridge, "flop/byte", Origin::Computed, "peak / bandwidth, as drawn"}};
  const float half = p.px(12);
  p.view.region({top.x - half, top.y, 2 * half, foot.y - top.y}, "reading:ridge",
                p.view.covered("ridge") ? "Covered until you have answered" : tip_of(reading));
  if (p.view.covered("ridge")) return;
  DrawPlot::Name name;
  name.words = fmt::format("ridge {}", intensity_words(ridge));
  name.wish.anchors = {{foot.x, foot.y - p.px(14)}, {foot.x, foot.y - p.px(46)}, {foot.x, foot.y - p.px(78)}};
  name.wish.clear = p.px(6);
  name.color = p.view[Role::Text];
  p.names.push_back(std::move(name));
}

std::string tip_of_point(const DrawSheet& sheet, const DrawnPoint& point) {
  const double rate = attainable(sheet.drawing, point), seconds = seconds_of(sheet.drawing, point);
  std::string tip = fmt::format("{}: {} FLOP/byte", name_of(point), intensity_words(point.intensity));
  if (rate > 0) tip += fmt::format(", at most {}FLOP/s", si_words(rate, 4));
  if (seconds > 0) tip += fmt::format(", {} a head", amount(seconds, "s"));
  return tip;
}

// On an empty roof a point lies at the foot of the axes.
Vec2 place_of(const DrawPlot& p, const DrawnPoint& point) {
  const double rate = attainable(p.sheet.drawing, point);
  return p.mark_at(point.intensity, rate > 0 ? rate : kLeastY);
}

void draw_points(DrawPlot& p, const Truth& truth) {
  const float size = p.px(18), hit = p.px(28);
  const std::vector<DrawnPoint>& points = p.sheet.drawing.points;
  for (size_t k = 0; k < points.size(); ++k) {
    const Vec2 at = place_of(p, points[k]);
    const std::string id = fmt::format("board:plot/point/{}", k);
    const bool chosen = p.sheet.tab == DrawTab::Points && p.sheet.point == int(k);
    const bool hot = p.view.view.hover == id || p.view.view.held == id;
    p.view.line({at.x, p.rect.bottom()}, at, Role::Ghost, p.px(1.5f), p.px(5));
    // No name touches it, nor ends at it.
    p.kept.push_back({at.x - p.px(6), at.y, p.px(12), p.rect.bottom() - at.y});
    p.lines.emplace_back(Vec2{at.x, p.rect.bottom()}, at);
    if (chosen || hot)
      p.view.box({at.x - size * 0.9f, at.y - size * 0.9f, size * 1.8f, size * 1.8f}, size, {}, Role::Text, p.px(2));
    // Without numbers it is no point to copy from a wall.
    const bool there = p.view.hands || points[k].flop > 0 || points[k].bytes > 0;
    p.view.box({at.x - size / 2, at.y - size / 2, size, size}, size / 2, there ? Role::Text : Role::Background,
               there ? Role::Background : Role::Text, p.px(2));
    p.kept.push_back(core_of(at, size));
    p.view.region({at.x - hit / 2, at.y - hit / 2, hit, hit}, id,
                  tip_of_point(p.sheet, points[k]) +
                      (p.sheet.locked ? "" : ". Drag it, or ← → (finer with Shift); Delete removes it"),
                  !p.sheet.locked, hit / 2);
    const double seconds = seconds_of(p.sheet.drawing, points[k]);
    const TruePoint& true_one = truth.points[k];
    const bool tick = p.view.hands && points[k].flop > 0 && points[k].bytes > 0 &&
                      is_close(points[k].flop, true_one.point.flop) && is_close(points[k].bytes, true_one.point.bytes);
    DrawPlot::Name name;
    name.shorter = name_of(points[k]);
    name.words = name.shorter + (seconds > 0 && there && !p.view.covered("win") ? " " + time_words(seconds) : "") +
                 (tick    ? " ✓"
                  : there ? ""
                          : " ?");
    name.wish.anchors = {at};
    name.wish.clear = size * 0.75f;
    name.color = p.view[Role::Text];
    p.names.push_back(std::move(name));
  }
}

// The model's ring, and what was measured as a diamond on its spread.
void draw_true_point(DrawPlot& p, const TruePoint& truth, bool named) {
  const Color accent = p.view[Role::Accent];
  const float size = p.px(20), hit = p.px(26);
  const Vec2 at = p.mark_at(truth.point.intensity, truth.rate());
  p.view.box({at.x - size / 2, at.y - size / 2, size, size}, size / 2, {}, accent, p.px(3.5f));
  p.kept.push_back(core_of(at, size));
  const std::string name = name_of(truth.point);
  p.view.region(
      {at.x - hit / 2, at.y - hit / 2, hit, hit}, "reading:model/" + name,
      fmt::format("{} by the model: {} FLOP/byte, {}FLOP/s, {} a head", name, intensity_words(truth.point.intensity),
                  si_words(truth.rate(), 4), amount(truth.seconds, "s")));
  if (truth.measured) {
    const MeasuredTime& m = *truth.measured;
    const Vec2 here = p.mark_at(m.intensity, truth.point.flop / m.seconds);
    const Vec2 slow = p.at(m.intensity, truth.point.flop / m.high), fast = p.at(m.intensity, truth.point.flop / m.low);
    const float half = p.px(9), cap = p.px(7);
    p.view.line(slow, fast, accent, p.px(2));
    p.view.line({slow.x - cap, slow.y}, {slow.x + cap, slow.y}, accent, p.px(2));
    p.view.line({fast.x - cap, fast.y}, {fast.x + cap, fast.y}, accent, p.px(2));
    const auto lozenge = [&](float r, Color fill) {
      p.view.polygon({{here.x, here.y - r}, {here.x + r, here.y}, {here.x, here.y + r}, {here.x - r, here.y}}, fill);
    };
    if (m.kind == RunKind::Measured)
      p.view.box({here.x - half * 0.8f, here.y - half * 0.8f, half * 1.6f, half * 1.6f}, 0, accent);
    else
      lozenge(half, accent);
    if (m.kind == RunKind::Own) lozenge(half * 0.55f, p.view[Role::Background]);
    p.kept.push_back(core_of(here, 2 * half));
    p.view.region({here.x - hit / 2, here.y - hit / 2, hit, hit}, "reading:measured/" + name,
                  fmt::format("{}, {}: {} a head, p10 {}, p90 {}. {}", name, words_of(m.kind), amount(m.seconds, "s"),
                              amount(m.low, "s"), amount(m.high, "s"), m.source));
  }
  if (!p.sheet.l2 && is_fused(truth.point.method)) {
    DrawPlot::Name moved;
    moved.words = moved.shorter = name + ", no L2";
    moved.wish = {{at}, size * 0.75f, 0, 0};
    moved.color = p.view[Role::AccentText];
    p.names.push_back(std::move(moved));
    if (!truth.measured) return;
  }
  if (!named || (!p.sheet.l2 && !is_fused(truth.point.method))) return;  // without L2 it is the fused point that moves
  DrawPlot::Name label;
  label.words = fmt::format("{}{} {}", truth.measured ? fmt::format("{} ", glyph_of(truth.measured->kind)) : "", name,
                            amount(truth.best_seconds(), "s"));
  label.shorter = name;
  label.wish.anchors = {truth.measured ? p.at(truth.measured->intensity, truth.point.flop / truth.measured->seconds)
                                       : at};
  label.wish.clear = size * 0.75f;
  label.color = p.view[Role::AccentText];
  p.names.push_back(std::move(label));
}

void draw_truth(DrawPlot& p, const Truth& truth) {
  const bool few = truth.points.size() <= 4;
  for (const TruePoint& point : truth.points) draw_true_point(p, point, few);
  // What was predicted is shown even where no point was drawn for it.
  if (!drawn_standard(p.sheet.drawing)) draw_true_point(p, truth.standard, true);
  const bool own = std::ranges::any_of(p.sheet.drawing.points, [&](const DrawnPoint& point) {
    return point.method == truth.fused.point.method && point.direction == Direction::Forward &&
           point.mask == Mask::Full;
  });
  if (!own) draw_true_point(p, truth.fused, true);
}

}  // namespace

void layout_plot(const BoardView& view, Rect area, const DrawSheet& sheet, const Truth& truth) {
  const Style& st = view.style;
  const float left = st.px(58), below = st.px(46), above = st.px(38);
  DrawPlot p{view, sheet, {area.x + left, area.y + above, area.w - left - st.px(10), area.h - above - below},
             {},   {},    {},
             {},   {}};
  p.x = {kLeastX, kMostX, Axis::Scale::Log10, p.rect.x, p.rect.right()};
  p.y = {kLeastY, kMostY, Axis::Scale::Log10, p.rect.bottom(), p.rect.y};
  view.region(p.rect, "board:plot", "FLOP a second over FLOP a byte, both logarithmic");
  draw_squared_paper(p);
  const float tools = st.px(178);
  if (view.hands) draw_tools(p, {area.right() - tools - st.px(10), area.y, tools, st.px(28)});
  if (sheet.reveal) {
    const std::vector<Drawing> others = class_drawings(view.view, sheet);
    draw_class(p, others);
    draw_true_roofs(p, truth);
    const Rect legend{p.rect.x + st.px(8), area.y, area.right() - tools - p.rect.x - st.px(24), st.px(28)};
    draw_legend(p, legend, truth, others.size());
  }
  draw_roofs(p, truth);
  draw_ridge(p);
  draw_points(p, truth);
  if (sheet.reveal) draw_truth(p, truth);
  draw_names(p);
}

}  // namespace tilewalk
