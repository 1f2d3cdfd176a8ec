// What the forward pass leaves on the tape for the backward one: all of P, or only O and L, from which P is made again.
// Memory as curves over N against the GPU's, and beside them what either choice costs: memory, products, bytes, time.
// Bytes and FLOP are counted from the two backward schedules; times are a roofline's.
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

constexpr double kLeastN = 512, kMostN = 131072;
constexpr std::array<std::string_view, 2> kHeads{"64", "128"};
constexpr std::array<std::string_view, 2> kMethods{"make P again", "store P"};
constexpr std::array<std::string_view, 2> kMethodIds{"again", "store"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Sequence length N", kLeastN, kMostN, 4096, "Tokens in the sequence"),
    choice_knob("keep", "For the backward pass", kMethods, 0, "What the forward pass leaves behind", kMethodIds),
    choice_knob("d", "Head dimension d", kHeads, 1, "Numbers in a row of a head"),
    power_knob("heads", "Heads", 1, 128, 1, "Of one layer, one sequence"),
    kGpuKnob,
});

// One way to have P in the backward pass, all heads.
struct Way {
  double kept;   // bytes between the passes, beside Q, K and V
  double flop;   // of the matrix products
  double moved;  // bytes between L2 and the SMs
  double dram;   // bytes through DRAM: see way_of
  double time(const GpuSpec& gpu) const { return std::max(flop / gpu.tensor_rate, dram / gpu.dram_rate); }
};

// Storing P: each of five kernels brings its matrices from DRAM and takes them there. Making P again: every tensor
// crosses DRAM once, D and the fp32 dQ out and in again; what is read repeatedly waits in L2.
Way way_of(bool store, double n, int64_t d, double heads) {
  Problem p;
  p.n_q = p.n_k = int64_t(n);
  p.d = d;
  p.br = p.bc = 128;
  const Schedule& schedule = schedule_of(store ? Method::StandardBackward : Method::Fa2Backward);
  const Plan plan = make_plan(schedule, p, VariantId::Kernel);
  const Meters all = count(schedule, plan).total;
  const double rows = n * double(d) * bytes_of(p.format), statistic = n * kStatisticBytes;
  const double kept = store ? n * n * bytes_of(p.format) : rows + statistic;
  const double dram =
      store ? double(all.paper_bytes()) : 8 * rows + 3 * statistic + 2 * n * double(d) * bytes_of(Format::Float32);
  return {kept * heads, double(all.matrix_flop) * heads, double(all.paper_bytes()) * heads, dram * heads};
}

struct Now {
  double n, heads;
  int64_t d;
  bool store;  // what is chosen
  const GpuSpec& gpu;
  Way ways[2];  // make again, store
};

Now now_of(const Exhibit& view) {
  const double n = view.knob("N"), heads = view.knob("heads");
  const int64_t d = view.knob("d") != 0 ? 128 : 64;
  return {n, heads, d, view.knob("keep") != 0, gpu_of(view), {way_of(false, n, d, heads), way_of(true, n, d, heads)}};
}

std::vector<Reading> readings(const Exhibit& view) {
  const Now now = now_of(view);
  const std::string shape = fmt::format("N = {}, d = {}, {:.0f} {}, fp16", with_commas(int64_t(now.n)), now.d,
                                        now.heads, now.heads == 1 ? "head" : "heads");
  const std::string gpu = now.gpu.title + ", " + now.gpu.source;
  std::vector<Reading> out;
  for (const bool store : {true, false}) {
    const Way& way = now.ways[store];
    const std::string id(store ? "_store" : "_again"), how = store ? "store P" : "make P again";
    out.push_back({"kept" + id,
                   "Kept: " + how,
                   {way.kept, "byte", Origin::Computed,
                    (store ? "P: N² · 2 a head, " : "O and L: N d · 2 + N · 4 a head, ") + shape}});
    out.push_back({"flop" + id,
                   "Products: " + how,
                   {way.flop, "flop", Origin::Computed,
                    (store ? "four products, 8 N² d a head, " : "five products, 10 N² d a head, ") + shape}});
    out.push_back({"moved" + id,
                   "L2 and SMs: " + how,
                   {way.moved, "byte", Origin::Computed,
                    (store ? "five kernels, " : "FA2's three kernels, tiles of 128 rows, ") + shape}});
    out.push_back({"dram" + id,
                   "DRAM: " + how,
                   {way.dram, "byte", Origin::Computed,
                    (store ? "five kernels, nothing kept in L2 from one to the next, as with many heads; "
                           : "every tensor once, D and the fp32 dQ out and in again; ") +
                        shape}});
    out.push_back({"time" + id,
                   "Time: " + how,
                   {way.time(now.gpu), "s", Origin::Model,
                    fmt::format("the slower of FLOP / peak and {} through DRAM / bandwidth, {}",
                                amount(way.dram, "byte"), gpu)}});
  }
  const double per_head = now.ways[1].kept / (now.n * now.n);
  out.push_back(
      {"largest_n",
       "P fits up to N",
       {std::floor(std::sqrt(now.gpu.dram_bytes / per_head)), "", Origin::Computed, shape + ", in " + now.gpu.title}});
  out.push_back({"capacity",
                 "The GPU's memory",
                 {now.gpu.dram_bytes, "byte", Origin::Published, fmt::format("{}, {}", now.gpu.title, kMemorySource)}});
  return out;
}

bool hidden(const Exhibit& view, std::string_view measure) {
  return view.covered(std::string(measure) + "_store") || view.covered(std::string(measure) + "_again");
}

std::string caption(const Exhibit& view) {
  const Now now = now_of(view);
  if (hidden(view, "kept") || (!now.store && (hidden(view, "time") || hidden(view, "flop"))))
    return "The backward pass needs P. Keep it, or make it again?";
  const Way &again = now.ways[0], &store = now.ways[1];
  if (!now.store)
    return fmt::format("O and L take {}. P is made again: {:.0f} % more products, {:.2g}× less time.",
                       amount(again.kept, "byte"), 100 * (again.flop / store.flop - 1),
                       store.time(now.gpu) / again.time(now.gpu));
  if (store.kept > now.gpu.dram_bytes)
    return fmt::format("P takes {}: more than the {} of an {}.", amount(store.kept, "byte"),
                       amount(now.gpu.dram_bytes, "byte"), now.gpu.title);
  return fmt::format("P waits for the backward pass in {}: {:.0f} times what O and L take.", amount(store.kept, "byte"),
                     store.kept / again.kept);
}

// Both curves of memory over N, and the wall that is the GPU's.
void layout_plot(const BoardView& view, Rect area, const Now& now) {
  const Style& st = view.style;
  const Rect plot{area.x + st.px(92), area.y + st.px(32), area.w - st.px(92 + 16), area.h - st.px(32 + 48)};
  const Axis x{kLeastN, kMostN, Axis::Scale::Log2, plot.x, plot.right()};
  // In megabytes, as the bars beside it.
  const Axis megabytes{0.05, 5e6, Axis::Scale::Log10, plot.bottom(), plot.y};
  const auto y = [&](double bytes) { return megabytes.at(bytes / 1e6); };
  draw_axis(view, plot, x, true, "count", "Sequence length N");
  draw_axis(view, plot, megabytes, false, "plain",
            fmt::format("Kept for the backward pass, d = {}, MB", view.knob("d") != 0 ? 128 : 64));

  const float wall = y(now.gpu.dram_bytes);
  forbid(view, {plot.x, plot.y, plot.w, wall - plot.y});
  view.line({plot.x, wall}, {plot.right(), wall}, Role::Wrong, st.px(3));

  // Where N is: behind the names.
  const float at = x.at(now.n);
  view.line({at, plot.y}, {at, plot.bottom()}, Role::Text, st.px(2));

  const auto tag = [&](Vec2 corner, const std::string& words, Color color) {
    const float w = text_width(words, Face::SansBold, st.number()) + st.px(12);
    const Rect rect{std::min(corner.x, plot.right() - w), corner.y, w, st.px(24)};
    view.box(rect, st.r_small(), Role::Background);
    view.label(rect, words, Face::SansBold, st.number(), color, Align::Center);
  };
  const auto kept = [&](bool store, double n) { return way_of(store, n, now.d, now.heads).kept; };
  for (const bool store : {false, true}) {
    if (view.covered(store ? "kept_store" : "kept_again")) continue;  // the curve would give it away
    const Tensor tensor = store ? Tensor::P : Tensor::O;
    const bool chosen = store == now.store;
    const Vec2 from{x.at(kLeastN), y(kept(store, kLeastN))};
    Vec2 to{x.at(kMostN), y(kept(store, kMostN))};
    if (to.y < plot.y) to = {from.x + (to.x - from.x) * (from.y - plot.y) / (from.y - to.y), plot.y};
    view.line(from, to, tensor, st.px(chosen ? 5 : 2.5f), chosen ? 0 : st.px(8));
    // At the first of two places that N's line leaves free.
    const std::string words = store ? "store P" : "O and L";
    const float width = text_width(words, Face::SansBold, st.number()) + st.px(16);
    const auto left = [&](double n) { return x.at(n) - (store ? width : 0); };
    const std::array<double, 2> places{store ? kLeastN * 8 : kMostN / 16, store ? kLeastN * 64 : kMostN / 128};
    const bool crossed = left(places[0]) < at + st.px(4) && left(places[0]) + width > at - st.px(4);
    const double n = places[crossed ? 1 : 0];
    const float py = std::clamp(y(kept(store, n)) + (store ? -st.px(34) : st.px(8)), plot.y + st.px(38),
                                plot.bottom() - st.px(26));  // clear of what says "more than", and of the numbers below
    tag({left(n), py}, words, st.palette.ink(tensor));
  }
  for (const bool store : {false, true}) {
    if (view.covered(store ? "kept_store" : "kept_again")) continue;
    const float r = st.px(9), py = std::max(y(now.ways[store].kept), plot.y);
    view.box({at - r, py - r, 2 * r, 2 * r}, r, st.palette.fill(store ? Tensor::P : Tensor::O), Role::Background,
             st.px(2.5f));
  }
  tag({plot.x + st.px(10), plot.y + st.px(10)},
      fmt::format("more than {} ({})", amount(now.gpu.dram_bytes, "byte"),
                  amount(now.gpu.dram_bytes, "byte", "binary")),
      view[Role::WrongText]);
  // The grip stands on the axis, clear of the numbers below it.
  if (view.hands)
    view.box({at - st.px(9), plot.bottom() - st.px(34), st.px(18), st.px(32)}, st.px(9), view[Role::Background],
             view[Role::Inverse], st.px(4));
  view.region(plot, "board:plot", fmt::format("N = {}. Drag to the left or right (← →)", with_commas(int64_t(now.n))),
              true);
}

// One measure: a bar for either choice, the chosen one solid.
void layout_measure(const BoardView& view, Rect area, const Now& now, const std::vector<Reading>& all,
                    std::string_view id, std::string_view title, BarLook look) {
  const Style& st = view.style;
  const float head = st.px(26), line = (area.h - head) / 2;
  const float words_w = text_width(kMethods.front(), Face::SansBold, st.number()) + st.px(2);
  const bool room = view.view.present.on;  // there the number of what is chosen carries the step
  const float number_w = st.px(room ? 170 : 104);
  view.text({area.x, area.y, area.w, head}, title, Face::SansBold, st.number(), Role::TextSecondary);
  const double most = std::max(reading_of(all, std::string(id) + "_store").quantity.value,
                               reading_of(all, std::string(id) + "_again").quantity.value);
  float y = area.y + head;
  for (const bool store : {true, false}) {
    const std::string name = std::string(id) + (store ? "_store" : "_again");
    const Reading& reading = reading_of(all, name);
    const bool chosen = store == now.store;
    const Rect row{area.x, y, area.w, line};
    view.label({row.x, row.y, words_w, row.h}, kMethods[store], chosen ? Face::SansBold : Face::Sans, st.number(),
               view[chosen ? Role::Text : Role::TextSecondary]);
    const Rect track{row.x + words_w + st.px(8), row.y + row.h * 0.18f, row.w - words_w - number_w - st.px(20),
                     row.h * 0.64f};
    const Rect number{row.right() - number_w, row.y, number_w, row.h};
    if (view.covered(name)) {
      plate(view, {track.x, track.y, row.right() - track.x, track.h});
    } else {
      const Color color = st.palette.fill(store ? Tensor::P : Tensor::O);
      bar(view, track, float(reading.quantity.value / most), chosen ? color : with_alpha(color, 0.35f), look);
      view.text(number, amount(reading.quantity.value, reading.quantity.unit), chosen ? Face::MonoBold : Face::Mono,
                room && chosen ? std::min(st.display(), std::max(st.number(), row.h)) : st.number(), Role::Text,
                Align::Right);
    }
    reading_region(view, row, reading);
    y += line;
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Now now = now_of(view);
  const std::vector<Reading> all = readings(view);
  const float gap = st.px(area.h < st.px(480) ? 16 : 36), right_w = std::clamp(area.w * 0.42f, st.px(300), st.px(480));
  layout_plot(view, {area.x, area.y, area.w - right_w - gap, area.h}, now);

  struct Measure {
    std::string_view id, title;
    BarLook look;
  };
  constexpr std::array<Measure, 4> kMeasures{{{"kept", "Kept between the passes", BarLook::Computed},
                                              {"flop", "Matrix products, backward", BarLook::Computed},
                                              {"moved", "Bytes between L2 and the SMs", BarLook::Computed},
                                              {"time", "Time of the backward pass (model)", BarLook::Model}}};
  const float between = st.px(area.h < st.px(480) ? 6 : 22);
  const float each = std::min((area.h - between * 3) / 4, st.px(128));
  float y = area.y;
  for (const Measure& measure : kMeasures) {
    layout_measure(view, {area.right() - right_w, y, right_w, each}, now, all, measure.id, measure.title, measure.look);
    y += each + between;
  }
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  if (id == "board:plot")
    turn_to(kTapeBoard, state, "N", Axis{kLeastN, kMostN, Axis::Scale::Log2, 0, 1}.value_at(at.x));
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (id == "board:plot")
    turn_to(kTapeBoard, state, "N", knob_value(kTapeBoard, state, "N") * (right + up > 0 ? 2 : 0.5));
  return {};
}

}  // namespace

const Board kTapeBoard{.id = "tape",
                       .title = "The tape between the passes",
                       .knobs = kKnobs,
                       .layout = layout,
                       .caption = caption,
                       .readings = readings,
                       .act = act,
                       .nudge = nudge,
                       .fixed = "B 1 · no mask · fp16 · tiles 128 × 128"};

}  // namespace tilewalk
