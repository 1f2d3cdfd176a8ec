// The tile-size pad: one corner of a tile of S to drag, and what it costs a thread block. Tiles too large for shared
// memory cannot launch; accumulators beyond what a thread may hold spill. Bytes and tiles on chip are counted by the
// core from the schedule's steps.
#include "app/boards/boards.h"
#include "app/boards/gauge.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "app/scene/hatch.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/machine.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr int64_t kStep = 16, kMostBr = 256, kMostBc = 256;
constexpr float kBeyond =
    1.0f / 32;                // how far the hand reaches beyond the pad: a corner at its edge is held by its middle
constexpr int kFewRows = 64;  // of Q: with fewer the title says what they cost
constexpr std::array<std::string_view, 3> kHeads{"64", "128", "256"}, kThreads{"128", "256", "384"};
constexpr std::array<std::string_view, 2> kSchedules{"FA2", "FA3"}, kScheduleKeys{"fa2", "fa3"};
constexpr std::array<std::string_view, 2> kWalls{"sram", "all"};
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("d", "Head dimension d", kHeads, 1, "Elements of a head's rows"),
    kGpuKnob,
    choice_knob("threads", "Threads that compute", kThreads, 0, "They share the accumulators of a block"),
    choice_knob("schedule", "Schedule", kSchedules, 0, "FA3 has two buffers of K and V, and two tiles of S",
                kScheduleKeys),
    power_knob("N", "Sequence length N", 1024, 131072, 4096, "Tokens in the sequence"),
    choice_knob("walls", "", kWalls, 1, "What a tile costs: SRAM alone, until registers and traffic are explained"),
    linear_knob("Br", "Br, rows of a Q tile", kStep, kMostBr, 128, kStep, "Rows of a Q tile"),
    linear_knob("Bc", "Bc, rows of a K/V tile", kStep, kMostBc, 64, kStep, "Rows of a K/V tile"),
});

// Tiles of real kernels: FA2's and FA3's released ones, FA1's by its paper's rule, and one that a tutorial recommends.
struct Preset {
  std::string_view name;
  int br, bc, d, gpu, threads, schedule;  // the last four are indices of the knobs' choices
};
constexpr auto kPresets = std::to_array<Preset>({
    {"FA2 d 64", 128, 128, 0, 0, 0, 0},
    {"FA2 d 128", 128, 64, 1, 0, 0, 0},
    {"FA3 d 64", 192, 128, 0, 2, 2, 1},
    {"FA3 d 128", 128, 176, 1, 2, 1, 1},
    {"FA1 d 128", 128, 192, 1, 0, 0, 0},
    {"256 × 256", 256, 256, 1, 0, 0, 0},
});

struct Tile {
  int64_t br, bc;
};
Tile tile_of(const BoardState& state) {
  return {int64_t(knob_value(kTilesBoard, state, "Br")), int64_t(knob_value(kTilesBoard, state, "Bc"))};
}

// What all tiles on the pad share.
struct Kernel {
  const Schedule& schedule;
  MachineSpec spec;
  int64_t d, n;
  int threads, scores;  // S tiles that live at once

  Plan plan(Tile tile, int64_t n_q, int64_t n_k) const {
    Problem p;
    p.n_q = n_q, p.n_k = n_k, p.d = d, p.br = tile.br, p.bc = tile.bc;
    return make_plan(schedule, p, VariantId::Paper);
  }
  // Three visits show what a block holds at its fullest.
  int64_t smem(Tile tile) const { return footprint(schedule, plan(tile, tile.br, 3 * tile.bc), spec).sram_bytes; }
  double registers(Tile tile, Tensor tensor) const {
    const int64_t bytes = on_chip(tensor, 0, 0, plan(tile, tile.br, tile.bc), spec).bytes;
    return double(bytes) * (tensor == Tensor::S ? scores : 1) / 4 / threads;
  }
  double registers(Tile tile) const { return registers(tile, Tensor::S) + registers(tile, Tensor::O); }
  bool launches(Tile tile) const { return smem(tile) <= spec.sram_bytes; }
  int most_registers() const { return registers_of_thread(spec, threads, schedule.id == Method::Fa3); }
  bool spills(Tile tile) const { return registers(tile) > most_registers(); }
};

Kernel kernel_of(const Exhibit& view) {
  const bool fa3 = view.on("schedule");
  const auto choice = [&](std::string_view id, const auto& words) {
    return number_or(words[size_t(view.knob(id))], int64_t{0});
  };
  const int threads = int(choice("threads", kThreads));
  return {.schedule = schedule_of(fa3 ? Method::Fa3 : Method::Fa2),
          .spec = machine_of(gpu_of(view)),
          .d = choice("d", kHeads),
          .n = int64_t(view.knob("N")),
          .threads = threads,
          .scores = fa3 ? 2 : 1};
}

std::vector<Reading> readings(const Exhibit& view) {
  const Kernel k = kernel_of(view);
  const Tile tile = tile_of(view.state);
  const Meters total = count(k.schedule, k.plan(tile, k.n, k.n)).total;
  const std::string shape = fmt::format("Br = {}, Bc = {}, d = {}", tile.br, tile.bc, k.d);
  const bool two = k.scores > 1;
  const auto computed = [&](double value, std::string unit, std::string how) {
    return Quantity{value, std::move(unit), Origin::Computed, how + ", " + shape};
  };
  return {
      {"smem", "SRAM of a block",
       computed(double(k.smem(tile)), "byte", two ? "the Q tile, two tiles each of K and V" : "Q, K and V tiles")},
      {"smem_limit",
       "A block's limit",
       {double(k.spec.sram_bytes), "byte", Origin::Published, gpu_of(view).title + ", " + gpu_of(view).source}},
      {"registers", "Accumulators of a thread",
       computed(k.registers(tile), "",
                two ? "fp32 values of two tiles of S and of O over the threads"
                    : "fp32 values of S and O over the threads")},
      {"s_registers", "of S",
       computed(k.registers(tile, Tensor::S), "",
                two ? "fp32 values of two tiles of S over the threads" : "fp32 values of S over the threads")},
      {"o_registers", "of O", computed(k.registers(tile, Tensor::O), "", "fp32 values of O over the threads")},
      {"traffic", "L2 to SM traffic",
       computed(double(total.fill_bytes() + total.drain_bytes()), "byte", fmt::format("one head, N = {}", k.n))},
      {"blocks", "Blocks a head",
       computed(double(k.schedule.sections(k.plan(tile, k.n, k.n))), "",
                fmt::format("one for each Q tile of N = {} rows", k.n))},
  };
}

std::string caption(const Exhibit& view) {
  const Kernel k = kernel_of(view);
  const Tile tile = tile_of(view.state);
  const std::string name = fmt::format("{} × {}", tile.br, tile.bc);
  if (!view.on("walls"))
    return name + (k.launches(tile) ? ": Q, K and V tiles fit in SRAM." : ": more than a block's SRAM holds.");
  if (view.covered("smem") || view.covered("registers")) return name + ": does it launch?";
  if (!k.launches(tile))
    return fmt::format("{} cannot launch: {} of shared memory, a block has {}. cudaErrorInvalidValue.", name,
                       amount(double(k.smem(tile)), "byte", "binary"),
                       amount(double(k.spec.sram_bytes), "byte", "binary"));
  if (k.spills(tile))
    return fmt::format("{} launches, but spills: {} accumulators a thread, {} registers.", name,
                       amount(k.registers(tile), ""), k.most_registers());
  if (tile.br < kFewRows && !view.covered("traffic"))
    return fmt::format("{} runs, but reads K and V {} times, once for each Q tile.", name,
                       amount(reading_of(readings(view), "blocks").quantity.value, ""));
  return fmt::format("{} runs: it fits shared memory and registers.", name);
}

// The pad, with rows of S downwards and columns to the right, both in the same measure.
struct Pad {
  Rect rect;
  float x(int64_t bc) const { return rect.x + rect.w * float(bc) / float(kMostBc); }
  float y(int64_t br) const { return rect.y + rect.h * float(br) / float(kMostBr); }
};

// Words on a ground of their own, so that they can be read over the hatching.
Rect tag_rect(const BoardView& view, Vec2 center, std::string_view words) {
  const float w = text_width(words, Face::SansBold, view.style.number()) + view.px(16), h = view.px(26);
  return {center.x - w / 2, center.y - h / 2, w, h};
}
void tag(const BoardView& view, Rect rect, std::string_view words, Color color) {
  const float size = view.style.number();
  view.box(rect, view.style.r_small(), Role::Background, color, view.px(2));
  view.label(rect, words, Face::SansBold, size, color, Align::Center);
}

// Where tiles of Br rows cannot launch, or spill.
struct Run {
  int64_t br, from, to;  // Bc after `from`, up to `to`
  int64_t width() const { return to - from; }
};
struct Zones {
  std::vector<Run> refused, spilled;  // row by row of the pad
};

Zones zones_of(const Kernel& k) {
  Zones zones;
  for (int64_t br = kStep; br <= kMostBr; br += kStep) {
    // Both grow with Bc: the last tile that is all right is found by halving.
    const auto last_good = [&](auto good) {
      int64_t low = 0, high = kMostBc / kStep;
      while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (good(Tile{br, middle * kStep}))
          low = middle;
        else
          high = middle - 1;
      }
      return low * kStep;
    };
    const int64_t launches = last_good([&](Tile t) { return k.launches(t); });
    const int64_t stays = std::min(launches, last_good([&](Tile t) { return !k.spills(t); }));
    if (launches < kMostBc) zones.refused.push_back({br, launches, kMostBc});
    if (stays < launches) zones.spilled.push_back({br, stays, launches});
  }
  return zones;
}

void draw_zones(const BoardView& view, const Pad& pad, const Zones& zones) {
  const float cell = pad.rect.h * float(kStep) / float(kMostBr);
  const auto draw = [&](const std::vector<Run>& runs, Color color, float pitch) {
    for (const Run& run : runs) {
      const Rect rect{pad.x(run.from), pad.y(run.br - kStep), pad.x(run.to) - pad.x(run.from), cell};
      view.box(rect, 0, {color, 0.10f});
      view.hatch(rect, {color, 0.75f}, pitch, view.px(1.4f));
    }
  };
  draw(zones.spilled, view[Role::TextSecondary], cell);
  draw(zones.refused, view[Role::Wrong], cell / 2);
}

// A zone's words, in one of its widest rows, clear of the words that stand there already. A zone that is narrower than
// its words has them at the edge of the pad.
void say(const BoardView& view, const Pad& pad, const std::vector<Run>& runs, std::string_view words, Color color,
         std::vector<Rect>& taken) {
  if (runs.empty()) return;
  const int64_t widest = std::ranges::max(runs, {}, &Run::width).width();
  for (const Run& run : runs) {
    if (run.width() * 10 < widest * 7) continue;
    Rect rect = tag_rect(view, {(pad.x(run.from) + pad.x(run.to)) / 2, pad.y(run.br - kStep / 2)}, words);
    rect.x = std::clamp(rect.x, pad.rect.x + view.px(4), std::max(pad.rect.x, pad.rect.right() - rect.w) - view.px(4));
    const bool clear = std::ranges::none_of(taken, [&](const Rect& t) {
      return rect.right() > t.x && rect.x < t.right() && rect.bottom() > t.y && rect.y < t.bottom();
    });
    if (!clear || rect.y < pad.rect.y || rect.bottom() > pad.rect.bottom()) continue;
    tag(view, rect, words, color);
    taken.push_back(rect.inset(-view.px(4)));
    return;
  }
}

void layout_pad(const BoardView& view, const Pad& pad, const Kernel& k) {
  const Style& st = view.style;
  const Tile tile = tile_of(view.state);
  view.box(pad.rect, 0, {}, Role::Border, st.px(1.5f));
  const bool hidden = view.covered("smem") || view.covered("registers");
  for (int64_t v = 64; v <= kMostBc; v += 64) {
    if (v < kMostBc) view.line({pad.x(v), pad.rect.y}, {pad.x(v), pad.rect.bottom()}, Role::Line, st.px(1));
    // The last one ends with the pad: what stands right of it begins there.
    const bool last = v == kMostBc;
    view.label({pad.x(v) - st.px(last ? 46 : 24), pad.rect.y - st.px(22), st.px(48), st.px(20)}, fmt::format("{}", v),
               Face::Mono, st.small(), Role::TextSecondary, last ? Align::Right : Align::Center);
    if (v > kMostBr) continue;
    if (v < kMostBr) view.line({pad.rect.x, pad.y(v)}, {pad.rect.right(), pad.y(v)}, Role::Line, st.px(1));
    view.label({pad.rect.x - st.px(40), pad.y(v) - st.px(10), st.px(34), st.px(20)}, fmt::format("{}", v), Face::Mono,
               st.small(), Role::TextSecondary, Align::Right);
  }
  view.label({pad.rect.x, pad.rect.y - st.px(22), st.px(30), st.px(20)}, "Bc", Face::SansBold, st.small(), Role::Text);
  view.label({pad.rect.x - st.px(40), pad.rect.y + st.px(4), st.px(34), st.px(20)}, "Br", Face::SansBold, st.small(),
             Role::Text, Align::Right);
  const Zones zones = hidden ? Zones{} : zones_of(k);
  draw_zones(view, pad, zones);

  const Rect corner{pad.rect.x, pad.rect.y, pad.x(tile.bc) - pad.rect.x, pad.y(tile.br) - pad.rect.y};
  view.box(corner, 0, {Tensor::S, 0.35f}, Tensor::S, st.px(3));
  const float grip = st.px(22);
  if (view.hands)
    view.box({corner.right() - grip / 2, corner.bottom() - grip / 2, grip, grip}, grip / 2, Role::Background,
             Role::Inverse, st.px(5));
  const std::string name = fmt::format("{} × {}", tile.br, tile.bc);
  const float size = pad.rect.w < st.px(300) ? st.number() : st.heading(),
              w = text_width(name, Face::MonoBold, size) + st.px(20), h = size * 1.5f;
  const Rect label{std::min(corner.right() + st.px(16), pad.rect.right() - w - st.px(2)),
                   std::clamp(corner.bottom() - h, pad.rect.y + st.px(2), pad.rect.bottom() - h - st.px(2)), w, h};
  // Right of the corner where there is room, else left of it, else above it.
  const bool beside = label.x >= corner.right() + st.px(16), within = corner.w >= w + st.px(24);
  const float above = std::max(pad.rect.y + st.px(2), corner.bottom() - h - st.px(18));
  const Rect at = beside   ? label
                  : within ? Rect{corner.right() - w - st.px(18), label.y, w, h}
                           : Rect{std::max(pad.rect.x + st.px(2), label.x), above, w, h};
  view.box(at, st.r_small(), Role::Inverse);
  view.label(at, name, Face::MonoBold, size, Role::InverseText, Align::Center);
  const Rect handle{corner.right() - grip, corner.bottom() - grip, 2 * grip, 2 * grip};
  std::vector<Rect> taken{at.inset(-st.px(6)), handle};
  say(view, pad, zones.refused, "cannot launch", view[Role::WrongText], taken);
  say(view, pad, zones.spilled, "spills", view[Role::Text], taken);
  view.region({pad.rect.x, pad.rect.y, pad.rect.w * (1 + kBeyond), pad.rect.h * (1 + kBeyond)}, "board:pad",
              fmt::format("Br = {}, Bc = {}. Drag the corner (arrow keys)", tile.br, tile.bc), true);
}

void layout_presets(const BoardView& view, Rect rect) {
  const Style& st = view.style;
  const Tile tile = tile_of(view.state);
  const size_t a_row = rect.w >= st.px(640) ? 6 : 3, rows = kPresets.size() / a_row;
  const float gap = st.px(6), w = (rect.w - gap * float(a_row - 1)) / float(a_row),
              h = (rect.h - gap * float(rows - 1)) / float(rows);
  for (size_t k = 0; k < kPresets.size(); ++k) {
    const Preset& p = kPresets[k];
    const Rect slot{rect.x + float(k % a_row) * (w + gap), rect.y + float(k / a_row) * (h + gap), w, h};
    const std::string id = fmt::format("board:preset/{}", k);
    const bool chosen = tile.br == p.br && tile.bc == p.bc && view.knob("d") == p.d && view.knob("gpu") == p.gpu &&
                        view.knob("threads") == p.threads && view.knob("schedule") == p.schedule;
    if (!view.hands) {  // what it is, if anything: "The released kernel's tile: FA2 d 128"
      const bool kernels = p.name.starts_with("FA") && p.name.find(" d ") != std::string_view::npos;
      if (chosen)
        view.text({rect.x, rect.y, rect.w, h},
                  kernels ? fmt::format("The released kernel's tile: {}", p.name) : std::string(p.name), Face::SansBold,
                  st.body(), Role::Text);
      continue;
    }
    view.box(slot, st.r_medium(),
             chosen ? view[Role::Inverse] : view[view.view.hover == id ? Role::Line : Role::SurfaceStrong]);
    view.text(slot.inset(st.px(6), 0), p.name, chosen ? Face::SansBold : Face::Sans, st.number(),
              chosen ? Role::InverseText : Role::Text, Align::Center);
    view.region(slot, id,
                fmt::format("{} × {}, d = {}, {} threads, {}", p.br, p.bc, kHeads[size_t(p.d)],
                            kThreads[size_t(p.threads)], kGpuWords[size_t(p.gpu)]),
                true, st.r_medium());
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Kernel k = kernel_of(view);
  const Tile tile = tile_of(view.state);
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(480);

  const float left = st.px(44), top = st.px(24), gap = st.px(low ? 20 : 36);
  const bool walls = view.on("walls");  // released tiles, too, are held against all of them
  const float presets = walls ? st.px(low ? 76 : 44) : 0, above_presets = walls ? st.px(low ? 10 : 20) : 0;
  const float room_w = area.w * 0.62f - left, room_h = area.h - top - presets - above_presets;
  const float unit = std::min(room_w / float(kMostBc), room_h / float(kMostBr));
  const Pad pad{{area.x + left, area.y + top, unit * float(kMostBc), unit * float(kMostBr)}};
  layout_pad(view, pad, k);
  const float wide = low ? pad.rect.w : area.w - left;
  if (walls)
    layout_presets(view,
                   {pad.rect.x, std::min(pad.rect.bottom() + above_presets, area.bottom() - presets), wide, presets});

  // What the tile costs.
  const float x = pad.rect.right() + gap, w = area.right() - x;
  const float bottom = low ? area.bottom() : pad.rect.bottom();
  const float each = (bottom - area.y) / 3.1f;
  const auto part = [&](Tensor tensor, double value, std::string name) {
    return GaugePart{tensor, value, std::move(name)};
  };
  const std::string twice = k.scores > 1 ? "2 " : "";  // FA3's buffers
  const Plan one = k.plan(tile, tile.br, tile.bc);
  const double q = double(on_chip(Tensor::Q, 0, 0, one, k.spec).bytes), kv = (double(k.smem(tile)) - q) / 2;
  layout_gauge(view, {x, area.y, w, each}, reading_of(all, "smem"), double(k.spec.sram_bytes), "byte",
               {part(Tensor::Q, q, "Q"), part(Tensor::K, kv, twice + "K"), part(Tensor::V, kv, twice + "V")},
               "no launch");
  if (!walls) return;
  layout_gauge(
      view, {x, area.y + each, w, each}, reading_of(all, "registers"), k.most_registers(), "",
      {part(Tensor::S, k.registers(tile, Tensor::S), twice + "S"), part(Tensor::O, k.registers(tile, Tensor::O), "O")},
      "spills");
  const float y = area.y + 2 * each, h = std::min(bottom - y, st.px(90));
  big_number(view, {x, y, w * 0.6f - st.px(12), h}, reading_of(all, "traffic"), {}, st.px(low ? 26 : 34));
  big_number(view, {x + w * 0.6f, y, w * 0.4f, h}, reading_of(all, "blocks"), {}, st.px(low ? 26 : 34));
}

std::string act(std::string_view id, Vec2 at, bool dragged, BoardState& state) {
  if (id == "board:pad") {
    turn_to(kTilesBoard, state, "Bc", double(at.x * (1 + kBeyond)) * kMostBc);
    turn_to(kTilesBoard, state, "Br", double(at.y * (1 + kBeyond)) * kMostBr);
  } else if (id.starts_with("board:preset/") && !dragged) {
    const size_t k = number_or(id.substr(id.rfind('/') + 1), size_t{0});
    const Preset& p = kPresets[std::min(k, kPresets.size() - 1)];
    const std::pair<std::string_view, int> values[] = {
        {"Br", p.br}, {"Bc", p.bc}, {"d", p.d}, {"gpu", p.gpu}, {"threads", p.threads}, {"schedule", p.schedule}};
    for (const auto& [knob, value] : values) turn_to(kTilesBoard, state, knob, value);
  }
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (id != "board:pad") return {};
  const Tile tile = tile_of(state);
  turn_to(kTilesBoard, state, "Bc", double(tile.bc + right * kStep));
  turn_to(kTilesBoard, state, "Br", double(tile.br - up * kStep));
  return {};
}

}  // namespace

const Board kTilesBoard{.id = "tiles",
                        .title = "Cut until it fits",
                        .knobs = kKnobs,
                        .layout = layout,
                        .caption = caption,
                        .readings = readings,
                        .act = act,
                        .nudge = nudge,
                        .fixed = "one head · no mask · fp16"};

}  // namespace tilewalk
