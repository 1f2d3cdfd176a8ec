// The roofline: FLOP a second over FLOP a byte, both logarithmic. A slope for the bandwidth, a ceiling for the tensor
// cores, and attention on it three times: standard, fused, and fused as it would be without L2. A roof is a bound: what
// a point promises is what nothing can beat.
#include "app/boards/boards.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "app/scene/fitted_label.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kHeads{"64", "128"};
constexpr auto kKnobs = std::to_array<Knob>({
    {"N", "Sequence length N", Knob::Kind::PowersOfTwo, 256, 16384, 4096, 1, {}, {}, "Tokens in the sequence"},
    {"d", "Head dimension d", Knob::Kind::Choice, 0, 1, 1, 1, kHeads, {}, "Elements of a head's rows"},
    kGpuKnob,
    {"reach", "Share of the ceiling η", Knob::Kind::Linear, 0.3, 1, 1, 0.05, {}, {}, "What the fused kernel reaches"},
    {"l2",
     "L2 serves repeats",
     Knob::Kind::Switch,
     0,
     1,
     1,
     1,
     {},
     {},
     "Off: every tile that is loaded is a DRAM byte"},
});
constexpr double kLeastIntensity = 1, kMostIntensity = 16384, kLeastRate = 1e12, kMostRate = 4e15;

// One kernel on the plot: its intensity, and the FLOP/s that the roofs leave it.
struct Point {
  double bytes = 0, intensity = 0, rate = 0, time = 0;
};

struct Roofs {
  const GpuSpec* gpu;
  double flop;
  Point standard, fused;
};

double amount(const std::string& expression) {
  const Evaluated value = evaluate(expression);
  return value.quantity ? value.quantity->value : 0;
}

Roofs roofs_of(const BoardView& view) {
  const int64_t n = int64_t(view.knob("N")), d = view.on("d") ? 128 : 64;
  Roofs r{&gpu_of(view), amount(fmt::format("flop(N={}, d={})", n, d)), {}, {}};
  const auto point = [&](double bytes, double share) {
    Point p{bytes, r.flop / bytes, 0, 0};
    p.rate = std::min(r.gpu->tensor_rate * share, p.intensity * r.gpu->dram_rate);
    p.time = r.flop / p.rate;
    return p;
  };
  r.standard = point(amount(fmt::format("traffic(standard, N={}, d={})", n, d)), 1);
  const std::string fused = view.on("l2") ? "compulsory(N={}, d={})" : "traffic(fa2, N={}, d={}, Br=128, Bc=64)";
  r.fused = point(amount(fmt::format(fmt::runtime(fused), n, d)), view.knob("reach"));
  return r;
}

std::vector<Reading> readings(const BoardView& view) {
  const Roofs r = roofs_of(view);
  const std::string gpu = r.gpu->title + ", " + r.gpu->source;
  const auto model = [&](const char* id, const char* label, double value, const char* unit, std::string how) {
    return Reading{id, label, {value, unit, Origin::Model, how + ", " + gpu}};
  };
  const char* bytes = view.on("l2") ? "FLOP over each input and output once" : "FLOP over every tile that FA2 loads";
  return {model("ridge", "Ridge", r.gpu->ridge(), "flop/byte", "peak / bandwidth"),
          {"standard_intensity",
           "Standard's intensity",
           {r.standard.intensity, "flop/byte", Origin::Computed, "4 N² d over 8 N² + 8 N d"}},
          {"fused_intensity", "Fused intensity", {r.fused.intensity, "flop/byte", Origin::Computed, bytes}},
          model("standard_time", "Standard, at best", r.standard.time, "s", "FLOP / roof"),
          model("fused_time", "Fused, at best", r.fused.time, "s", "FLOP / roof"),
          model("win", "Fused wins at most", r.standard.time / r.fused.time, "", "one roof's time over the other's")};
}

std::string caption(const BoardView& view) {
  if (view.covered("win") || view.covered("fused_time"))
    return "Where do the points stand, and what does the roof leave them?";
  const Roofs r = roofs_of(view);
  const double win = r.standard.time / r.fused.time;
  if (!view.on("l2") && r.fused.intensity < r.gpu->ridge())
    return "Without L2 the fused kernel stands left of the ridge, and looks slower than you can measure it.";
  return fmt::format("Both stand under the same roof: fused attention may win {:.1f}×, and no more.", win);
}

void layout_point(Scene& scene, const BoardView& view, Rect plot, Vec2 at, Color color, const std::string& name,
                  bool left) {
  const Style& st = view.style;
  const float dot = st.px(16), w = text_width(name, Face::SansBold, st.number()) + st.px(4), h = st.px(24);
  scene.box({at.x - dot / 2, at.y - dot / 2, dot, dot}, dot / 2, color, view[Role::Background], st.px(2));
  float x = left ? at.x - w - dot : at.x + dot;
  x = std::clamp(x, plot.x, plot.right() - w);
  const float y = left ? at.y - dot * 0.6f - h : at.y + dot * 0.6f;  // clear of the slope, which falls to the left
  scene.label({x, y, w, h}, name, Face::SansBold, st.number(), view[Role::Text],
              left ? Align::Right : Align::Left);
}

void layout(Scene& scene, const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Roofs r = roofs_of(view);
  const std::vector<Reading> all = readings(view);
  const std::array<std::string_view, 4> top{"ridge", "standard_time", "fused_time", "win"};
  const std::array<std::string_view, 4> formats{"number", "time", "time", "ratio"};
  const float head = std::min(st.px(72), area.h * 0.2f), slot = area.w / 4;
  for (size_t k = 0; k < top.size(); ++k)
    big_number(scene, view, {area.x + slot * float(k), area.y, slot - st.px(12), head},
               *std::ranges::find(all, top[k], &Reading::id), formats[k]);

  const Rect plot{area.x + st.px(92), area.y + head + st.px(40), area.w - st.px(110),
                  area.h - head - st.px(40) - st.px(48)};
  Axis x{kLeastIntensity, kMostIntensity, Axis::Scale::Log2, plot.x, plot.right()};
  Axis y{kLeastRate / 1e12, kMostRate / 1e12, Axis::Scale::Log10, plot.bottom(), plot.y};
  draw_axis(scene, view, plot, x, true, "count", "FLOP for each byte of DRAM");
  draw_axis(scene, view, plot, y, false, "count", "TFLOP/s");
  const auto at = [&](double intensity, double rate) { return Vec2{x.at(intensity), y.at(rate / 1e12)}; };

  const double peak = r.gpu->tensor_rate, bandwidth = r.gpu->dram_rate;
  const double start = std::max(kLeastIntensity, kLeastRate / bandwidth), ridge = r.gpu->ridge();
  scene.line(at(start, start * bandwidth), at(ridge, peak), view[Role::Text], st.px(4));
  scene.line(at(ridge, peak), at(kMostIntensity, peak), view[Role::Text], st.px(4));
  scene.line(at(ridge, kLeastRate), at(ridge, peak), view[Role::Ghost], st.px(1.5f), st.px(5));
  if (const double reach = view.knob("reach"); reach < 1)
    scene.line(at(ridge * reach, peak * reach), at(kMostIntensity, peak * reach), view[Role::Text], st.px(2), st.px(6));

  if (view.covered("standard_intensity") || view.covered("win") || view.covered("fused_time")) return;
  const Vec2 standard = at(r.standard.intensity, r.standard.rate), fused = at(r.fused.intensity, r.fused.rate);
  for (const Vec2& p : {standard, fused}) scene.line({p.x, plot.bottom()}, p, view[Role::Ghost], st.px(1.5f), st.px(5));
  layout_point(scene, view, plot, standard, view[Role::Text], "standard", true);
  layout_point(scene, view, plot, fused, view[Role::Accent], view.on("l2") ? "fused" : "fused, no L2", false);
}

}  // namespace

const Board kRooflineBoard{"roofline", "The roofline", kKnobs, layout, caption, readings};

}  // namespace tilewalk
