// A prompt that grows: each token looks at every other, so twice the tokens are four times the scores. The square is
// drawn to scale with its own halves in it; beside it what one layer's scores take of an H200's memory, and how long
// the layer takes: recorded where a run of that length is shipped, by the model beyond. One sequence of 32 heads, d
// = 64.
#include "app/boards/attention_case.h"
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/gpus.h"
#include "core/machine/words.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr int64_t kHeads = 32, kHeadDim = 64, kLeastN = 512;
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Tokens in the prompt, N", double(kLeastN), 131072, 4096, "Each step is twice as many"),
    switch_knob("flash", "FlashAttention beside it", false, "The same numbers out, without the square in memory"),
});

// Seconds of one sequence: a recorded call is of several, side by side, and each takes its share.
Quantity time_of(Method method, Method kernel, int64_t n) {
  for (const RunResult& run : shipped_recordings()) {
    const Problem& p = run.spec.problem;
    if (p.n_q != n || p.n_k != n || p.d != kHeadDim || p.heads != kHeads || p.mask != Mask::Full) continue;
    for (const KernelResult& result : run.kernels)
      if (result.kernel == kernel && result.label.empty() && result.timing)
        return {result.timing->median * 1e-3 / double(p.batch), "s", Origin::Recorded,
                fmt::format("{}, {}: a call of {} sequences, divided among them; {} heads, d = {}", run.provenance.gpu,
                            run.provenance.date.substr(0, 10), p.batch, p.heads, p.d)};
  }
  Case asked;
  asked.problem.n_q = asked.problem.n_k = n;
  asked.problem.d = kHeadDim;
  asked.problem.heads = kHeads;
  const GpuSpec& gpu = *gpu_named("h200");
  return {estimate_at(method, asked, roofs_of(gpu)).time, "s", Origin::Model,
          fmt::format("no run of this length is recorded; {}, {} heads, d = {}", gpu.title, kHeads, kHeadDim)};
}

struct Growth {
  int64_t n;
  bool flash;
  const GpuSpec& gpu = *gpu_named("h200");
  double square = 2.0 * double(kHeads) * 2 * double(n) * double(n);  // S and P, two bytes a number
  // What FlashAttention keeps of them: L, four bytes a row and head.
  double rest = 4.0 * double(kHeads) * double(n);
  Quantity standard = time_of(Method::Standard, Method::Standard, n);
  Quantity fused = time_of(Method::Fa3, Method::Fa3, n);
  double since = standard.value / time_of(Method::Standard, Method::Standard, kLeastN).value;
  bool fits() const { return square <= gpu.dram_bytes; }
};

Growth growth_of(const Exhibit& view) { return {int64_t(view.knob("N")), view.on("flash")}; }

std::vector<Reading> readings(const Exhibit& view) {
  const Growth g = growth_of(view);
  const std::string heads = fmt::format("{} heads, two bytes a number", kHeads);
  std::vector<Reading> all{
      {"scores", "Scores of one head", {double(g.n) * double(g.n), "", Origin::Computed, "N × N"}},
      {"memory",
       "One layer's scores and weights, N × N",
       {g.square, "byte", Origin::Computed, "the scores, and the weights made of them, " + heads}},
      {"kept", "FlashAttention keeps of them", {g.rest, "byte", Origin::Computed, "one number a row and head"}},
      {"capacity",
       "Memory of the GPU",
       {g.gpu.dram_bytes, "byte", Origin::Published, fmt::format("{}, {}", g.gpu.title, kMemorySource)}},
      {"time", "Time of one layer", g.standard},
      {"flash_time", "with FlashAttention 3", g.fused},
      {"win", "times as fast", {g.standard.value / g.fused.value, "", std::max(g.standard.origin, g.fused.origin), ""}},
  };
  if (g.standard.origin != Origin::Model)
    all.push_back({"since", "times that of 512 tokens", {g.since, "", g.standard.origin, g.standard.source}});
  return all;
}

std::string caption(const Exhibit& view) {
  const Growth g = growth_of(view);
  if (g.flash)
    return fmt::format("The same answer, with {} kept in place of {}. The square is made piece by piece.",
                       amount(g.rest, "byte"), amount(g.square, "byte"));
  if (!g.fits()) return "The squares of one layer no longer fit into the GPU's memory. Nothing comes out at all.";
  return "Every token looks at every token: a square. Double the prompt, and the square is four times as large.";
}

// The square, and in its corner what it was at half as many tokens, and half of that.
void layout_square(const BoardView& view, Rect area, const Growth& g) {
  const Style& st = view.style;
  const float foot = st.px(28), side = std::min(area.h - foot, area.w);
  const Rect whole{area.x, area.y, side, side};
  const Color color = st.palette.fill(Tensor::S);
  const bool dashed = g.flash;
  for (int k = 0; k < 5; ++k) {
    const int64_t n = g.n >> k;
    if (n < kLeastN / 2) break;
    const float edge = side / float(1 << k);
    const Rect square{whole.x, whole.y, edge, edge};
    const float strength = k == 0 ? 0.16f : 0.13f;
    view.box(square, st.px(4), dashed && k == 0 ? Color{} : with_alpha(color, dashed ? 0.07f : strength),
             dashed ? view[Role::Ghost] : color, st.px(k == 0 ? 3 : 1.5f), dashed ? st.px(6) : 0);
    const float size = k == 0 ? st.heading() : st.number(), band = edge / 2;
    const std::string words = k == 0 ? with_commas(n) + " tokens" : with_commas(n);
    const Face face = k == 0 ? Face::SansBold : Face::Sans;
    if (text_width(words, face, size) > band - st.px(10)) continue;
    const Rect slot{square.x + band, square.bottom() - size * 1.7f, band - st.px(8), size * 1.5f};
    view.text(slot, words, face, size, Role::Text, Align::Right);
  }
  if (g.flash) {
    // One tile is on its way through the square; its real size would not be seen.
    const float tile = side / 8;
    const Rect here{whole.x + side * 0.625f, whole.y + side * 0.375f, tile, tile};
    view.box(here, st.px(4), color, Role::Text, st.px(3));
  }
  view.text({whole.x, whole.bottom() + st.px(4), area.w, foot - st.px(4)},
            fmt::format("{} × {} = {} scores a head", with_commas(g.n), with_commas(g.n), with_commas(g.n * g.n)),
            Face::Sans, st.number(), Role::Text);
  if (!view.hands) return;
  view.region(whole, "board:square",
              fmt::format("Each of {} tokens has a score with each of {}. Drawn to scale: in its corner, half as many "
                          "tokens (← → double and halve)",
                          with_commas(g.n), with_commas(g.n)),
              true);
}

// How much of the GPU's memory the squares take; more than all of it runs over its end.
void layout_memory(const BoardView& view, Rect area, const Growth& g, const std::vector<Reading>& all) {
  const Style& st = view.style;
  const float foot = st.px(26), head = std::min(area.h - foot - st.px(22), st.px(88));
  big_number(view, {area.x, area.y, area.w, head}, reading_of(all, g.flash ? "kept" : "memory"), {}, head * 0.5f);
  const Rect track{area.x, area.y + head + st.px(4), area.w, area.h - head - foot - st.px(4)};
  const float share = float((g.flash ? g.rest : g.square) / g.gpu.dram_bytes);
  view.box(track, st.px(4), Role::Surface, Role::Border, st.px(1.5f));
  bar(view, track, share,
      g.flash     ? st.palette.fill(Tensor::O)
      : share > 1 ? view[Role::Wrong]
                  : st.palette.fill(Tensor::S),
      BarLook::Computed);
  const std::string words = share > 1 ? fmt::format("{:.1f} times what the GPU has", share)
                                      : fmt::format("of {}, an H200's memory", amount(g.gpu.dram_bytes, "byte"));
  view.text({area.x, track.bottom() + st.px(2), area.w, foot - st.px(2)}, words,
            share > 1 ? Face::SansBold : Face::Sans, st.number(), share > 1 ? Role::WrongText : Role::TextSecondary);
}

void layout_time(const BoardView& view, Rect area, const Growth& g, const std::vector<Reading>& all) {
  const Style& st = view.style;
  const float foot = st.px(26), head = std::min(area.h - foot, st.px(88));
  const bool stops = !g.flash && !g.fits();
  Reading time = reading_of(all, g.flash ? "flash_time" : "time");
  if (g.flash) time.label = "One layer, FlashAttention 3";
  if (time.quantity.origin == Origin::Model) time.label += ", calculated: at least";
  if (stops) {
    view.text({area.x, area.y, area.w, std::min(st.px(24), head * 0.4f)}, "Time of one layer", Face::Sans, st.number(),
              Role::TextSecondary);
    view.text({area.x, area.y + head * 0.3f, area.w, head * 0.7f}, "it does not run", Face::SansBold, head * 0.42f,
              Role::WrongText);
    return;
  }
  big_number(view, {area.x, area.y, area.w, head}, time, {}, head * 0.5f);
  const double tokens = double(g.n) / double(kLeastN);
  const bool modeled = g.standard.origin == Origin::Model;
  const std::string words =
      g.flash && g.fits() ? fmt::format("{:.1f} times as fast", g.standard.value / g.fused.value)
      : g.flash           ? "without it, it does not run"
      : tokens <= 1       ? "for one sequence, on an H200"
      : modeled           ? "no run of this length is recorded"  // a model's time over a recorded one says nothing
                : fmt::format("{:.0f} times the tokens of {}, {:.0f} times the time", tokens, kLeastN, g.since);
  view.text({area.x, area.y + head + st.px(2), area.w, foot - st.px(2)}, words, Face::SansBold, st.number(),
            Role::Text);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Growth g = growth_of(view);
  const std::vector<Reading> all = readings(view);
  const float gap = st.px(area.w < st.px(800) ? 24 : 56), side = std::min(area.h - st.px(28), (area.w - gap) * 0.6f);
  layout_square(view, {area.x, area.y, side, side + st.px(28)}, g);
  const float x = area.x + side + gap, w = std::min(area.right() - x, st.px(520));
  const float between = st.px(24), each = std::min((side - between) / 2, st.px(210));
  layout_memory(view, {x, area.y, w, each}, g, all);
  layout_time(view, {x, area.y + each + between, w, each}, g, all);
}

std::string nudge(std::string_view, int right, int up, BoardState& state) {
  turn_to(kGrowthBoard, state, "N", knob_value(kGrowthBoard, state, "N") * (right + up > 0 ? 2 : 0.5));
  return {};
}

}  // namespace

const Board kGrowthBoard{.id = "growth",
                         .title = "A prompt that grows",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .nudge = nudge,
                         .fixed = "B 1 · 32 heads · d 64 · no mask · fp16 · H200"};

}  // namespace tilewalk
