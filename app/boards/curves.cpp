// Curves over N: the time of each method, its win over standard attention, its bytes at L2 and DRAM, its memory beside
// what GPUs have; and what was recorded, on the model's curves. Recordings are drawn for the GPU they were made on.
#include "app/boards/boards.h"
#include "app/boards/curves_parts.h"
#include "app/boards/draw.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/roofs_knob.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 6> kViews{"Time",       "Speed-up", "L2 bytes",
                                                 "DRAM bytes", "Memory",   "Predicted and measured"};
constexpr std::array<std::string_view, 2> kBatches{"16 K tokens", "B and H"};
constexpr std::array<std::string_view, 2> kBatchIds{"tokens", "fixed"};
constexpr std::array<std::string_view, 4> kMethodWords{"standard", "FA1", "FA2", "FA3"};
constexpr std::array<std::string_view, 4> kMethodIds{"standard", "fa1", "fa2", "fa3"};
const std::array<Knob, 11> kKnobs{
    kLengthKnob,
    kHeadDimKnob,
    roofs_knob("h200-measured"),
    kMaskKnob,
    kPassKnob,
    choice_knob("batch", "With N", kBatches, 0,
                "Keep 16,384 tokens and 2,048 columns, as benchmarks do, or keep B and H", kBatchIds),
    kBatchKnob,
    kHeadsKnob,
    choice_knob("method", "Taken apart", kMethodWords, 3, "Whose recorded time is set against the model's terms",
                kMethodIds),
    // Without a label it has no place among the knobs: its tabs are above the plot.
    choice_knob("curve", "", kViews, 0, "What is drawn over N", kCurvesViewIds),
    kExpectKnob,
};

// Who turns B or H wants them kept, and not the tokens.
void turns_with(std::string_view knob, BoardState& state) {
  if (knob == kBatchKnob.id || knob == kHeadsKnob.id) state.knobs["batch"] = 1;
}

// Four digits, for those who want them exactly.
std::string four_digits(double value, std::string_view unit) {
  if (unit == "times") return fmt::format("{:.2f}×", value);
  const bool time = unit == "s";
  const std::array<std::string_view, 5> units = time ? std::array<std::string_view, 5>{"ns", "µs", "ms", "s", "s"}
                                                     : std::array<std::string_view, 5>{"B", "kB", "MB", "GB", "TB"};
  double scaled = time ? value * 1e9 : value;
  size_t k = 0;
  while (scaled >= 1000 && k + 1 < (time ? 4 : units.size())) scaled /= 1000, ++k;
  return fmt::format("{:.{}f} {}", scaled, scaled >= 100 ? 1 : scaled >= 10 ? 2 : 3, units[k]);
}

std::vector<Reading> readings(const Exhibit& view) {
  std::vector<Reading> out;
  const auto roofs = roofs_chosen(view);
  if (!roofs) return out;
  if (curves_view(view) == CurvesView::Against) {
    const std::vector<RecordedRun> runs = recorded_on(*roofs, view.view.gpu);
    if (const RecordedRun* run = chosen_run(runs, view)) {
      const double model = estimate_at(run->method, run->asked, *roofs).time,
                   measured = run->kernel->timing->median * 1e-3;
      const std::string what = fmt::format("{}, {}", info_of(run->method).name, run->asked.words());
      out.push_back({"model", "Model", {model, "s", Origin::Model, fmt::format("{}; {}", what, roofs->title)}});
      const std::string_view told = words_of(run->from.kind);
      out.push_back({"recorded",
                     fmt::format("The GPU, {}", told),
                     {measured, "s", origin_of(run->from.kind), fmt::format("{}; {}", what, words_of(run->from))}});
      out.push_back(
          {"ratio", fmt::format("Model over {}", told), {model / measured, "", origin_of(run->from.kind), what}});
    }
    return out;
  }
  const SeriesChart chart = curves_chart(view, *roofs);
  for (const ChartSeries& s : chart.series) {
    if (s.mark != ChartMark::None) continue;
    const std::string unit = s.series.unit == "times" ? "" : s.series.unit;
    const std::string what = case_at(view, chart.x).words();
    for (const Method method : kCurvesMethods)
      if (s.series.label == info_of(method).name)
        out.push_back({s.series.id,
                       s.series.label,
                       {model_value(curves_view(view), method, case_at(view, chart.x), *roofs), unit, s.series.origin,
                        fmt::format("{}; {}", what, s.series.source)}});
    if (const auto told = told_at(chart, s.series.id, chart.x))
      out.push_back({told->series.id,
                     told->series.label,
                     {told->point.value, unit, told->series.origin, fmt::format("{}; {}", what, told->series.source)}});
  }
  return out;
}

std::vector<Series> series(const Exhibit& view) {
  std::vector<Series> out;
  const auto roofs = roofs_chosen(view);
  if (!roofs) return out;
  if (curves_view(view) == CurvesView::Against) return series_against(view, *roofs);
  for (ChartSeries& s : curves_chart(view, *roofs).series) {
    if (s.series.unit == "times") s.series.unit.clear();
    out.push_back(std::move(s.series));
  }
  return out;
}

bool standard_fits(const Case& asked, const Roofs& roofs) {
  return roofs.memory_bytes <= 0 || memory_of(Method::Standard, asked.problem, asked.direction()) <= roofs.memory_bytes;
}

std::string caption(const Exhibit& view) {
  const auto roofs = roofs_chosen(view);
  if (!roofs) return no_roofs(view);
  const CurvesView what = curves_view(view);
  if (what == CurvesView::Against) return caption_against(view, *roofs);
  const double n = view.knob("N");
  const Case asked = case_at(view, n);
  const Method fused = best_fused(*roofs);
  const std::string_view name = info_of(fused).name;
  const auto of = [&](Method method) { return model_value(what, method, asked, *roofs); };
  const std::string at = fmt::format("At N = {}", with_commas(int64_t(n)));
  const auto words = [](double value) { return amount(value, "byte"); };
  // Where a rate is not known, times leave it out.
  const bool known = estimate_at(fused, asked, *roofs).unknown.empty();
  const std::string_view at_least = known ? "" : "at least ", at_most = known ? "" : "at most ";
  const bool fits = standard_fits(asked, *roofs);
  const std::string_view fitted = fits ? "" : " if it fitted";
  switch (what) {
    case CurvesView::Time:
      return fmt::format("{} {} takes {}{} by the model, standard attention {}{}.", at, name, at_least,
                         amount(of(fused), "s"), amount(of(Method::Standard), "s"), fitted);
    case CurvesView::Win:
      if (!fits)
        return fmt::format("{} {} wins {}{:.1f}× over standard attention if it fitted.", at, name, at_most, of(fused));
      return asked.pass == CasePass::Decode
                 ? fmt::format("{} {} wins {}{:.1f}× over standard with one query: both wait for K and V.", at, name,
                               at_most, of(fused))
                 : fmt::format("{} {} wins {}{:.1f}× over standard attention, at N = {} {:.1f}×{}.", at, name, at_most,
                               of(fused), with_commas(int64_t(kMostCaseN)),
                               model_value(what, fused, case_at(view, kMostCaseN), *roofs),
                               standard_fits(case_at(view, kMostCaseN), *roofs) ? "" : " if it fitted");
    case CurvesView::L2:
      return fmt::format("{} {} brings {} across L2: it loads K and V once for every tile of queries.", at, name,
                         words(of(fused)));
    case CurvesView::Dram:
      return fmt::format("{} {} moves {} through DRAM, standard attention {}{}.", at, name, words(of(fused)),
                         words(of(Method::Standard)), fitted);
    case CurvesView::Memory:
      return fmt::format("{} {} needs {}, standard attention {}.", at, name, words(of(fused)),
                         words(of(Method::Standard)));
    case CurvesView::Against: break;
  }
  return {};
}

// What is drawn, chosen by words above the plot.
void layout_views(const BoardView& view, Rect line) {
  const Style& st = view.style;
  const size_t open = size_t(view.knob("curve"));
  float size = st.body(), gap = st.px(28);
  const auto width = [&](std::string_view words) { return text_width(words, Face::SansBold, size) + st.px(2); };
  const auto all = [&] {
    float sum = -gap;
    for (const std::string_view words : kViews) sum += width(words) + gap;
    return sum;
  };
  while (all() > line.w && size > st.small()) size -= st.px(1), gap = std::max(st.px(12), gap - st.px(2));
  float x = line.x;
  for (size_t k = 0; k < kViews.size(); ++k) {
    const float w = width(kViews[k]);
    const std::string id = fmt::format("knob:curve/{}", k);
    const bool on = k == open, hot = view.view.hover == id;
    if (!view.hands) {
      if (on) view.label({line.x, line.y, w, line.h - st.px(5)}, kViews[k], Face::SansBold, size, Role::Text);
      continue;
    }
    view.label({x, line.y, w, line.h - st.px(5)}, kViews[k], on ? Face::SansBold : Face::Sans, size,
               on || hot ? Role::Text : Role::TextSecondary);
    if (on) view.box({x, line.bottom() - st.px(3), w, st.px(3)}, st.px(1.5f), Role::Text);
    view.region({x - gap / 2, line.y, w + gap, line.h}, id, fmt::format("Draws: {}", kViews[k]), true);
    x += w + gap;
  }
}

// The values of every curve where the cross-hair stands, or where one points.
void layout_readout(const BoardView& view, Rect area, const SeriesChart& chart, double n, const Roofs& roofs) {
  const Style& st = view.style;
  const Case asked = case_at(view, n);
  const bool low = area.h < st.px(400);
  const float title = st.px(low ? 34 : 46), line = st.px(22);
  view.text({area.x, area.y, area.w, title}, fmt::format("N = {}", with_commas(int64_t(n))), Face::MonoBold,
            low ? st.title() : st.px(34), Role::Text);
  view.text({area.x, area.y + title, area.w, line},
            fmt::format("B {}, H {}, d {}", asked.problem.batch, asked.problem.heads, asked.problem.d), Face::Sans,
            st.number(), Role::TextSecondary);
  const std::vector<RecordedRun> runs = recorded_on(roofs, view.view.gpu);
  const bool any = std::ranges::any_of(chart.series, [](const ChartSeries& s) { return s.mark != ChartMark::None; });
  std::vector<RecordedRun> drawn = runs;
  std::erase_if(drawn,
                [&](const RecordedRun& r) { return !same_call(r.asked, case_at(view, double(r.asked.problem.n_k))); });
  const std::string source = runs.empty() || any ? words_of_recordings(drawn)
                             : curves_view(view) == CurvesView::Memory
                                 ? std::string("Of one layer, computed; standard: S and P at once.")
                                 : std::string("No runs of this call: every number is the model's.");
  const size_t lines = std::min<size_t>(5, wrap_text(source, Face::Sans, st.small(), area.w).size());
  const float foot = low ? 0 : std::max(st.px(44), (float(lines) + 0.2f) * st.small() * kLinePitch);
  std::vector<const ChartSeries*> rows;
  for (const ChartSeries& s : chart.series)
    if (s.mark == ChartMark::None) rows.push_back(&s);
  const bool times = curves_view(view) == CurvesView::Time;
  const float press = st.px(24);
  const bool expected = times && view.knob(kExpectKnob.id) == 0;
  if (times)
    layout_expected(view, {area.x, area.y + title + line, area.w, press},
                    view.view.present.on ? "× measured over model" : "and what to expect, × the model's",
                    "What was measured elsewhere over the model's time.");
  const float y = area.y + title + line + (times ? press : 0) + st.px(low ? 6 : 18);
  const float row = std::min(st.px(84), (area.bottom() - foot - y) / float(std::max<size_t>(1, rows.size())));
  for (size_t k = 0; k < rows.size(); ++k) {
    const ChartSeries& s = *rows[k];
    const Rect r{area.x, y + row * float(k), area.w, row};
    Method method = Method::Standard;
    for (const Method each : kCurvesMethods)
      if (s.series.label == info_of(each).name) method = each;
    const double value = model_value(curves_view(view), method, asked, roofs);
    const auto recorded = told_at(chart, s.series.id, n);
    const float top = std::min(st.px(26), row * 0.45f), number = st.px(low ? 18 : 24);
    const bool full =
        curves_view(view) != CurvesView::Memory && method == Method::Standard && !standard_fits(asked, roofs);
    const auto band = expected ? band_of(method, asked.problem, asked.direction(), roofs) : std::nullopt;
    const float sample = st.px(26), name_x = r.x + sample + st.px(8), name_size = low ? st.small() : st.number();
    const std::string held = !expected ? "" : band ? fmt::format(" · × {}", times_words(*band)) : " · nothing measured";
    const std::string fitting = full ? ", if it fitted" : "";
    const std::string name = form_that_fits(
        {s.series.label + fitting + held, s.series.label + fitting, s.series.label + held, s.series.label},
        Face::SansBold, name_size, r.right() - name_x);
    const bool would_be = n > s.solid_to;
    const bool fit_unsaid = full && name.find(fitting) == std::string::npos;
    view.line({r.x, r.y + top / 2}, {r.x + sample, r.y + top / 2}, s.line, st.px(would_be ? kWouldBeWidth : s.width),
              st.px(would_be ? kWouldBeDash : s.dash));
    view.text({name_x, r.y, r.right() - name_x, top}, name, Face::SansBold, name_size, s.text);
    const std::string words = four_digits(value, s.series.unit);
    const float w = text_width(words, Face::MonoBold, number) + st.px(4);
    const Rect at{r.x, r.y + top, std::min(r.w, w), std::min(number * 1.35f, row - top)};
    view.text(at, words, Face::MonoBold, number, Role::Text);
    if (fit_unsaid)
      view.text({at.right() + st.px(8), at.y, r.right() - at.right() - st.px(8), at.h}, "if it fitted", Face::Sans,
                st.small(), Role::TextSecondary);
    else if (recorded) {
      const std::string told =
          fmt::format("{} ", glyph_of(recorded->kind)) + four_digits(recorded->point.value, s.series.unit);
      const float told_w = text_width(told, Face::Mono, st.number()) + st.px(4);
      const float left = at.right() + st.px(14);
      const bool beside = left + told_w <= r.right();
      const Rect place = beside ? Rect{left, at.y, told_w, at.h} : Rect{r.x, at.bottom(), r.w, st.px(20)};
      if (beside || row - top - at.h >= st.px(20)) {
        view.text(place, told, Face::Mono, st.number(), Role::Text);
        // Its mark is that of the plot, where a dashed curve's has a gap.
        const float mark = text_width(glyph_of(recorded->kind), Face::Mono, st.number()), y = place.center().y;
        if (s.dash > 0) view.line({place.x, y}, {place.x + mark, y}, Role::Background, st.px(2));
      }
    }
    std::string tip = fmt::format("{}: {}, {}: {}", s.series.label, words, name_of(s.series.origin), s.series.source);
    if (expected) tip += ". " + expected_tip(method, asked, roofs);
    if (recorded)
      tip += fmt::format(". {}: {}, p10 {}, p90 {}; {}", recorded->series.label,
                         four_digits(recorded->point.value, s.series.unit),
                         four_digits(recorded->point.low, s.series.unit),
                         four_digits(recorded->point.high, s.series.unit), recorded->series.source);
    view.region(r, "reading:" + s.series.id, tip);
  }
  if (foot > 0)
    text_block(view, {area.x, area.bottom() - foot, area.w, foot}, source, Face::Sans, st.small(), Role::TextSecondary);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const auto roofs = roofs_chosen(view);
  const bool low = area.h < st.px(480);
  const float tabs = view.file ? 0 : st.px(low ? 30 : 38), gap = view.file ? 0 : st.px(low ? 8 : 20);
  if (!view.file) layout_views(view, {area.x, area.y, area.w, tabs});
  if (!roofs) return layout_no_roofs(view, area);
  const Rect rest{area.x, area.y + tabs + gap, area.w, area.h - tabs - gap};
  if (curves_view(view) == CurvesView::Against) return layout_against(view, rest, *roofs);
  const float side = std::clamp(area.w * 0.2f, st.px(176), st.px(320)), between = st.px(low ? 16 : 28);
  const SeriesChart chart = curves_chart(view, *roofs);
  const Rect left{rest.x, rest.y, rest.w - side - between, rest.h};
  layout_series_chart(view, left, chart);
  const double n = stop_under_pointer(view, plot_of_chart(view, left, chart), chart).value_or(chart.x);
  layout_readout(view, {rest.right() - side, rest.y, side, rest.h}, chart, n, *roofs);
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  if (id.starts_with("board:dot/")) return act_against(id, state);
  const Axis axis{kLeastCaseN, kMostCaseN, Axis::Scale::Log2, 0, 1};
  if (!id.starts_with("board:plot")) return {};
  // The nearest place with values.
  const double wanted = axis.value_at(std::clamp(at.x, 0.0f, 1.0f));
  const auto best = std::ranges::min_element(curve_stops(keeps_tokens(state)), {},
                                             [&](double n) { return std::fabs(std::log(n / wanted)); });
  turn_to(kCurvesBoard, state, "N", *best);
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (!id.starts_with("board:plot")) return {};
  // From one place with values to the next.
  const double n = knob_value(kCurvesBoard, state, "N");
  const std::vector<double>& all = curve_stops(keeps_tokens(state));
  if (right + up > 0) {
    const auto next = std::ranges::upper_bound(all, n);
    if (next != all.end()) turn_to(kCurvesBoard, state, "N", *next);
  } else {
    const auto here = std::ranges::lower_bound(all, n);
    if (here != all.begin()) turn_to(kCurvesBoard, state, "N", *(here - 1));
  }
  return {};
}

}  // namespace

MethodInk ink_of(Method method) {
  switch (method) {
    case Method::Fa1: return {Role::TextSecondary, Role::TextSecondary, 3, 7};
    case Method::Fa2: return {Role::Text, Role::Text, 3.5f, 0};
    case Method::Fa3:
    case Method::Fa4: return {Role::Accent, Role::AccentText, 4.5f, 0};  // no GPU runs both as modelled
    default: return {Role::TextSecondary, Role::TextSecondary, 2, 0};
  }
}

const Board kCurvesBoard{.id = "curves",
                         .title = "Curves",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .act = act,
                         .nudge = nudge,
                         .series = series,
                         .turns_with = turns_with,
                         .fixed = "fp16"};

}  // namespace tilewalk
