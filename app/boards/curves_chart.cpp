// What the board "curves" draws: a line of the model's for each method that runs there, and on it what was recorded and
// what was measured.
#include "app/boards/boards.h"
#include "app/boards/curves_parts.h"
#include "app/boards/draw.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tilewalk {

const std::array<std::string_view, 6> kCurvesViewIds{"time", "win", "l2", "dram", "memory", "against"};

CurvesView curves_view(const Exhibit& view) { return CurvesView(view.knob("curve")); }

// Where there are values. A batch that keeps its tokens is whole at powers of two alone; else four in each octave, and
// two where the curves are straight.
const std::vector<double>& curve_stops(bool tokens) {
  static const auto make = [](int below, int above) {
    std::vector<double> out;
    for (double octave = kLeastCaseN; octave < kMostCaseN; octave *= 2)
      for (int k = 0, pieces = octave < 8192 ? below : above; k < pieces; ++k)
        out.push_back(octave * (1 + double(k) / pieces));
    out.push_back(kMostCaseN);
    return out;
  };
  static const std::vector<double> all = make(4, 2), powers = make(1, 1);
  return tokens ? powers : all;
}
bool keeps_tokens(const BoardState& state) { return knob_value(kCurvesBoard, state, "batch") == 0; }

Case case_at(const Exhibit& view, double n) {
  Case asked = case_of(view).at(int64_t(n));
  if (keeps_tokens(view.state)) {
    const Problem usual = benchmark_problem(int64_t(n), asked.problem.d);
    asked.problem.batch = usual.batch;
    asked.problem.heads = usual.heads;
  }
  return asked;
}

double model_value(CurvesView what, Method method, const Case& asked, const Roofs& roofs) {
  switch (what) {
    case CurvesView::Time: return estimate_at(method, asked, roofs).time;
    case CurvesView::Win:
      return estimate_at(Method::Standard, asked, roofs).time / estimate_at(method, asked, roofs).time;
    case CurvesView::L2: return work_at(method, asked, roofs.sms).total(Roof::L2);
    case CurvesView::Dram: return estimate_at(method, asked, roofs).dram_bytes;
    case CurvesView::Memory: return memory_of(method, asked.problem, asked.direction());
    case CurvesView::Against: break;
  }
  return 0;
}

namespace {

// The methods that run there; where no fused one does, FA2 stands for them.
std::vector<Method> methods_on(const Case& asked, const Roofs& roofs) {
  std::vector<Method> out;
  Problem p = asked.problem;
  p.format = Format::Float16;  // a GPU without bf16 in its tensor cores has curves all the same
  for (const Method method : kCurvesMethods)
    if (why_not(method, roofs, p, asked.direction()).empty()) out.push_back(method);
  if (out.size() == 1) out.push_back(Method::Fa2);
  return out;
}

Series::Point recorded_point(const RecordedRun& run, double value) {
  return {double(run.asked.problem.n_k), value, value, value};
}

std::optional<Series::Point> recorded_value(CurvesView what, const RecordedRun& run) {
  const Timing& t = *run.kernel->timing;
  const auto& counters = run.kernel->counters;
  const auto sum = [&](const std::optional<double>& a, const std::optional<double>& b) -> std::optional<Series::Point> {
    return a && b ? std::optional(recorded_point(run, *a + *b)) : std::nullopt;
  };
  switch (what) {
    case CurvesView::Time:
      return Series::Point{double(run.asked.problem.n_k), t.median * 1e-3, t.p10 * 1e-3, t.p90 * 1e-3};
    case CurvesView::Win:
      for (const KernelResult& other : run.run->kernels)
        if (method_of(other) == Method::Standard && other.label.empty() && other.timing)
          return Series::Point{double(run.asked.problem.n_k), other.timing->median / t.median,
                               other.timing->p10 / t.p90, other.timing->p90 / t.p10};
      return std::nullopt;
    case CurvesView::L2: return counters ? sum(counters->l2_to_sm, counters->sm_to_l2) : std::nullopt;
    case CurvesView::Dram: return counters ? sum(counters->dram_read, counters->dram_written) : std::nullopt;
    default: return std::nullopt;
  }
}

std::string_view unit_of_view(CurvesView what) {
  return what == CurvesView::Time ? "s" : what == CurvesView::Win ? "times" : "byte";
}

std::string title_of(CurvesView what) {
  switch (what) {
    case CurvesView::Time: return "Time of one call (model)";
    case CurvesView::Win: return "Win over standard attention (model)";
    case CurvesView::L2: return "Bytes between L2 and the multiprocessors (computed)";
    case CurvesView::Dram: return "Bytes through DRAM (model)";
    case CurvesView::Memory: return "Memory that must be there (computed)";
    case CurvesView::Against: break;
  }
  return {};
}

// What was told of one method, all of one kind: at each N the last run.
ChartSeries told_series(const Exhibit& view, const Series& model, Method method, const std::vector<RecordedRun>& runs,
                        RunKind kind, const MethodInk& ink) {
  const bool live = kind == RunKind::Measured;
  ChartSeries out{{model.id + std::string(suffix_of(kind)),
                   fmt::format("{} {}", model.label, words_of(kind)),
                   "N",
                   model.unit,
                   origin_of(kind),
                   {},
                   {}},
                  ink.line,
                  ink.text,
                  ink.width,
                  ink.dash,
                  live                   ? ChartMark::Square
                  : kind == RunKind::Own ? ChartMark::Hollow
                                         : ChartMark::Diamond};
  for (const RecordedRun& run : runs) {
    if (run.method != method || run.from.kind != kind ||
        !same_call(run.asked, case_at(view, double(run.asked.problem.n_k))))
      continue;
    const auto point = recorded_value(curves_view(view), run);
    if (!point) continue;
    std::erase_if(out.series.points, [&](const Series::Point& p) { return p.x == point->x; });
    out.series.points.push_back(*point);
    out.series.source = words_of(run.from);
  }
  std::ranges::sort(out.series.points, {}, &Series::Point::x);
  return out;
}

// With what is drawn besides the model's whole lines: "(model, ◆ recorded, dotted: standard does not fit)", and
// shorter.
std::vector<std::string> with_marks(const std::string& title, const SeriesChart& chart) {
  std::string marks, dotted;
  for (const RunKind kind : kRunKinds)
    if (std::ranges::any_of(chart.series, [&](const ChartSeries& s) { return s.series.id.ends_with(suffix_of(kind)); }))
      marks += fmt::format(", {} {}", glyph_of(kind), words_of(kind));
  if (std::ranges::any_of(chart.series, [&](const ChartSeries& s) { return s.solid_to < chart.most_x; }))
    dotted = ", dotted: standard does not fit";
  const auto with = [&](const std::string& words) {
    return fmt::format("{}{})", title.substr(0, title.size() - 1), words);
  };
  return {with(marks + dotted), with(marks), title};
}

}  // namespace

SeriesChart curves_chart(const Exhibit& view, const Roofs& roofs) {
  const CurvesView what = curves_view(view);
  SeriesChart chart;
  chart.id = "board:plot";
  chart.x_title = "Sequence length N";
  // A batch cannot fall below one sequence: from there on there are more tokens, and the curves bend.
  if (keeps_tokens(view.state)) {
    const int64_t tokens = benchmark_problem(1, 64).batch;
    chart.turns.push_back({double(tokens), "from here on B = 1"});
    const std::string all = with_commas(tokens);
    chart.x_title =
        view.view.present.on
            ? fmt::format("N; B × N = {} up to N = {}, then B = 1", all, all)
            : fmt::format("Sequence length N: {} tokens in all, beyond N = {} one sequence of more", all, all);
  }
  std::string title = title_of(what);
  const bool timed = what == CurvesView::Time || what == CurvesView::Win;
  const Case first = case_at(view, kLeastCaseN);
  if (what == CurvesView::Time && first.pass == CasePass::Backward)
    title = "Time of one backward call, at least (model)";
  if (const std::string unknown = timed ? unknown_words(estimate_at(best_fused(roofs), first, roofs)) : "";
      !unknown.empty())
    title = fmt::format("{}, at {}: {} (model)",
                        what == CurvesView::Win ? "Win over standard attention" : "Time of one call",
                        what == CurvesView::Win ? "most" : "least", unknown);
  chart.least_x = kLeastCaseN;
  chart.most_x = kMostCaseN;
  chart.y_scale = what == CurvesView::Win ? Axis::Scale::Log2 : Axis::Scale::Log10;
  chart.stops = curve_stops(keeps_tokens(view.state));
  chart.x = view.knob("N");
  const bool counted = what == CurvesView::L2 || what == CurvesView::Memory;
  const std::string source =
      counted ? case_at(view, chart.x).words() : fmt::format("{} ({})", roofs.title, roofs.source);
  const std::vector<RecordedRun> runs = recorded_on(roofs, view.view.gpu);
  for (const Method method : methods_on(case_at(view, kLeastCaseN), roofs)) {
    if (what == CurvesView::Win && method == Method::Standard) continue;
    const MethodInk ink = ink_of(method);
    const size_t at = chart.series.size();
    ChartSeries model{{fmt::format("{}_{}", kCurvesViewIds[size_t(what)], info_of(method).key),
                       std::string(info_of(method).name),
                       "N",
                       std::string(unit_of_view(what)),
                       counted ? Origin::Computed : Origin::Model,
                       source,
                       {}},
                      ink.line,
                      ink.text,
                      ink.width,
                      ink.dash};
    for (const double n : chart.stops) {
      const Case asked = case_at(view, n);
      model.series.points.push_back({n, 0, 0, 0});
      Series::Point& p = model.series.points.back();
      p.value = p.low = p.high = model_value(what, method, asked, roofs);
      if (memory_of(Method::Standard, asked.problem, asked.direction()) <= roofs.memory_bytes ||
          (method != Method::Standard && what != CurvesView::Win))
        model.solid_to = n;
    }
    if (what == CurvesView::Memory || roofs.memory_bytes <= 0) model.solid_to = kMostCaseN;
    chart.series.push_back(std::move(model));
    for (const RunKind kind : kRunKinds)
      if (auto told = told_series(view, chart.series[at].series, method, runs, kind, ink); !told.series.points.empty())
        chart.series.push_back(std::move(told));
  }
  chart.y_titles = with_marks(title, chart);
  if (what == CurvesView::Win) chart.levels.push_back({1, "as standard", false});
  if (what == CurvesView::Memory) {
    std::set<double> seen{std::round(roofs.memory_bytes / 1e9)};
    if (roofs.memory_bytes > 0)
      chart.levels.push_back(
          {roofs.memory_bytes, fmt::format("{}: {}", roofs.title, amount(roofs.memory_bytes, "byte")), true});
    for (const std::string_view id : kGpuIds) {
      const GpuSpec& gpu = *gpu_named(id);
      if (seen.insert(std::round(gpu.dram_bytes / 1e9)).second)
        chart.levels.push_back(
            {gpu.dram_bytes, fmt::format("{}: {}", gpu.title, amount(gpu.dram_bytes, "byte")), false});
    }
  }
  return chart;
}

std::optional<ToldValue> told_at(const SeriesChart& chart, const std::string& id, double n) {
  for (size_t k = kRunKinds.size(); k-- > 0;)
    for (const ChartSeries& s : chart.series)
      if (s.series.id == id + std::string(suffix_of(kRunKinds[k])))
        for (const Series::Point& p : s.series.points)
          if (p.x == n) return ToldValue{kRunKinds[k], p, s.series};
  return std::nullopt;
}

}  // namespace tilewalk
