// Two clocks for standard attention, on one axis of time: how long its three kernels keep the memory busy, and how long
// its products keep the tensor cores busy. Speeding up the faster clock changes nothing. Times are a roofline's: bytes
// over bandwidth, FLOP over peak. The end of a bar can be dragged: a shorter bar is a faster part.
#include "app/boards/boards.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/text/text.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kHeads{"64", "128"}, kNumbers{"all", "bytes"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Sequence length N", 256, 16384, 4096, "Tokens in the sequence"),
    power_knob("tensor", "Tensor cores faster", 1, 1024, 1, "Speeds up the products", "×"),
    power_knob("memory", "Memory faster", 1, 1024, 1, "Speeds up DRAM", "×"),
    kGpuKnob,
    choice_knob("d", "Head dimension d", kHeads, 0, "Elements of a head's rows"),
    choice_knob("numbers", "Numbers above", kNumbers, 0, "Bytes alone, until the others are explained", kNumbers),
});

// Bytes of one kernel that belong to one tensor.
struct Part {
  size_t kernel;
  Tensor tensor;
  double bytes;
};

struct Clocks {
  const GpuSpec& gpu;
  double tensor, memory;  // times faster
  double bytes = 0, flop = 0;
  std::array<double, 3> kernel_bytes{};
  std::vector<Part> parts{};
  double memory_time() const { return bytes / (gpu.dram_rate * memory); }
  double math_time() const { return flop / (gpu.tensor_rate * tensor); }
  double time() const { return std::max(memory_time(), math_time()); }
  // What the axis of time spans: the slower clock as the datasheet has it.
  double span() const { return std::max(memory_time() * memory, math_time() * tensor); }
};

Clocks clocks_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kClocksBoard, state, id); };
  Problem problem;
  problem.n_q = problem.n_k = problem.br = problem.bc =
      int64_t(knob("N"));  // one tile: each matrix is met once a kernel
  problem.d = knob("d") != 0 ? 128 : 64;
  const Schedule& standard = schedule_of(Method::Standard);
  const Count counted = count(standard, make_plan(standard, problem, VariantId::Paper));
  Clocks clocks{*gpu_named(kGpuIds[size_t(knob("gpu"))]), knob("tensor"), knob("memory")};
  clocks.flop = double(counted.total.matrix_flop);
  for (size_t kernel = 0; kernel < clocks.kernel_bytes.size(); ++kernel)
    for (const auto& tensors : {counted.passes[kernel].loaded, counted.passes[kernel].stored})
      for (size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t] > 0) {
          clocks.parts.push_back({kernel, Tensor(t), double(tensors[t])});
          clocks.kernel_bytes[kernel] += double(tensors[t]);
          clocks.bytes += double(tensors[t]);
        }
  return clocks;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Clocks c = clocks_of(view.state);
  const std::string gpu = c.gpu.title + ", " + c.gpu.source;
  const std::string paper = "one head, arXiv:2205.14135 Algorithm 0";
  const auto bytes = [](double value, std::string source) {
    return Quantity{value, "byte", Origin::Computed, std::move(source)};
  };
  return {
      {"bytes", "Bytes through DRAM", bytes(c.bytes, "three kernels, " + paper)},
      {"flop", "Work of the products", {c.flop, "flop", Origin::Computed, "4 N² d, one head"}},
      {"intensity", "Arithmetic intensity", {c.flop / c.bytes, "flop/byte", Origin::Computed, "FLOP / bytes"}},
      {"ridge",
       "The GPU's ridge",
       {c.gpu.ridge() * c.tensor / c.memory, "flop/byte", Origin::Model, "peak / bandwidth, " + gpu}},
      {"memory_time", "Memory's clock", {c.memory_time(), "s", Origin::Model, "bytes / DRAM bandwidth, " + gpu}},
      {"math_time", "Math's clock", {c.math_time(), "s", Origin::Model, "FLOP / tensor-core peak, " + gpu}},
      {"time", "Time of attention", {c.time(), "s", Origin::Model, "the slower clock, " + gpu}},
      {"bytes_s", "S = QKᵀ", bytes(c.kernel_bytes[0], "reads Q and K, writes S; " + paper)},
      {"bytes_softmax", "softmax", bytes(c.kernel_bytes[1], "reads S, writes P; " + paper)},
      {"bytes_pv", "O = PV", bytes(c.kernel_bytes[2], "reads P and V, writes O; " + paper)},
  };
}

std::string caption(const Exhibit& view) {
  if (view.covered("time") || view.covered("memory_time") || view.covered("math_time"))
    return "Two clocks run side by side; the slower one is the time.";
  const Clocks c = clocks_of(view.state);
  const double memory = c.memory_time(), math = c.math_time();
  if (memory < math) return "The products take the time: memory is no longer the limit.";
  if (c.tensor > 1 && c.memory == 1)
    return fmt::format("Tensor cores {}× faster: memory still takes {}.", amount(c.tensor, ""), amount(memory, "s"));
  const double share = 100 * math / memory;
  return fmt::format("Memory takes the time: the products would be done in {} % of it.",
                     share < 1 ? "less than 1" : fmt::format("{:.0f}", share));
}

// What the two bars share: where a time lies.
struct Track {
  Rect rect;
  double span;
  float at(double time) const { return rect.x + rect.w * float(std::min(time / span, 1.0)); }
};

// The number large, and behind it how it comes about.
// Gives where it ends.
float layout_head(const BoardView& view, Rect line, const Reading& clock, std::string_view how) {
  const Style& st = view.style;
  line.h -= st.px(4);  // room for the tail of µ
  const float size = std::min(st.px(34), line.h * 0.8f);
  const std::string time = amount(clock.quantity.value, "s");
  const float number = std::max(st.px(120), text_width(time, Face::MonoBold, size) + st.px(4));
  if (view.covered(clock.id))
    plate(view, {line.x, line.y, st.px(120), line.h});
  else
    view.label({line.x, line.y, number, line.h}, time, Face::MonoBold, size, Role::Text);
  const float x = line.x + number + st.px(16), name = text_width(clock.label, Face::SansBold, st.body()) + st.px(4);
  view.label({x, line.y, name, line.h}, clock.label, Face::SansBold, st.body(), view[Role::Text]);
  const Rect rest{x + name + st.px(10), line.y, line.right() - x - name - st.px(10), line.h};
  view.text(rest, how, Face::Sans, st.body(), view[Role::TextSecondary]);
  reading_region(view, {line.x, line.y, number, line.h}, clock);
  return std::min(rest.right(), rest.x + text_width(how, Face::Sans, st.body()));
}

// Where the datasheet has the end of a bar, and a grip to drag it by while that knob is within reach.
void layout_end(const BoardView& view, const Track& track, std::string_view knob, std::string_view what, double time,
                double datasheet) {
  const Style& st = view.style;
  const float x = track.at(time), grip = st.px(16), y = track.rect.center().y;
  if (track.at(datasheet) > x + st.px(2))
    view.box({x, track.rect.y, track.at(datasheet) - x, track.rect.h}, 0, {}, Role::Ghost, st.px(2), st.px(6));
  if (!view.hands ||
      std::ranges::none_of(knobs_in_reach(view.board, view.state), [&](const Knob* k) { return k->id == knob; }))
    return;
  const Rect with_grip{track.rect.x, track.rect.y, track.rect.w + grip / 2, track.rect.h};
  view.region(with_grip, fmt::format("board:{}", knob), fmt::format("Drag the end to the left for {} (← →)", what),
              true);
  view.box({x - grip / 2, y - grip, grip, 2 * grip}, grip / 2, Role::Background, Role::Inverse, st.px(4));
}

// A word in a piece of a bar, where it fits.
void word_in(const BoardView& view, Rect rect, std::initializer_list<std::string> texts) {
  const float size = rect.w > view.px(240) ? view.style.body() : view.style.number();
  for (const std::string& text : texts)
    if (text_width(text, Face::SansBold, size) + view.px(12) <= rect.w && rect.h >= size * 1.2f) {
      view.label(rect, text, Face::SansBold, size, Role::Text, Align::Center);
      return;
    }
}

void memory_bar(const BoardView& view, const Track& track, const Clocks& c) {
  const Style& st = view.style;
  double before = 0;
  for (const Part& part : c.parts) {
    const float from = track.at(before), to = track.at(before += part.bytes / (c.gpu.dram_rate * c.memory));
    view.box({from, track.rect.y, std::max(to - from, 1.0f), track.rect.h}, 0, {part.tensor, 0.32f});
  }
  const std::array<std::string_view, 3> names{"S = QKᵀ", "softmax", "O = PV"};
  before = 0;
  for (size_t k = 0; k < names.size(); ++k) {
    const float from = track.at(before), to = track.at(before += c.kernel_bytes[k] / (c.gpu.dram_rate * c.memory));
    const Rect kernel{from, track.rect.y, to - from, track.rect.h};
    if (k > 0) view.line({from, kernel.y}, {from, kernel.bottom()}, view[Role::Text], std::min(st.px(3), kernel.w));
    const std::string bytes = amount(c.kernel_bytes[k], "byte");
    if (!view.covered("bytes"))
      word_in(view, kernel, {fmt::format("{}: {}", names[k], bytes), std::string(names[k])});
    else
      word_in(view, kernel, {std::string(names[k])});
  }
  // Around the bar, not on it: at its ends lie the slivers of Q and K, of V and O.
  const float line = st.px(3), end = track.at(before);
  view.box(Rect{track.rect.x, track.rect.y, end - track.rect.x, track.rect.h}.inset(-line), 0, {}, view[Role::Text],
           line);
}

// Which colour is which tensor, in the order of the bar; at the right end of `line`.
void layout_legend(const BoardView& view, Rect line) {
  const Style& st = view.style;
  const float side = st.px(14), word = st.px(26), each = side + word;
  const std::array<Tensor, 6> tensors{Tensor::Q, Tensor::K, Tensor::S, Tensor::P, Tensor::V, Tensor::O};
  float x = line.right() - each * float(tensors.size());
  if (x < line.x) return;
  for (const Tensor tensor : tensors) {
    view.box({x, line.center().y - side / 2, side, side}, 0, with_alpha(st.palette.fill(tensor), 0.5f),
             st.palette.fill(tensor), st.px(1.5f));
    view.label({x + side + st.px(5), line.y, word - st.px(5), line.h}, symbol_of(tensor), Face::SansBold, st.number(),
               view[Role::Text]);
    x += each;
  }
}

void math_bar(const BoardView& view, const Track& track, const Clocks& c) {
  const Style& st = view.style;
  const std::array<std::string, 2> names{"QKᵀ", "PV"};
  for (size_t k = 0; k < names.size(); ++k) {  // both products are 2 N² d
    const float from = track.at(c.math_time() * double(k) / 2), to = track.at(c.math_time() * double(k + 1) / 2);
    const Rect product{from, track.rect.y, std::max(to - from, 1.0f), track.rect.h};
    view.box(product, 0, Role::SurfaceStrong, Role::Text, std::min(st.px(3), product.w));
    word_in(view, product, {names[k]});
  }
}

// Times below the lower bar.
void layout_axis(const BoardView& view, const Track& track, int most_ticks) {
  const Style& st = view.style;
  const Axis axis{0, track.span, Axis::Scale::Linear, track.rect.x, track.rect.right()};
  for (const double tick : axis.ticks(most_ticks)) {
    const float at = axis.at(tick), y = track.rect.bottom();
    view.line({at, y}, {at, y + st.px(6)}, Role::Border, st.px(1.5f));
    const float x = std::clamp(at - st.px(48), track.rect.x, track.rect.right() - st.px(84));
    view.label({x, y + st.px(8), st.px(96), st.px(20)}, amount(tick, "s"), Face::Mono, st.small(), Role::TextSecondary,
               tick == 0 ? Align::Left : Align::Center);
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const std::vector<Reading> all = readings(view);
  const Clocks c = clocks_of(view.state);
  const bool low = area.h < st.px(480);

  const float head = st.px(low ? 58 : 84);
  constexpr std::array<std::string_view, 4> kTop{"bytes", "flop", "intensity", "ridge"};
  const std::span<const std::string_view> top(kTop.data(), view.knob("numbers") != 0 ? 1 : kTop.size());
  const float each = area.w / 4, between = st.px(28);
  const auto shown = [&](std::string_view id) {
    Reading r = reading_of(all, id);
    if (r.quantity.value >= 1000) r.quantity.value = std::round(r.quantity.value);  // a whole number has its commas
    return r;
  };
  float size = st.px(low ? 24 : 30);  // one for all four: what the longest of them needs
  for (const std::string_view id : top) {
    const Quantity q = shown(id).quantity;
    size = std::min(size, size * (each - between) / text_width(amount(q.value, q.unit), Face::MonoBold, size));
  }
  for (size_t k = 0; k < top.size(); ++k)
    big_number(view, {area.x + each * float(k), area.y, each - between, head}, shown(top[k]), {},
               std::max(size, st.number()));

  const float axis_room = st.px(48), line = st.px(low ? 40 : 52), gap = st.px(low ? 10 : 28);
  const float bar_h = std::min((area.h - head - axis_room - 2 * line - 2 * gap) / 2, st.px(190));
  const float top_of_bars = area.y + head + gap;
  const float left = area.x, width = area.w - st.px(12);
  const Track memory{{left, top_of_bars + line, width, bar_h}, c.span()};
  const Track math{{left, memory.rect.bottom() + gap + line, width, bar_h}, c.span()};

  const Rect head_of_memory{left, memory.rect.y - line, width, line};
  const float said = layout_head(view, head_of_memory, reading_of(all, "memory_time"),
                                 fmt::format("= {} ÷ {}", view.covered("bytes") ? "bytes" : amount(c.bytes, "byte"),
                                             amount(c.gpu.dram_rate * c.memory, "byte/s")));
  const float legend = said + st.px(20);
  layout_head(view, {left, math.rect.y - line, width, line}, reading_of(all, "math_time"),
              fmt::format("= {} ÷ {}", amount(c.flop, "flop"), amount(c.gpu.tensor_rate * c.tensor, "flop/s")));

  const bool hidden = view.covered("time") || view.covered("memory_time") || view.covered("math_time");
  if (hidden) {
    // Bytes that may be known are there as shares of the bar, which then has no length.
    if (view.covered("bytes"))
      plate(view, memory.rect);
    else
      memory_bar(view, {memory.rect, c.memory_time()}, c);
    plate(view, math.rect);
    return;
  }
  layout_axis(view, math, low ? 6 : 8);
  layout_legend(view, {legend, head_of_memory.y, head_of_memory.right() - legend, line});
  memory_bar(view, memory, c);
  math_bar(view, math, c);
  layout_end(view, memory, "memory", "faster memory", c.memory_time(), c.memory_time() * c.memory);
  layout_end(view, math, "tensor", "faster tensor cores", c.math_time(), c.math_time() * c.tensor);
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  const bool memory = id == "board:memory";
  const Clocks c = clocks_of(state);
  const double datasheet = memory ? c.memory_time() * c.memory : c.math_time() * c.tensor;
  const double wanted = std::clamp(double(at.x), 1e-6, 1.0) * c.span();
  turn_to(kClocksBoard, state, memory ? "memory" : "tensor", datasheet / wanted);
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  const std::string_view knob = id == "board:memory" ? "memory" : "tensor";
  const double now = knob_value(kClocksBoard, state, knob);
  turn_to(kClocksBoard, state, knob, right - up > 0 ? now / 2 : now * 2);
  return {};
}

}  // namespace

const Board kClocksBoard{.id = "clocks",
                         .title = "Two clocks",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .act = act,
                         .nudge = nudge,
                         .fixed = "one head · no mask · fp16"};

}  // namespace tilewalk
