// The drawing board: empty log-log axes on which a person draws a GPU's roofs and attention's points, predicts a time
// and a win, locks them, and sees how far off they were. Plot and paper are draw_plot.cpp and draw_paper.cpp.
#include "app/boards/draw.h"

#include "app/boards/attention_case.h"
#include "app/boards/roofs_knob.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 3> kHeads{"64", "128", "256"};
constexpr std::array<std::string_view, 6> kGiven{"nothing", "DRAM", "both roofs", "standard", "all", "an example"};
constexpr std::array<std::string_view, 6> kGivenIds{"nothing", "dram", "roofs", "standard", "all", "example"};
constexpr std::array<std::string_view, 4> kSheets{"1", "2", "3", "4"};
constexpr std::array<std::string_view, 5> kMistakes{"none", "no factor 4", "elements for bytes", "sparse peak",
                                                    "SRAM's bytes at DRAM's rate"};
constexpr std::array<std::string_view, 5> kMistakeIds{"none", "factor", "elements", "sparse", "sram"};
constexpr std::array<std::string_view, 3> kPapers{"roofs", "points", "predict"};
const auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Sequence length N", 256, 131072, 8192, "Tokens in the sequence"),
    choice_knob("d", "Head dimension d", kHeads, 1, "Elements of a head's rows"),
    roofs_knob("h100"),
    linear_knob("reach", "Share of the ceiling η", 0.3, 1, 1, 0.05, "What a fused kernel reaches"),
    switch_knob("l2", "L2 serves repeats", true, "Off: every tile that is loaded is a DRAM byte"),
    switch_knob("reveal", "Show the model", false, "The model's roofs and points over yours"),
    switch_knob("snap", "Snap to the grid", true, "24 marks a decade"),
    choice_knob("given", "Drawn already", kGiven, 0, "What you need not draw", kGivenIds),
    kExpectKnob,
    choice_knob("paper", "Paper", kPapers, 0, "Which sheet lies beside the plot"),
    // A lesson's alone: without a label they have no place among the knobs.
    choice_knob("sheet", "", kSheets, 0, "Which sheet of squared paper lies on top"),
    choice_knob("mistake", "", kMistakes, 0, "What the example gets wrong", kMistakeIds),
});
constexpr std::array<std::string_view, 14> kTexts{"roofs",   "points",  "time",    "win",    "locked",
                                                  "roofs2",  "points2", "locked2", "roofs3", "points3",
                                                  "locked3", "roofs4",  "points4", "locked4"};

bool hides_points(const Exhibit& view) {
  return view.covered("win") || view.covered("fused_time") || view.covered("standard_intensity");
}

// For a table of the board's numbers: the roofs as drawn, and under whom.
void add_drawn(std::vector<Reading>& all, const DrawSheet& sheet) {
  for (const DrawnRoof& roof : sheet.drawing.roofs)
    all.push_back({fmt::format("roof_{}", key_of(roof.kind)),
                   fmt::format("Roof, {}, as drawn", name_of(roof.kind)),
                   {roof.rate, std::string(unit_of(roof.kind)), Origin::Computed, "drawn"}});
}

// Each point with its arithmetic; where the truth is shown, what the model and a GPU say to it.
void add_points(std::vector<Reading>& all, const Exhibit& view, const DrawSheet& sheet) {
  Truth truth = truth_of(sheet);
  if (sheet.reveal) add_measured(truth, sheet, view.view.gpu);
  for (size_t k = 0; k < sheet.drawing.points.size(); ++k) {
    const DrawnPoint& point = sheet.drawing.points[k];
    const auto add = [&](std::string_view id, std::string_view label, double value, const char* unit, Origin origin,
                         std::string source) {
      all.push_back({fmt::format("point{}_{}", k + 1, id),
                     fmt::format("{}: {}", name_of(point), label),
                     {value, unit, origin, std::move(source)}});
    };
    add("flop", "FLOP, as drawn", point.flop, "flop", Origin::Computed, "one head");
    add("bytes", "bytes, as drawn", point.bytes, "byte", Origin::Computed, "one head");
    add("intensity", "intensity, as drawn", point.intensity, "flop/byte", Origin::Computed, "FLOP / bytes");
    add("time", "time, as drawn", seconds_of(sheet.drawing, point), "s", Origin::Computed,
        "FLOP / what the roofs leave it");
    if (!sheet.reveal) continue;
    const TruePoint& right = truth.points[k];
    add("model_time", "time", right.seconds, "s", Origin::Model, fmt::format("one head; {}", truth.roofs.title));
    if (right.measured)
      add("gpu_time", "time", right.measured->seconds, "s", origin_of(right.measured->kind),
          fmt::format("one head; {}", right.measured->source));
  }
}

std::vector<Reading> readings(const Exhibit& view) {
  const DrawSheet sheet = sheet_of(view.state);
  const Drawing& drawing = sheet.drawing;
  std::vector<Reading> all;
  const auto add = [&](const char* id, const char* label, double value, const char* unit, const char* how) {
    all.push_back({id, label, {std::isfinite(value) ? value : 0, unit, Origin::Computed, how}});
  };
  const DrawnPoint *standard = drawn_standard(drawing), *fused = drawn_fused(drawing);
  const double slow = standard ? seconds_of(drawing, *standard) : 0, fast = fused ? seconds_of(drawing, *fused) : 0;
  add("ridge", "Ridge of your roofs", ridge_of(drawing), "flop/byte", "peak / bandwidth, as drawn");
  add("standard_intensity", "Standard's intensity", standard ? standard->intensity : 0, "flop/byte", "FLOP / bytes");
  add("fused_intensity", "Fused intensity", fused ? fused->intensity : 0, "flop/byte", "FLOP / bytes");
  add("standard_time", "Standard, at best", slow, "s", "FLOP / what your roofs leave it, one head");
  add("fused_time", "Fused, at best", fast, "s", "FLOP / what your roofs leave it, one head");
  add("win", "Fused wins at most", fast > 0 ? slow / fast : 0, "", "one roof's time over the other's");
  add_drawn(all, sheet);
  if (!hides_points(view)) add_points(all, view, sheet);
  return all;
}

// The mistake in numbers: the example's fused time against what it is without it.
std::string mistake_words(const DrawSheet& sheet) {
  const DrawnPoint* fused = drawn_fused(sheet.drawing);
  if (!fused) return {};
  const TruePoint truth = true_point(sheet, sheet.roofs, *fused);
  const double off = fused->intensity / truth.point.intensity;
  switch (sheet.mistake) {
    case DrawMistake::Factor:
      return "N² d FLOP: the 4 of two products is left out. Points stand 4× too far left, times are up to 4× too "
             "short.";
    case DrawMistake::Elements:
      return "Elements are counted for bytes, two bytes each. Points stand 2× too far right: standard looks 2× too "
             "fast.";
    case DrawMistake::Sparse:
      return "The sparse peak is twice the dense one, which attention has: fused time comes out 2× too short.";
    case DrawMistake::SramTraffic:
      return fmt::format("SRAM's bytes under DRAM's roof: {} stands {:.0f}× too far left, as if it waited for memory.",
                         name_of(*fused), 1 / off);
    case DrawMistake::None: break;
  }
  return {};
}

std::string of_times(double value) { return si_words(value) + "×"; }

// The first point whose FLOP or bytes are wrong: what follows from where it stands is so, too.
const DrawnPoint* placed_wrong(const DrawSheet& sheet) {
  const Truth truth = truth_of(sheet);
  for (size_t k = 0; k < truth.points.size(); ++k) {
    const DrawnPoint &mine = sheet.drawing.points[k], &right = truth.points[k].point;
    const auto off = [](double drawn, double value) { return drawn > 0 && !is_close(drawn, value); };
    if (off(mine.flop, right.flop) || (sheet.l2 && off(mine.bytes, right.bytes))) return &mine;
  }
  return nullptr;
}

// What to do next, or what is seen.
std::string caption(const Exhibit& view) {
  const DrawSheet sheet = sheet_of(view.state);
  const Drawing& drawing = sheet.drawing;
  if (!sheet.known) return no_roofs(view);
  if (hides_points(view)) return "Points are hidden until the question is answered: they would give the answer away.";
  if (sheet.mistake != DrawMistake::None) return mistake_words(sheet);
  if (sheet.reveal && !sheet.l2)
    return "Without L2, every K and V tile is a DRAM byte: the model's fused point stands left of the ridge.";
  const Predicted predicted = predicted_of(sheet, view.state);
  if (sheet.locked) {
    Truth truth = truth_of(sheet);
    add_measured(truth, sheet, view.view.gpu);
    const double off = predicted.win / truth.win();
    const std::string_view who = !truth.win_measured()                             ? "the model"
                                 : truth.fused.measured->kind == RunKind::Measured ? "the run"
                                 : truth.fused.measured->kind == RunKind::Own      ? "your recorded run"
                                                                                   : "the recorded run";
    if (predicted.win <= 0) return fmt::format("No win was predicted; {} says {}.", who, of_times(truth.win()));
    return fmt::format("Predicted {}, {} says {}: {}.", of_times(predicted.win), who, of_times(truth.win()),
                       off > 1.05   ? fmt::format("{:.2f}× too high", off)
                       : off < 0.95 ? fmt::format("{:.2f}× too low", 1 / off)
                                    : "right");
  }
  if (sheet.reveal) return "Rings are the model's points, its roofs lie over those drawn; diamonds were recorded.";
  const double bandwidth = bandwidth_of(drawing), peak = ceiling_of(drawing);
  if (bandwidth == 0 && peak == 0 && sheet.tab == DrawTab::Predict)
    return "What will FlashAttention win? A GPU's roofs, drawn over these axes, will say it. Add a roof.";
  if (bandwidth == 0 && peak == 0) return "Empty axes: work done a second, over work done for each byte. Add a roof.";
  if (peak == 0) return "A bandwidth is a slope: twice the work for each byte, twice the FLOP a second. Add a ceiling.";
  if (bandwidth == 0)
    return "A ceiling is flat: the unit can do no more, however few bytes there are. Add a bandwidth.";
  const double ridge = ridge_of(drawing);
  if (const DrawnPoint* wrong = placed_wrong(sheet))
    return fmt::format("{} stands in the wrong place: its FLOP or its bytes are not those of N = {}, d = {}.",
                       name_of(*wrong), with_commas(sheet.n), sheet.d());
  const DrawnPoint* fused = drawn_fused(drawing);
  const bool halfway = fused && fused->bytes <= 0;  // its place is not the learner's yet
  if (predicted.win > 0 && !predicted.win_typed && !halfway)
    return fmt::format("{}As drawn, fused attention takes {} a head and {} {}. Lock it to be checked.",
                       fused ? fmt::format("{} stands {} of the ridge. ", name_of(*fused),
                                           memory_bound(drawing, *fused) ? "left" : "right")
                             : std::string(),
                       time_words(predicted.seconds), predicted.win < 1 ? "loses against standard:" : "wins",
                       of_times(predicted.win));
  if (drawing.points.empty())
    return fmt::format(
        "As drawn they meet at {} FLOP/byte, the ridge: left of it memory is the limit, right of it arithmetic.",
        intensity_words(ridge));
  const DrawnPoint& point = drawing.points[size_t(std::max(0, sheet.point))];
  if (point.flop <= 0 || point.bytes <= 0)
    return fmt::format("Fill in the FLOP and the bytes of {}, or drag its point along the roof.", name_of(point));
  return fmt::format("{} stands {} of the ridge: {} is its limit.", name_of(point),
                     memory_bound(drawing, point) ? "left" : "right",
                     memory_bound(drawing, point) ? "memory" : "arithmetic");
}

// Below the plot: what to expect of the model's times, each method once, and the way to the model alone.
void layout_held(const BoardView& view, Rect line, const DrawSheet& sheet) {
  std::vector<Method> methods{Method::Standard, best_fused(sheet.roofs)};
  for (const DrawnPoint& point : sheet.drawing.points)
    if (std::ranges::find(methods, point.method) == methods.end()) methods.push_back(point.method);
  std::string words, tip;
  for (const Method method : methods) {
    const Case asked{benchmark_problem(sheet.n, sheet.d(), Mask::Full), CasePass::Forward};
    const auto band = band_of(method, asked.problem, asked.direction(), sheet.roofs);
    words +=
        fmt::format("{}{}: {}", words.empty() ? "" : " · ", info_of(method).name,
                    band ? fmt::format("expect {} times the model's", times_words(*band)) : std::string(kNothingHeld));
    tip += (tip.empty() ? "" : " ") + expected_tip(method, asked, sheet.roofs);
  }
  layout_expected(view, line, words, tip);
}

// Where nobody types, paper on which nothing stands yet is left out.
bool paper_says_something(const BoardView& view, const DrawSheet& sheet) {
  switch (sheet.tab) {
    case DrawTab::Roofs: return !sheet.drawing.roofs.empty();
    case DrawTab::Points: return sheet.point >= 0;
    case DrawTab::Predict: return sheet.locked || predicted_of(sheet, view.state).win > 0;
    case DrawTab::Missing: return true;
  }
  return true;
}

void layout(const BoardView& view, Rect area) {
  DrawSheet sheet = sheet_of(view.state);
  if (hides_points(view)) sheet.drawing.points.clear(), sheet.reveal = false, sheet.point = -1;
  Truth truth = truth_of(sheet);
  if (sheet.reveal) add_measured(truth, sheet, view.view.gpu);
  if (sheet.reveal && sheet.known && sheet.l2) {
    const float line = view.px(24);
    layout_held(view, {area.x, area.bottom() - line, area.w, line}, sheet);
    area.h -= line + view.px(6);
  }
  if (!view.hands && !paper_says_something(view, sheet)) return layout_plot(view, area, sheet, truth);
  const float paper = std::clamp(area.w * 0.32f, view.px(252), view.px(400)),
              gap = view.px(area.w < view.px(800) ? 12 : 28);
  layout_plot(view, {area.x, area.y, area.w - paper - gap, area.h}, sheet, truth);
  layout_graph_paper(view, {area.right() - paper, area.y, paper, area.h}, sheet, truth);
}

}  // namespace

const Board kDrawBoard{.id = "draw",
                       .title = "Draw the roofline",
                       .knobs = kKnobs,
                       .layout = layout,
                       .caption = caption,
                       .readings = readings,
                       .act = act_on_drawing,
                       .nudge = nudge_drawing,
                       .key = key_on_drawing,
                       .text_of = field_text,
                       .take = take_field,
                       .texts = kTexts,
                       .fixed = "one head · no mask unless named · fp16"};

}  // namespace tilewalk
