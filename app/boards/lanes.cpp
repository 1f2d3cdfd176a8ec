// Lanes: when each step of one thread block runs, on which unit of the multiprocessor, by the timing pass. Three
// switches and the number of buffers change how the steps may overlap; the tensor cores' idle time is what they are
// about.
#include "app/boards/lanes.h"

#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "core/kernel/kernel_shapes.h"
#include "core/machine/words.h"
#include "core/run/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kHeads{"64", "128"}, kFormats{"fp16", "FP8"}, kSchedules{"FA2", "FA3"};
constexpr auto kKnobs = std::to_array<Knob>({
    switch_knob("producer", "Loads run ahead", false, "Warp specialization: a warpgroup of its own loads"),
    switch_knob("pingpong", "Ping-pong", false, "The warpgroups take turns: one's softmax under the other's products"),
    switch_knob("pipeline", "Softmax under P V", false,
                "One warpgroup goes on to the next softmax while its product with V runs"),
    linear_knob("stages", "Buffers of K and of V", 1, 4, 2, 1, "How far loads may run ahead"),
    choice_knob("d", "Head dimension d", kHeads, 1, "Elements of a head's rows"),
    choice_knob("format", "Inputs", kFormats, 0, "FP8 doubles the rate of the products alone"),
    choice_knob("schedule", "Order of steps", kSchedules, 1, "Whose list of steps is laid"),
    switch_knob("vector", "Time of max, sum, rescale", false,
                "The softmax beside its exponentials, on the fp32 units: with their time or without"),
    switch_knob("trace", "Recorded below", true, "FA3 as it ran on an H200; the switches leave it alone"),
});

LaidBlock lay_block(const Exhibit& view) {
  return lay_fa3_block(view.on("schedule") ? Method::Fa3 : Method::Fa2, view.on("d") ? 128 : 64,
                       view.on("format") ? Format::E4M3 : Format::Float16,
                       {view.on("producer"), view.on("pingpong"), view.on("pipeline"), int(view.knob("stages"))},
                       view.on("vector"));
}

// Of the three ideas and the second buffer the one that is off, where FA3 with all others was recorded.
std::optional<SwitchedTime> recorded_without_one(const Exhibit& view) {
  std::vector<Switch> off;
  for (const auto& [knob, idea] :
       {std::pair{"producer", Switch::Producer}, {"pingpong", Switch::PingPong}, {"pipeline", Switch::Overlap}})
    if (!view.on(knob)) off.push_back(idea);
  if (view.knob("stages") < 2) off.push_back(Switch::OneStage);
  const int64_t d = view.on("d") ? 128 : 64;
  const bool ours =
      view.on("schedule") && !view.on("format") && view.knob("stages") <= kernel_shape(Method::Fa3, int(d)).stages;
  return off.size() == 1 && ours ? shipped_switch(Method::Fa3, off.front(), d, Mask::Full) : std::nullopt;
}

constexpr double kHardly = 1.02;  // times as long, at most, where nothing much was lost

// " Our FA3 without it, recorded on an H200 at N = 4,096: 1.15× as long."
std::string recorded_words(const SwitchedTime& recorded) {
  const std::string_view gpu = recorded.gpu.substr(recorded.gpu.find(' ') + 1);
  const std::string_view lead = recorded.times < kHardly ? "Hardly a loss in a run: our" : "Our";
  return fmt::format(" {} FA3 without this idea, recorded on an {} at N = {}: {}.", lead, gpu, with_commas(recorded.n),
                     times_as_long(recorded.times));
}

std::vector<Reading> readings(const Exhibit& view) {
  const LaidBlock block = lay_block(view);
  constexpr std::string_view kFrom =
      "each step in clock ticks, by how much an H100's units do in one; rates of arXiv:2407.08608";
  const auto model = [&](double value) { return Quantity{value, "", Origin::Model, std::string(kFrom)}; };
  std::vector<Reading> all{
      {"idle", "Tensor cores idle", model(block.middle.idle(Lane::Tensor))},
      {"units", "Tile ÷ its products", model(block.middle.units())},
      {"exp_share", "Exp ÷ its products", model(block.exp_share())},
      {"ticks", "Whole block, clock ticks", model(double(block.timeline.ticks))},
      {"speedup", "Against one step at a time", model(double(block.serial) / double(block.timeline.ticks))},
  };
  if (const auto recorded = recorded_without_one(view))
    all.push_back(
        {"recorded",
         "FA3 itself without this idea, times",
         {recorded->times, "", Origin::Recorded, fmt::format("{}: N = 4,096, fp16, no mask", recorded->file)}});
  return all;
}

// Of the tensor cores' idle ticks in the even part, those in which a copy is waited for.
double share_for_copies(const LaidBlock& block) {
  int64_t copies = 0, all = 0;
  for (const Gap& gap : gaps(block.timeline, Lane::Tensor)) {
    const int64_t ticks = std::min(gap.end, block.middle.end) - std::max(gap.begin, block.middle.begin);
    if (ticks <= 0) continue;
    all += ticks;
    if (gap.for_copy) copies += ticks;
  }
  return all ? double(copies) / double(all) : 0;
}

std::string caption(const Exhibit& view) {
  if (view.covered("idle") || view.covered("units"))
    return "The tensor cores multiply, other units copy and exponentiate. How long do the tensor cores stand idle?";
  const LaidBlock block = lay_block(view);
  const double idle = block.middle.idle(Lane::Tensor);
  const auto recorded = recorded_without_one(view);
  const std::string measured = recorded ? recorded_words(*recorded) : "";
  if (idle < 0.0005)
    return "Once the first tiles are there, the tensor cores never wait: the rest runs underneath." + measured;
  const double copies = share_for_copies(block);
  const std::string_view cause = copies > 0.99   ? "a copy is on its way"
                                 : copies < 0.01 ? "the softmax runs"
                                                 : "copies and the softmax run";
  return fmt::format("The tensor cores are idle {:.0f} % of the time, while {}.{}", 100 * idle, cause, measured);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const std::vector<Reading> all = readings(view);
  const bool low = area.h < st.px(360);
  const float head = low ? st.px(56) : st.px(84), gap = low ? st.px(10) : st.px(20);
  // The one that the switches are about is the largest.
  const float first = area.w * 0.34f, rest = (area.w - first) / 3;
  big_number(view, {area.x, area.y, first - gap, head}, all[0], "percent", low ? st.px(32) : st.px(52));
  big_number(view, {area.x + first, area.y, rest - gap, head}, all[1], "digits:2", st.display());
  big_number(view, {area.x + first + rest, area.y, rest - gap, head}, all[2], "digits:2", st.display());
  big_number(view, {area.x + first + 2 * rest, area.y, rest, head}, all[3], "count", st.display());

  const Rect below{area.x, area.y + head + gap, area.w, area.h - head - gap};
  if (view.covered("idle") || view.covered("units")) return plate(view, below);
  const LaidBlock block = lay_block(view);
  const RunResult* recorded = view.view.gpu.fa3_stamps.get();
  if (!recorded && view.file && view.on("trace")) recorded = shipped_fa3_stamps();
  const float needed = st.px(190);
  if (!recorded || !view.on("trace") || below.h < st.px(230) + needed) return layout_lanes(view, below, block);
  const float share = std::max(needed, below.h * 0.42f);
  layout_lanes(view, {below.x, below.y, below.w, below.h - share - gap}, block);
  layout_recorded_lanes(view, {below.x, below.bottom() - share, below.w, share}, *recorded);
}

// One for each K/V tile, of which both tile shapes make sixteen.
constexpr int kTiles = int(kLaidN / 128);

int steps(const Exhibit&) { return kTiles - 1; }

std::string fixed_now(const Exhibit& view) {
  const KernelShape tile = kernel_shape(Method::Fa3, view.on("d") ? 128 : 64);
  return fmt::format("N {} · tiles {} × {} · no mask · H100", with_commas(kLaidN), tile.br, tile.bc);
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  if (id == "board:strip") state.step = std::clamp(int(at.x * float(kTiles)), 0, kTiles - 1);
  return {};
}

std::string nudge(std::string_view, int right, int up, BoardState& state) {
  state.step = std::clamp(state.step + right + up, 0, kTiles - 1);
  return {};
}

}  // namespace

const Board kLanesBoard{.id = "lanes",
                        .title = "Who works when",
                        .knobs = kKnobs,
                        .layout = layout,
                        .caption = caption,
                        .readings = readings,
                        .act = act,
                        .nudge = nudge,
                        .steps = steps,
                        .fixed_now = fixed_now};

}  // namespace tilewalk
