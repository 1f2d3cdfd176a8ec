// The memories of a GPU, fast and small above, slow and large below, and five things to lift as high as they fit. What
// is too large bounces, and the caption says by how much. A thing moves within its own column: drag it up or down.
// Times are what one multiprocessor's share of a memory's bandwidth takes.
#include "app/boards/boards.h"
#include "app/boards/gpu_knob.h"
#include "app/boards/kit.h"
#include "app/scene/hatch.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/machine.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kHeads{"64", "128"};
constexpr std::array<std::string_view, 4> kLevelWords{"DRAM", "L2", "SRAM", "registers"},
    kLevelIds{"dram", "l2", "sram", "registers"};
constexpr std::array<std::string_view, 2> kLevelCounts{"four", "two"};
constexpr Knob place(std::string_view id, std::string_view label) {
  return choice_knob(id, label, kLevelWords, 0, "Where it is to be kept", kLevelIds);
}
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("rows", "Rows of a tile", 16, 512, 128, "Br and Bc"),
    linear_knob("N", "Sequence length N", 32, 4096, 4096, 32, "Tokens in the sequence"),
    kGpuKnob,
    choice_knob("d", "Head dimension d", kHeads, 1, "Elements of a head's rows"),
    place("Q", "Q tile"),
    place("K", "K tile"),
    place("V", "V tile"),
    place("S", "S"),
    place("whole", "All of K"),
    choice_knob("levels", "Memories", kLevelCounts, 0, "Two to begin with: the large one and the fast one",
                kLevelCounts),
});

constexpr int kDram = 0, kL2 = 1, kSram = 2, kRegisters = 3, kLevels = 4;

// Those that are drawn, from below.
std::vector<int> levels_of(const BoardState& state) {
  if (knob_value(kHierarchyBoard, state, "levels") != 0) return {kDram, kSram};
  return {kDram, kL2, kSram, kRegisters};
}
// The highest of them that is no higher than `level`.
int drawn(const std::vector<int>& levels, int level) { return *std::prev(std::ranges::upper_bound(levels, level)); }
constexpr size_t kItems = 5;
struct Item {
  std::string_view knob, name;
  Tensor tensor;
};
constexpr std::array<Item, kItems> kItemTable{{{"Q", "Q tile", Tensor::Q},
                                               {"K", "K tile", Tensor::K},
                                               {"V", "V tile", Tensor::V},
                                               {"S", "S, N × N", Tensor::S},
                                               {"whole", "all of K", Tensor::K}}};

// Which things are where, and which of them could not go where they were wanted.
struct Placement {
  const GpuSpec* gpu = nullptr;
  std::array<double, kItems> bytes{};
  std::array<int, kItems> wanted{}, level{};
  std::array<double, kLevels> capacity{}, used{};
  bool bounced(size_t k) const { return level[k] < wanted[k]; }
};

Placement placement_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kHierarchyBoard, state, id); };
  const std::vector<int> levels = levels_of(state);
  Placement out;
  out.gpu = gpu_named(kGpuIds[size_t(knob("gpu"))]);
  const MachineSpec spec = machine_of(*out.gpu);
  out.capacity = {out.gpu->dram_bytes, out.gpu->l2_bytes, out.gpu->smem_per_block, double(spec.register_bytes)};

  Problem p;
  p.n_q = p.n_k = p.br = p.bc = int64_t(knob("N"));  // one tile: whole matrices
  p.d = knob("d") != 0 ? 128 : 64;
  const Schedule& standard = schedule_of(Method::Standard);
  const Meters whole = count(standard, make_plan(standard, p, VariantId::Paper)).total;
  Problem cut = p;
  cut.br = cut.bc = std::min(int64_t(knob("rows")), p.n_q);
  const Plan tiles = make_plan(standard, cut, VariantId::Paper);
  const auto tile = [&](Tensor t) { return double(on_chip(t, 0, 0, tiles, spec).bytes); };
  out.bytes = {tile(Tensor::Q), tile(Tensor::K), tile(Tensor::V), double(whole.stored[size_t(Tensor::S)]),
               double(whole.loaded[size_t(Tensor::K)])};

  // What was moved last finds the others in place, so that it is the one to bounce.
  const auto last = state.cells.find("last");
  const size_t moved = last == state.cells.end() ? kItems : number_or(last->second, kItems);
  const auto settle = [&](size_t k) {
    out.wanted[k] = drawn(levels, int(knob(kItemTable[k].knob)));
    out.level[k] = out.wanted[k];
    while (out.level[k] > kDram && out.used[size_t(out.level[k])] + out.bytes[k] > out.capacity[size_t(out.level[k])])
      out.level[k] = drawn(levels, out.level[k] - 1);
    out.used[size_t(out.level[k])] += out.bytes[k];
  };
  for (size_t k = 0; k < kItems; ++k)
    if (k != moved) settle(k);
  if (moved < kItems) settle(moved);
  return out;
}

// One family of units on the whole board: memories are built in powers of two.
std::string in_binary(double bytes) { return amount(bytes, "byte", "binary"); }

// Bandwidth of a level, all multiprocessors together; 0 where no datasheet says.
double rate_of(const GpuSpec& gpu, int level) {
  return level == kDram ? gpu.dram_rate : level == kSram ? gpu.sram_rate() : 0;
}

std::vector<Reading> readings(const Exhibit& view) {
  const Placement p = placement_of(view.state);
  const GpuSpec& gpu = *p.gpu;
  const std::string source = gpu.title + ", " + gpu.source;
  const auto published = [&](double value, std::string unit, std::string what) {
    return Quantity{value, std::move(unit), Origin::Published, what + ", " + source};
  };
  const auto computed = [](double value, std::string unit, std::string how) {
    return Quantity{value, std::move(unit), Origin::Computed, std::move(how)};
  };
  return {
      {"registers", "Registers of an SM", published(p.capacity[kRegisters], "byte", "64 K registers of 4 bytes")},
      {"sram", "SRAM of a block",
       published(p.capacity[kSram], "byte",
                 "shared memory that a thread block, what runs on an SM at a time, can use")},
      {"l2", "L2", published(p.capacity[kL2], "byte", "shared by all multiprocessors")},
      {"dram", "DRAM", published(p.capacity[kDram], "byte", "capacity")},
      {"sram_rate", "SRAM bandwidth", published(gpu.sram_rate(), "byte/s", "128 bytes a clock and SM, all together")},
      {"dram_rate", "DRAM bandwidth", published(gpu.dram_rate, "byte/s", "bandwidth")},
      {"ratio", "SRAM over DRAM", published(gpu.sram_rate() / gpu.dram_rate, "", "bandwidths")},
      {"all_sram", "SRAM of all SMs", published(gpu.smem_per_block * gpu.sms, "byte", "private pads, added up")},
      {"q_bytes", "Q tile", computed(p.bytes[0], "byte", "rows · d · 2")},
      {"k_bytes", "K tile", computed(p.bytes[1], "byte", "rows · d · 2")},
      {"v_bytes", "V tile", computed(p.bytes[2], "byte", "rows · d · 2")},
      {"s_bytes", "S", computed(p.bytes[3], "byte", "N² · 2, one head")},
      {"whole_bytes", "All of K", computed(p.bytes[4], "byte", "N · d · 2, one head")},
      {"sram_used", "Used of SRAM", computed(p.used[kSram], "byte", "what lies there")},
      {"largest_n", "Largest N whose S fits a block",
       computed(std::floor(std::sqrt(p.capacity[kSram] / 2)), "", "N² · 2 ≤ SRAM of a block, " + source)},
  };
}

// "Q tile, K tile"; empty where nothing lies there.
std::string names_at(const Placement& p, int level) {
  std::string names;
  for (size_t k = 0; k < kItems; ++k)
    if (p.level[k] == level) names += fmt::format("{}{}", names.empty() ? "" : ", ", kItemTable[k].name);
  return names;
}

std::string caption(const Exhibit& view) {
  const Placement p = placement_of(view.state);
  for (size_t k = 0; k < kItems; ++k) {
    if (!p.bounced(k) || view.covered("sram_used")) continue;
    const int level = p.wanted[k];
    std::string sum, last;
    int terms = 0;
    for (size_t other = 0; other < kItems; ++other) {
      if (p.level[other] != level || other == k) continue;
      sum += fmt::format("{}{}", terms++ ? " + " : "", in_binary(p.bytes[other]));
    }
    sum += fmt::format("{}{}", terms ? " + " : "", in_binary(p.bytes[k]));
    return fmt::format(
        "{} > {}: {} bounces off {}.{}", sum, in_binary(p.capacity[size_t(level)]), kItemTable[k].name,
        kLevelWords[size_t(level)],
        level == kSram && levels_of(view.state).size() > 2 ? " A launch would say cudaErrorInvalidValue." : "");
  }
  if (p.used[kSram] > 0 && !view.covered("sram_used")) {
    const std::string beside = names_at(p, kL2);
    return fmt::format("In SRAM: {}, {} of {}{}.", names_at(p, kSram), in_binary(p.used[kSram]),
                       in_binary(p.capacity[kSram]), beside.empty() ? "" : "; in L2: " + beside);
  }
  return "Lift each thing as high as it fits: the higher, the nearer to the arithmetic, and the faster.";
}

// A level's name, what it holds, how fast it is, and its size on a scale on which every step is a factor of 1,024.
void layout_level(const BoardView& view, Rect rect, const Placement& p, int level, const std::vector<Reading>& all) {
  const Style& st = view.style;
  constexpr std::array<std::string_view, kLevels> kIds{"dram", "l2", "sram", "registers"};
  constexpr std::array<std::string_view, kLevels> kNames{"DRAM", "L2", "SRAM", "Registers"};
  const std::array<std::string, kLevels> of{"shared by all SMs", "shared by all SMs",
                                            fmt::format("1 of {} private pads", p.gpu->sms), "of one SM"};
  const Reading& capacity = reading_of(all, kIds[size_t(level)]);
  const bool low = rect.h < st.px(120);
  const float name_h = st.px(low ? 22 : 28), number_h = st.px(low ? 30 : 40), line_h = st.px(20);
  float y = rect.y + st.px(low ? 2 : 10);
  const float name_w = text_width(kNames[size_t(level)], Face::SansBold, st.body()) + st.px(10);
  view.label({rect.x, y, name_w, name_h}, kNames[size_t(level)], Face::SansBold, st.body(), Role::Text);
  view.text({rect.x + name_w, y, rect.w - name_w, name_h}, of[size_t(level)], Face::Sans, st.small(),
            Role::TextSecondary);
  y += name_h;
  const Rect number{rect.x, y, rect.w, number_h};
  if (view.covered(capacity.id))
    plate(view, {number.x, number.y, st.px(110), number.h});
  else
    view.text(number, in_binary(capacity.quantity.value), Face::MonoBold,
              view.view.present.on ? st.display() : st.px(low ? 24 : 30), view[Role::Text]);
  y += number_h;
  const double rate = rate_of(*p.gpu, level);
  const bool hide_rate = rate > 0 && view.covered(level == kSram ? "sram_rate" : "dram_rate");
  const std::string how =
      hide_rate      ? "bandwidth: ?"
      : rate > 0     ? fmt::format("{} in all, {} an SM", amount(rate, "byte/s"), amount(rate / p.gpu->sms, "byte/s"))
      : level == kL2 ? "managed by hardware"
                     : "faster still";
  view.text({rect.x, y, rect.w, line_h}, how, Face::Sans, st.small(), view[Role::TextSecondary]);
  y += line_h + st.px(low ? 3 : 10);
  // The scale runs from 1 KiB to 1 TiB.
  const Axis axis{1024, std::exp2(40), Axis::Scale::Log2, rect.x, rect.right() - st.px(16)};
  const float bar_h = st.px(low ? 8 : 12);
  if (y + bar_h < rect.bottom() && !view.covered(capacity.id)) {
    view.box({axis.from, y, axis.to - axis.from, bar_h}, 0, Role::SurfaceStrong);
    view.box({axis.from, y, axis.at(capacity.quantity.value) - axis.from, bar_h}, 0, Role::Inverse);
    for (int power = 20; power <= 30; power += 10)
      view.line({axis.at(std::exp2(power)), y - st.px(2)}, {axis.at(std::exp2(power)), y + bar_h + st.px(2)},
                Role::Border, st.px(2));
    const Rect words{axis.from, y + bar_h + st.px(4), st.px(72), st.px(18)};
    if (words.bottom() < rect.bottom())
      for (const auto& [power, name] : {std::pair{10, "KiB"}, {20, "MiB"}, {30, "GiB"}})
        view.label(words.shifted(axis.at(std::exp2(power)) - axis.from - (power > 10 ? words.w / 2 : 0), 0), name,
                   Face::Mono, st.small(), Role::TextSecondary, power > 10 ? Align::Center : Align::Left);
  }
  view.region(rect, "reading:" + capacity.id, tip_of(capacity) + ". The bar's marks: 1 MiB and 1 GiB");
}

// An empty place above an item: it can be tried there.
void layout_slot(const BoardView& view, Rect cell) {
  const Style& st = view.style;
  const float h = std::min(cell.h - st.px(cell.h < st.px(120) ? 24 : 48), st.px(84));
  view.box({cell.x + st.px(8), cell.center().y - h / 2, cell.w - st.px(16), h}, st.r_small(), {}, Role::Border,
           st.px(1.5f), st.px(4));
}

void layout_chip(const BoardView& view, Rect cell, const Placement& p, size_t k, bool refused, bool covered) {
  const Style& st = view.style;
  const bool low = cell.h < st.px(120);
  const Tensor tensor = kItemTable[k].tensor;
  const float lines = st.px(20), h = std::min(cell.h - 2 * lines - st.px(low ? 12 : 24), st.px(84));
  const float block = h + 2 * lines;
  const Rect chip{cell.x + st.px(8), cell.y + (cell.h - block) / 2, cell.w - st.px(16), h};
  const std::string size = in_binary(p.bytes[k]);
  if (refused) {
    view.box(chip, st.r_small(), {}, Role::Wrong, st.px(3), st.px(6));
    view.hatch(chip.inset(st.px(3)), {Role::Wrong, 0.5f}, st.px(9), st.px(1.5f));
    const Rect words{cell.x, chip.bottom() + st.px(2), cell.w, lines};
    view.text(words, "✕ too large", Face::SansBold, st.small(), Role::WrongText, Align::Center);
    return;
  }
  view.box(chip, st.r_small(), tensor);
  view.text(chip.inset(st.px(4), 0), kItemTable[k].name, Face::SansBold, st.body(), st.palette.label_on(tensor),
            Align::Center);
  const Rect first{cell.x, chip.bottom() + st.px(2), cell.w, lines}, second = first.shifted(0, lines);
  if (covered)
    plate(view, {chip.center().x - st.px(40), first.y, st.px(80), lines});
  else
    view.text(first, size, Face::MonoBold, st.number(), Role::Text, Align::Center);
  const double rate = rate_of(*p.gpu, p.level[k]) / p.gpu->sms;
  if (rate > 0 && !covered)
    view.text(second, fmt::format("1 SM: {}", amount(p.bytes[k] / rate, "s")), Face::Sans, st.small(),
              view[Role::TextSecondary], Align::Center);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Placement p = placement_of(view.state);
  const std::vector<Reading> all = readings(view);
  constexpr std::array<std::string_view, kItems> kSizes{"q_bytes", "k_bytes", "v_bytes", "s_bytes", "whole_bytes"};
  const std::vector<int> levels = levels_of(view.state);
  const float label_w = area.w * (area.w < st.px(800) ? 0.31f : 0.28f), band = area.h / float(levels.size());
  const float x = area.x + label_w, column = (area.right() - x) / float(kItems);

  const auto top_of = [&](int level) {
    return area.y + band * float(levels.end() - std::ranges::find(levels, level) - 1);
  };
  Rect pads;
  for (const int level : levels) {
    const Rect rect{area.x, top_of(level), area.w, band};
    if (level == kSram || level == kRegisters) view.box({x, rect.y, area.right() - x, rect.h}, 0, Role::Surface);
    view.line({rect.x, rect.bottom()}, {rect.right(), rect.bottom()}, Role::Border, st.px(1));
    layout_level(view, {rect.x, rect.y, label_w - st.px(12), rect.h}, p, level, all);
    if (level != kSram) continue;
    // One pad for every multiprocessor; a block sees its own.
    const float each = (area.right() - x) / float(p.gpu->sms);
    for (int sm = 0; sm < p.gpu->sms; ++sm)
      view.box({x + each * float(sm), rect.y + st.px(3), std::max(each - st.px(1), st.px(1)), st.px(7)}, 0,
               sm == 0 ? Role::Text : Role::Border);
    pads = {x, rect.y, area.right() - x, st.px(10)};
  }
  for (size_t k = 0; k < kItems; ++k) {
    const auto cell = [&](int level) {
      const float top = level == kSram ? st.px(10) : 0;  // below the pads
      return Rect{x + column * float(k), top_of(level) + top, column, band - top};
    };
    const bool covered = view.covered(kSizes[k]);
    for (const int level : levels)
      if (level > p.level[k] && (!p.bounced(k) || level != p.wanted[k])) layout_slot(view, cell(level));
    layout_chip(view, cell(p.level[k]), p, k, false, covered);
    if (p.bounced(k) && !view.covered("sram_used")) layout_chip(view, cell(p.wanted[k]), p, k, true, covered);
    view.region({x + column * float(k), area.y, column, area.h}, fmt::format("board:item/{}", k),
                fmt::format("{}: drag it up or down (↑ ↓). 1 SM: how long one of them takes to read it from there",
                            kItemTable[k].name),
                true);
  }
  view.region(pads, "reading:all_sram",
              fmt::format("The scratchpads of all {} SMs: the first is the block's", p.gpu->sms));
}

void want(BoardState& state, size_t k, int level) {
  turn_to(kHierarchyBoard, state, kItemTable[k].knob, level);
  state.cells["last"] = std::to_string(k);
}

size_t item_of(std::string_view id) { return size_t(std::clamp(id.back() - '0', 0, int(kItems) - 1)); }

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  const std::vector<int> levels = levels_of(state);
  const int count = int(levels.size());
  want(state, item_of(id), levels[size_t(count - 1 - std::clamp(int(at.y * float(count)), 0, count - 1))]);
  return {};
}

std::string nudge(std::string_view id, int, int up, BoardState& state) {
  const size_t k = item_of(id);
  // From where it is: a thing that has bounced goes down at once.
  const Placement p = placement_of(state);
  const std::vector<int> levels = levels_of(state);
  const auto from = std::ranges::find(levels, up > 0 ? p.wanted[k] : p.level[k]);
  if (up > 0 && from + 1 != levels.end()) want(state, k, from[1]);
  if (up < 0 && from != levels.begin()) want(state, k, from[-1]);
  return {};
}

}  // namespace

const Board kHierarchyBoard{.id = "hierarchy",
                            .title = "The scratchpad",
                            .knobs = kKnobs,
                            .layout = layout,
                            .caption = caption,
                            .readings = readings,
                            .act = act,
                            .nudge = nudge,
                            .fixed = "one head · no mask · fp16"};

}  // namespace tilewalk
