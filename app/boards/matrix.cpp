// The N by N matrix: what keeping S and P takes, against the memory of real GPUs, and beside it S as a fused kernel has
// it: one tile at a time, gone as soon as O has taken it in. Stepped with → and ←. Sizes are those that standard
// attention's kernels write, counted by the core.
#include "app/boards/boards.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr double kLeastN = 1024, kMostN = 262144;
constexpr int kSide = 8;  // cells along the queries, and along the keys
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Sequence length N", kLeastN, kMostN, 4096, "Tokens in the sequence"),
    power_knob("heads", "Heads", 1, 128, 32, "Of one layer, one sequence"),
    kGpuKnob,
    switch_knob("keep", "Keep S in memory", false, "As standard attention does"),
});

struct Sizes {  // bytes, all heads
  double s, sp, o, l;
  double out() const { return o + l; }
};

Sizes sizes_of(double n, double heads) {
  Problem p;
  p.n_q = p.n_k = p.br = p.bc = int64_t(n);  // one tile: whole matrices
  p.d = 128;
  const auto total = [&](Method id) {
    const Schedule& schedule = schedule_of(id);
    return count(schedule, make_plan(schedule, p, VariantId::Paper)).total.stored;
  };
  const auto standard = total(Method::Standard), fused = total(Method::Fa2);
  const double s = double(standard[size_t(Tensor::S)]) * heads;
  return {s, s + double(standard[size_t(Tensor::P)]) * heads, double(fused[size_t(Tensor::O)]) * heads,
          double(fused[size_t(Tensor::Lse)]) * heads};
}

struct Now {
  double n, heads;
  const GpuSpec& gpu;
  bool keep;
  int step;  // tiles of S seen so far
  Sizes sizes;
  double largest() const { return std::floor(std::sqrt(gpu.dram_bytes / (sizes.s / n / n))); }
  double largest_both() const { return std::floor(std::sqrt(gpu.dram_bytes / (sizes.sp / n / n))); }
  double kept() const { return keep ? sizes.s * step / (kSide * kSide) : 0; }
};

Now now_of(const Exhibit& view) {
  const double n = view.knob("N"), heads = view.knob("heads");
  return {n, heads, gpu_of(view), view.on("keep"), std::clamp(view.state.step, 0, kSide * kSide), sizes_of(n, heads)};
}

int steps(const Exhibit&) { return kSide * kSide; }

std::vector<Reading> readings(const Exhibit& view) {
  const Now now = now_of(view);
  const std::string shape = fmt::format("{:.0f} heads, N = {:.0f}, fp16, one layer, one sequence", now.heads, now.n);
  const auto bytes = [&](double value, std::string_view how) {
    return Quantity{value, "byte", Origin::Computed, fmt::format("{}, {}", how, shape)};
  };
  return {
      {"s", "S", bytes(now.sizes.s, "N² · 2 a head")},
      {"sp", "S and P", bytes(now.sizes.sp, "both matrices")},
      {"out", "O and L", bytes(now.sizes.out(), "N · d · 2 and N · 4 a head, d = 128")},
      {"l", "L", bytes(now.sizes.l, "N · 4 a head")},
      {"capacity",
       "The GPU's memory",
       {now.gpu.dram_bytes, "byte", Origin::Published, fmt::format("{}, {}", now.gpu.title, kMemorySource)}},
      {"largest_n",
       "S fits up to N",
       {now.largest(), "", Origin::Computed, fmt::format("{:.0f} heads in {}", now.heads, now.gpu.title)}},
      {"largest_both",
       "S and P fit up to N",
       {now.largest_both(), "", Origin::Computed, fmt::format("{:.0f} heads in {}", now.heads, now.gpu.title)}},
      {"kept", "S in DRAM now", bytes(now.kept(), "tiles of S that were written")},
  };
}

std::string caption(const Exhibit& view) {
  if (view.covered("s") || view.covered("sp") || view.covered("largest_n")) return "How much memory does S need?";
  const Now now = now_of(view);
  const double capacity = now.gpu.dram_bytes;
  // While N is turned the sentence is about N, however far the tiles have been stepped.
  const bool turned = view.view.held == "board:plot" || view.view.held.starts_with("knob:");
  const bool stepped = now.step > 0 && !turned;
  const auto all = [&](double bytes) { return amount(bytes, "byte", "binary"); };
  if (stepped && !now.keep)
    return fmt::format("FlashAttention, tile {} of {}: S is never in DRAM{}. O stays, and L, one number a row.",
                       now.step, kSide * kSide, now.sizes.s > capacity ? ", where it would not fit" : "");
  if (stepped && now.step == kSide * kSide)
    return fmt::format("S is whole: {}. With P {}: {} {}.", all(now.sizes.s), all(now.sizes.sp),
                       now.sizes.sp > capacity ? "more than the GPU's" : "within the GPU's", all(capacity));
  if (stepped)
    return fmt::format("Standard, tile {} of {}: {} of S lie in DRAM.", now.step, kSide * kSide, all(now.kept()));
  const std::string fits = fmt::format("S fits up to N = {}, with P up to {}.", with_commas(int64_t(now.largest())),
                                       with_commas(int64_t(now.largest_both())));
  if (now.sizes.s > capacity)
    return fmt::format("S takes {}, more than the {} of an {}. {}", all(now.sizes.s), all(capacity), now.gpu.title,
                       fits);
  return fmt::format("S and P take {}, O and one number a row, L, {}. {}", all(now.sizes.sp), all(now.sizes.out()),
                     fits);
}

// Words at the right of the plot, pushed apart where they would touch.
void capacity_words(const BoardView& view, Rect plot, const Axis& y, const GpuSpec& chosen) {
  const Style& st = view.style;
  std::vector<double> capacities{chosen.dram_bytes};
  for (const std::string_view id : kGpuIds) capacities.push_back(gpu_named(id)->dram_bytes);
  // Whose line it is: the chosen one's name, or the first's of those that are drawn as one.
  const auto name_of_line = [&](double bytes) {
    std::string_view name;
    for (size_t k = kGpuIds.size(); k-- > 0;)
      if (gpu_named(kGpuIds[k])->dram_bytes == bytes) name = kGpuWords[k];
    for (size_t k = 0; k < kGpuIds.size(); ++k)
      if (bytes == chosen.dram_bytes && kGpuIds[k] == chosen.id) name = kGpuWords[k];
    return name;
  };
  // Those that print alike are one: an A100's 80.0 GiB and an H100's 79.6.
  const auto printed = [](double bytes) { return fmt::format("{:.0f} GiB", bytes / 0x1p30); };
  std::erase_if(capacities, [&](double bytes) {
    return bytes != chosen.dram_bytes && printed(bytes) == printed(chosen.dram_bytes);
  });
  std::ranges::sort(capacities);
  capacities.erase(std::ranges::unique(capacities, {}, printed).begin(), capacities.end());
  float before = plot.bottom() + st.px(18);
  for (const double bytes : capacities) {  // from the lowest line upwards
    const bool own = bytes == chosen.dram_bytes;
    const float line = y.at(bytes), at = std::min(line, before - st.px(18));
    before = at;
    view.line({plot.x, line}, {plot.right(), line}, view[own ? Role::Wrong : Role::Ghost], st.px(own ? 3 : 1.5f),
              own ? 0 : st.px(5));
    view.label({plot.right() + st.px(10), at - st.px(9), st.px(102), st.px(18)},
               fmt::format("{} {}", name_of_line(bytes), printed(bytes)), own ? Face::MonoBold : Face::Mono, st.small(),
               view[own ? Role::WrongText : Role::TextSecondary]);
  }
}

// A straight line on log axes, from one end of the plot to the other, cut at its top.
void curve(const BoardView& view, Rect plot, const Axis& x, const Axis& y, double at_least, double at_most, Color color,
           float dash) {
  const Vec2 from{x.at(kLeastN), y.at(at_least)};
  Vec2 to{x.at(kMostN), y.at(at_most)};
  if (to.y < plot.y) to = {from.x + (to.x - from.x) * (from.y - plot.y) / (from.y - to.y), plot.y};
  view.line(from, to, color, view.px(4), dash);
}

void layout_plot(const BoardView& view, Rect area, const Now& now) {
  const Style& st = view.style;
  const Rect plot{area.x + st.px(92), area.y + st.px(32), area.w - st.px(92 + 112), area.h - st.px(32 + 48)};
  const Axis x{kLeastN, kMostN, Axis::Scale::Log2, plot.x, plot.right()};
  const Axis y{std::exp2(18), std::exp2(43), Axis::Scale::Log2, plot.bottom(), plot.y};
  draw_axis(view, plot, x, true, "count", "Sequence length N");
  draw_axis(view, plot, y, false, "binary",
            now.heads == 1 ? "Memory of one head" : fmt::format("Memory of one layer, {:.0f} heads", now.heads));

  // The wall: what the chosen GPU cannot hold.
  const float wall = y.at(now.gpu.dram_bytes);
  forbid(view, {plot.x, plot.y, plot.w, wall - plot.y});

  const bool hidden = view.covered("s") || view.covered("sp") || view.covered("largest_n");
  const Sizes least = sizes_of(kLeastN, now.heads), most = sizes_of(kMostN, now.heads);
  curve(view, plot, x, y, least.out(), most.out(), st.palette.fill(Tensor::O), 0);
  if (!hidden) {
    curve(view, plot, x, y, least.s, most.s, st.palette.fill(Tensor::S), 0);
    curve(view, plot, x, y, least.sp, most.sp, st.palette.fill(Tensor::P), st.px(8));
  }
  capacity_words(view, plot, y, now.gpu);

  const auto tag = [&](Vec2 corner, std::string_view words, Color color) {
    const float w = text_width(words, Face::SansBold, st.number()) + st.px(12), h = st.px(24);
    const Rect rect{corner.x, corner.y, w, h};
    view.box(rect, st.r_small(), Role::Background);
    view.label(rect, words, Face::SansBold, st.number(), color, Align::Center);
  };
  // Where N is: behind the names.
  const float at = x.at(now.n);
  view.line({at, plot.y}, {at, plot.bottom()}, Role::Text, st.px(2));
  // Each name beside its curve, S and P above the two, S below: at the first of two places that N's line leaves free.
  const auto name = [&](std::array<double, 2> places, double Sizes::*bytes, std::string_view words, Color color,
                        bool above) {
    const float width = text_width(words, Face::SansBold, st.number()) + st.px(12);
    const auto left = [&](double n) { return above ? x.at(n) - width : x.at(n); };
    const bool crossed = left(places[0]) < at + st.px(4) && left(places[0]) + width > at - st.px(4);
    const double n = places[crossed ? 1 : 0];
    tag({left(n), y.at(sizes_of(n, now.heads).*bytes) + (above ? -st.px(30) : st.px(6))}, words, color);
  };
  name({kMostN / 8, kMostN / 64}, &Sizes::o, "O and L", st.palette.ink(Tensor::O), false);
  if (!hidden) {
    name({kLeastN * 4, kLeastN * 16}, &Sizes::sp, "S and P", st.palette.ink(Tensor::S), true);
    name({kLeastN * 4, kLeastN * 16}, &Sizes::s, "S", st.palette.ink(Tensor::S), false);
  }
  const auto dot = [&](double bytes, Color color) {
    const float r = st.px(9), py = std::max(y.at(bytes), plot.y);
    view.box({at - r, py - r, 2 * r, 2 * r}, r, color, Role::Background, st.px(2.5f));
  };
  dot(now.sizes.out(), st.palette.fill(Tensor::O));
  if (!hidden) dot(now.sizes.s, st.palette.fill(Tensor::S)), dot(now.sizes.sp, st.palette.fill(Tensor::P));
  tag({plot.x + st.px(10), plot.y + st.px(10)},
      fmt::format("more than {}", amount(now.gpu.dram_bytes, "byte", "binary")), view[Role::WrongText]);
  view.box({at - st.px(9), plot.bottom() - st.px(38), st.px(18), st.px(32)}, st.px(9), view[Role::Background],
           view[Role::Inverse], st.px(4));
  view.region(plot, "board:plot", fmt::format("N = {}. Drag to the left or right (← →)", with_commas(int64_t(now.n))),
              true);
}

// S tile by tile, and what is left of it.
void layout_grid(const BoardView& view, Rect area, const Now& now) {
  const Style& st = view.style;
  const float head = st.px(26), foot = st.px(24), strip = st.px(20), gap = st.px(10);
  const float side = std::min(area.h - head - foot, area.w - 2 * (gap + strip) - strip), cell = side / kSide;
  const Rect grid{area.x, area.y + head, side, side};
  const float o_x = grid.right() + gap, o_w = 2 * strip, l_x = o_x + o_w + gap;
  view.label({grid.x, area.y, side, head}, "S, tile by tile", Face::SansBold, st.number(), Tensor::S);
  view.label({o_x, area.y, o_w, head}, "O", Face::SansBold, st.number(), Tensor::O, Align::Center);
  view.label({l_x, area.y, strip, head}, "L", Face::SansBold, st.number(), Role::Text, Align::Center);
  for (int k = 0; k < kSide * kSide; ++k) {
    const Rect rect =
        Rect{grid.x + cell * float(k % kSide), grid.y + cell * float(k / kSide), cell, cell}.inset(st.px(1.5f));
    const bool seen = k < now.step, last = k == now.step - 1;
    if (last || (seen && now.keep))
      view.box(rect, st.px(3), last ? st.palette.fill(Tensor::S) : with_alpha(st.palette.fill(Tensor::S), 0.4f),
               last ? view[Role::Text] : Color{}, last ? st.px(3) : 0);
    else
      view.box(rect, st.px(3), {}, seen ? Role::Ghost : Role::Line, st.px(seen ? 1.5f : 1), seen ? st.px(3) : 0);
  }
  for (int i = 0; i < kSide; ++i) {
    const float done = float(std::clamp(now.step - i * kSide, 0, kSide)) / kSide;
    const Rect o = Rect{o_x, grid.y + cell * float(i), o_w, cell}.inset(0, st.px(1.5f));
    const Rect l{l_x, o.y, strip, o.h};
    view.box(o, st.px(3), done > 0 ? with_alpha(st.palette.fill(Tensor::O), 0.15f + 0.85f * done) : Color{},
             Role::Border, st.px(1));
    view.box(l, st.px(3), done >= 1 ? view[Role::Text] : Color{}, Role::Border, st.px(1));
  }
  const std::string words = now.keep ? fmt::format("S in DRAM: {}", amount(now.kept(), "byte", "binary"))
                            : now.step || !view.hands ? "Tile by tile, S in DRAM: nothing"
                                                      : "Step as FlashAttention does: →";
  view.text({area.x, grid.bottom() + st.px(2), area.w, foot}, words, Face::Sans, st.number(), Role::Text);
  view.region(grid, "board:grid",
              fmt::format("Tile {} of {}. Each cell is {:.0f} × {:.0f} scores (arrow keys)", now.step, kSide * kSide,
                          now.n / kSide, now.n / kSide),
              true);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Now now = now_of(view);
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(480);
  const float gap = st.px(low ? 16 : 32), right_w = std::min(area.w * 0.36f, st.px(380)), x = area.right() - right_w;
  layout_plot(view, {area.x, area.y, area.w - right_w - gap, area.h}, now);

  const float number = st.px(low ? 50 : 76);
  const std::array<std::string_view, 4> ids{"s", "sp", "out", "largest_n"};
  // How far S fits is what the N knob is turned to find: it stands there once N is beyond it.
  const bool beyond = now.sizes.s > now.gpu.dram_bytes;
  const float between = st.px(24), half = (right_w - between) / 2;
  for (size_t k = 0; k < ids.size(); ++k)
    if (ids[k] != "largest_n" || beyond || view.covered("largest_n"))
      big_number(view, {x + float(k % 2) * (half + between), area.y + float(k / 2) * (number + st.px(6)), half, number},
                 reading_of(all, ids[k]), k < 3 ? "binary" : "", st.px(low ? 24 : 30));
  const float y = area.y + 2 * number + st.px(low ? 16 : 36);
  layout_grid(view, {x, y, right_w, area.bottom() - y}, now);
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  const auto cell = [](float share) { return std::clamp(int(share * kSide), 0, kSide - 1); };
  if (id == "board:plot") {
    const Axis x{kLeastN, kMostN, Axis::Scale::Log2, 0, 1};
    turn_to(kMatrixBoard, state, "N", x.value_at(at.x));
  } else if (id == "board:grid") {
    state.step = cell(at.y) * kSide + cell(at.x) + 1;
  }
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (id == "board:plot")
    turn_to(kMatrixBoard, state, "N", knob_value(kMatrixBoard, state, "N") * (right + up > 0 ? 2 : 0.5));
  else if (id == "board:grid")
    state.step = std::clamp(state.step + right - up * kSide, 0, kSide * kSide);
  return {};
}

}  // namespace

const Board kMatrixBoard{.id = "matrix",
                         .title = "The N × N matrix",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .act = act,
                         .nudge = nudge,
                         .steps = steps,
                         .fixed = "B 1 · d 128 · no mask · fp16"};

}  // namespace tilewalk
