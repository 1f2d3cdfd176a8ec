// Kernel fusion: three launches whose results pass through DRAM, and two seams to glue. A glued seam keeps its matrix
// on chip; both glued are one kernel, which reads Q, K, V and writes O and L. Bytes are the core's counts of the
// schedules' loads and stores, each matrix once a kernel.
#include "app/boards/boards.h"
#include "app/boards/fill_label.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kHeads{"64", "128"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Sequence length N", 256, 16384, 4096, "Tokens in the sequence"),
    choice_knob("d", "Head dimension d", kHeads, 0, "Elements of a head's rows"),
    kGpuKnob,
    switch_knob("first", "Fuse S = QKᵀ and softmax", false, "S stays on chip"),
    switch_knob("second", "Fuse softmax and O = PV", false, "P stays on chip"),
});
constexpr std::array<std::string_view, 3> kKernels{"S = QKᵀ", "softmax", "O = PV"};

// What one tensor moves: bytes read and bytes written.
struct Moved {
  double read = 0, written = 0;
};

struct Launches {
  bool first, second;
  const GpuSpec& gpu;
  std::array<Moved, kTensorCount> moved{};
  double flop = 0, fills = 0;  // fills: bytes between L2 and the SMs, by FA2's tiles
  int count() const { return 3 - int(first) - int(second); }
  bool one() const { return first && second; }
  const Moved& operator[](Tensor t) const { return moved[size_t(t)]; }
  double bytes() const {
    double sum = 0;
    for (const Moved& m : moved) sum += m.read + m.written;
    return sum;
  }
  double time() const { return std::max(bytes() / gpu.dram_rate, flop / gpu.tensor_rate); }
};

Launches launches_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kLaunchesBoard, state, id); };
  Launches out{knob("first") != 0, knob("second") != 0, *gpu_named(kGpuIds[size_t(knob("gpu"))])};
  Problem p;
  p.n_q = p.n_k = p.br = p.bc = int64_t(knob("N"));  // one tile: each matrix passes once a kernel
  p.d = knob("d") != 0 ? 128 : 64;
  const auto counted = [](Method id, const Problem& problem) {
    const Schedule& schedule = schedule_of(id);
    return count(schedule, make_plan(schedule, problem, VariantId::Paper)).total;
  };
  const Meters total = counted(out.one() ? Method::Fa2 : Method::Standard, p);
  for (size_t t = 0; t < out.moved.size(); ++t) out.moved[t] = {double(total.loaded[t]), double(total.stored[t])};
  if (out.first) out.moved[size_t(Tensor::S)] = {};
  if (out.second) out.moved[size_t(Tensor::P)] = {};
  out.flop = double(total.matrix_flop);
  p.br = p.bc = 128;
  const Meters fa2 = counted(Method::Fa2, p);
  out.fills = double(fa2.fill_bytes() + fa2.drain_bytes());
  return out;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Launches l = launches_of(view.state);
  const std::string gpu = l.gpu.title + ", " + l.gpu.source;
  return {
      {"launches", "Launches", {double(l.count()), "", Origin::Computed, "kernels, one head"}},
      {"bytes", "Bytes through DRAM", {l.bytes(), "byte", Origin::Computed, "one head, each matrix once a kernel"}},
      {"scores",
       "of them S and P",
       {l[Tensor::S].read + l[Tensor::S].written + l[Tensor::P].read + l[Tensor::P].written, "byte", Origin::Computed,
        "written by one kernel, read by the next"}},
      {"flop", "Work of the products", {l.flop, "flop", Origin::Computed, "4 N² d, one head"}},
      {"time",
       "Time, the slower clock",
       {l.time(), "s", Origin::Model, "the slower of bytes / bandwidth and FLOP / peak, " + gpu}},
      {"fills", "L2 to SM bytes", {l.fills, "byte", Origin::Computed, "FA2 with tiles of 128 and 128 rows, one head"}},
  };
}

std::string caption(const Exhibit& view) {
  const Launches l = launches_of(view.state);
  if (l.one()) return "One launch: only Q, K, V and O pass through DRAM, and L, one number a row.";
  if (l.first) return "S stays on chip, if whole rows of it fit. P still makes a round trip.";
  if (l.second) return "P stays on chip. S still makes a round trip.";
  return "Three launches: each leaves its result in DRAM for the next. Glue a seam.";
}

// A tensor in DRAM: solid where it passes, a dashed ghost where it never arrives.
void layout_tensor(const BoardView& view, Rect rect, Tensor tensor, bool there, double bytes) {
  const Style& st = view.style;
  const std::string name(symbol_of(tensor));
  if (!there) {
    view.box(rect, st.r_small(), {}, Role::Ghost, st.px(2), st.px(5));
    view.label(rect, name + " never here", Face::Sans, st.small(), Role::TextSecondary, Align::Center);
    return;
  }
  const bool stat = is_statistic(tensor);
  view.box(rect, st.r_small(), tensor, Role::Border, stat ? st.px(1) : 0);
  const std::string words = fmt::format("{} {}", name, amount(bytes, "byte"));
  const float size = st.number();
  const bool fits = text_width(words, Face::SansBold, size) + st.px(8) <= rect.w;
  label_on_fill(view, rect, fits ? words : name, Face::SansBold, size, view[tensor], st.palette.label_on(tensor));
}

void layout_seam(const BoardView& view, Rect seam, float kernel_h, size_t which, bool glued) {
  const Style& st = view.style;
  const float side = st.px(44);
  const Rect button{seam.center().x - side / 2, seam.y + kernel_h / 2 - side / 2, side, side};
  const std::string id = fmt::format("board:seam/{}", which);
  if (!glued)
    view.line({seam.center().x, seam.y}, {seam.center().x, seam.y + kernel_h}, Role::Ghost, st.px(2), st.px(6));
  if (!view.hands) return;
  view.box(button, side / 2,
           glued                   ? Role::Inverse
           : view.view.hover == id ? Role::Line
                                   : Role::SurfaceStrong,
           Role::Inverse, st.px(2));
  view.label(button, glued ? "−" : "+", Face::SansBold, st.heading(), glued ? Role::InverseText : Role::Text,
             Align::Center);
  view.region(button, id, glued ? "Cut the seam (Enter)" : "Glue the seam: one kernel of two (Enter)", true, side / 2);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Launches l = launches_of(view.state);
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(480);

  const float head = st.px(low ? 58 : 88);
  const std::array<std::string_view, 4> top{"launches", "bytes", "time", "fills"};
  const size_t shown = l.one() && !view.covered("fills") ? 4 : 3;
  for (size_t k = 0; k < shown; ++k)
    big_number(view, {area.x + area.w / 4 * float(k), area.y, area.w / 4 - st.px(12), head}, reading_of(all, top[k]),
               {}, st.px(low ? 26 : 34));

  // Kernels on chip, in a row; below them DRAM, with S and P under the seams that they cross.
  const float y0 = area.y + head + st.px(low ? 10 : 36), label_w = st.px(low ? 70 : 90);
  const float left = area.x + label_w, w = area.right() - left, gap = st.px(64), column = (w - 2 * gap) / 3;
  const float rest = area.bottom() - y0, kernel_h = std::min(rest * 0.30f, st.px(150)), bar_h = st.px(low ? 26 : 40);
  const float foot = bar_h + st.px(low ? 26 : 40), tensor_h = std::min(rest * 0.2f, st.px(84));
  const float dram_y = area.bottom() - foot - tensor_h - st.px(low ? 8 : 16);
  view.label({area.x, y0, label_w, kernel_h}, "On chip", Face::SansBold, st.body(), Role::Text);
  view.label({area.x, dram_y, label_w, tensor_h}, "DRAM", Face::SansBold, st.body(), Role::Text);

  std::array<Rect, 3> kernel;
  for (size_t k = 0; k < 3; ++k) kernel[k] = {left + float(k) * (column + gap), y0, column, kernel_h};
  const std::array<bool, 2> glued{l.first, l.second};
  for (size_t k = 0; k < 3;) {
    size_t last = k;
    while (last < 2 && glued[last]) ++last;
    view.box({kernel[k].x, y0, kernel[last].right() - kernel[k].x, kernel_h}, st.r_medium(), Role::SurfaceStrong,
             Role::Text, st.px(3));
    k = last + 1;
  }
  for (size_t k = 0; k < 3; ++k)
    view.text(kernel[k].inset(st.px(8), 0), kKernels[k], Face::SansBold, st.heading(), Role::Text, Align::Center);

  // Tensors in DRAM, and the arrows.
  const float pad = st.px(8), half = (column - pad) / 2, arrow = st.px(3);
  const auto at = [&](float x, float width) { return Rect{x, dram_y, width, tensor_h}; };
  const float chip = y0 + kernel_h;
  const auto up = [&](const Rect& from, float to_x, Tensor t) {
    view.line({from.center().x, dram_y - st.px(3)}, {to_x, chip + st.px(4)}, st.palette.ink(t), arrow, 0, true);
  };
  const auto down = [&](float from_x, const Rect& to, Tensor t) {
    view.line({from_x, chip + st.px(3)}, {to.center().x, dram_y - st.px(4)}, st.palette.ink(t), arrow, 0, true);
  };
  // Q, K, V and O have the same bytes, and the same width; S and P take the room between them.
  const float same = w * 0.135f, stat = l.one() ? w * 0.045f : -pad, large = (w - 4 * same - stat - 6 * pad) / 2;
  const Rect q = at(left, same), k = at(q.right() + pad, same), s = at(k.right() + pad, large),
             p = at(s.right() + pad, large), v = at(p.right() + pad, same), o = at(v.right() + pad, same),
             lse = at(o.right() + pad, stat);
  layout_tensor(view, q, Tensor::Q, true, l[Tensor::Q].read);
  layout_tensor(view, k, Tensor::K, true, l[Tensor::K].read);
  layout_tensor(view, s, Tensor::S, !l.first, l[Tensor::S].written);
  layout_tensor(view, p, Tensor::P, !l.second, l[Tensor::P].written);
  layout_tensor(view, v, Tensor::V, true, l[Tensor::V].read);
  layout_tensor(view, o, Tensor::O, true, l[Tensor::O].written);
  if (l.one()) layout_tensor(view, lse, Tensor::Lse, true, l[Tensor::Lse].written);
  up(q, kernel[0].x + half * 0.3f, Tensor::Q);
  up(k, kernel[0].x + half * 0.9f, Tensor::K);
  if (!l.first) {
    down(kernel[0].right() - half * 0.25f, s, Tensor::S);
    up(s, kernel[1].x + half * 0.3f, Tensor::S);
  }
  if (!l.second) {
    down(kernel[1].right() - half * 0.5f, p, Tensor::P);
    up(p, kernel[2].x + half * 0.2f, Tensor::P);
  }
  up(v, kernel[2].x + half * 0.8f, Tensor::V);
  down(kernel[2].right() - half * 0.4f, o, Tensor::O);
  for (size_t seam = 0; seam < 2; ++seam)
    layout_seam(view, {kernel[seam].right(), y0, gap, kernel_h}, kernel_h, seam, glued[seam]);

  // All bytes, by tensor, on the scale of three launches.
  BoardState apart = view.state;
  turn_to(kLaunchesBoard, apart, "first", 0);
  turn_to(kLaunchesBoard, apart, "second", 0);
  const double most = launches_of(apart).bytes();
  const Rect track{area.x, area.bottom() - bar_h, area.w, bar_h};
  view.text({track.x, track.y - st.px(26), track.w, st.px(24)}, "Bytes through DRAM, on the scale of three launches",
            Face::Sans, st.number(), Role::TextSecondary);
  if (view.covered("bytes")) return plate(view, track);
  view.box(track, 0, {}, Role::Ghost, st.px(2), st.px(5));
  float x = track.x;
  for (const Tensor t : {Tensor::Q, Tensor::K, Tensor::S, Tensor::P, Tensor::V, Tensor::O, Tensor::Lse}) {
    const float piece = track.w * float((l[t].read + l[t].written) / most);
    if (piece <= 0) continue;
    view.box({x, track.y, std::max(piece, 1.0f), track.h}, 0, t, Role::Background, piece > st.px(8) ? st.px(1) : 0);
    if (piece > st.px(60))
      label_on_fill(view, {x, track.y, piece, track.h}, symbol_of(t), Face::SansBold, st.number(), view[t],
                    st.palette.label_on(t));
    x += piece;
  }
}

std::string act(std::string_view id, Vec2, bool dragged, BoardState& state) {
  if (dragged || !id.starts_with("board:seam/")) return {};
  const std::string_view knob = id.ends_with("0") ? "first" : "second";
  const bool glues = knob_value(kLaunchesBoard, state, knob) == 0;
  turn_to(kLaunchesBoard, state, knob, glues);
  // With the keyboard one goes on at the other seam, and from two glued ones to what is next.
  const std::string_view other = knob == "first" ? "second" : "first";
  const bool open = knob_value(kLaunchesBoard, state, other) == 0;
  if (glues) state.cells[".focus"] = open ? (other == "first" ? "board:seam/0" : "board:seam/1") : "";
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (id.starts_with("board:seam/"))
    turn_to(kLaunchesBoard, state, id.ends_with("0") ? "first" : "second", right + up > 0 ? 1 : 0);
  return {};
}

}  // namespace

const Board kLaunchesBoard{.id = "launches",
                           .title = "Three launches or one",
                           .knobs = kKnobs,
                           .layout = layout,
                           .caption = caption,
                           .readings = readings,
                           .act = act,
                           .nudge = nudge,
                           .fixed = "one head · no mask · fp16 · FA2's tiles 128 × 128"};

}  // namespace tilewalk
