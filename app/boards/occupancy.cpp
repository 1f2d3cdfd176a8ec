// Occupancy: which multiprocessors the loop order keeps at work. With K/V tiles outside a head is one thread block;
// with Q tiles outside each of its Q tiles is one, and O is divided and stored once.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/model/occupancy.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr int kMoments = 100;        // along the time axis
constexpr size_t kMostDrawn = 4000;  // blocks drawn apart; of more, only when a multiprocessor is at work

constexpr std::array<std::string_view, 2> kLoops{"K/V outside (FA1)", "Q outside (FA2)"}, kLoopIds{"kv", "q"};
constexpr std::array<std::string_view, 2> kGpus{"A100", "H100"}, kGpuIds{"a100", "h100"};
constexpr std::array<std::string_view, 2> kMasks{"full", "causal"};
constexpr std::array<std::string_view, 2> kOrders{"as launched", "longest first"}, kOrderIds{"launch", "longest"};
constexpr auto kKnobs = std::to_array<Knob>({
    choice_knob("loop", "Outer loop", kLoops, 0, "What a thread block walks through", kLoopIds),
    power_knob("H", "Heads H", 1, 32, 16, "Heads of one sequence"),
    power_knob("N", "Sequence length N", 512, 16384, 4096, "Tokens in the sequence"),
    power_knob("B", "Batch B", 1, 8, 1, "Sequences at once"),
    choice_knob("gpu", "GPU", kGpus, 0, "How many multiprocessors there are", kGpuIds),
    choice_knob("mask", "Mask", kMasks, 0, "Causal blocks differ in length"),
    choice_knob("order", "Blocks handed out", kOrders, 0, "Matters where blocks differ in length", kOrderIds),
});

// One loop order on one GPU.
struct Launch {
  Plan plan;
  Occupancy occupancy;
  std::array<int64_t, kStepKindCount> kinds{};  // of one head
  double per_tile(StepKind kind) const { return double(kinds[size_t(kind)]) / double(plan.tiling.tr); }
};

const MachineSpec& machine_of(const Exhibit& view) { return *machine_named(kGpuIds[size_t(view.knob("gpu"))]); }

Launch launch_of(const Exhibit& view, bool query_outside) {
  const auto n = int64_t(view.knob("N"));
  const Problem problem{.batch = int64_t(view.knob("B")),
                        .heads = int64_t(view.knob("H")),
                        .n_q = n,
                        .n_k = n,
                        .d = 64,
                        .br = 128,
                        .bc = 128,
                        .mask = view.on("mask") ? Mask::Causal : Mask::Full};
  const Schedule& schedule = schedule_of(query_outside ? Method::Fa2 : Method::Fa1);
  const Plan plan = make_plan(schedule, problem, VariantId::Paper);
  return {plan,
          occupy(block_lengths(schedule, plan), machine_of(view).multiprocessors, 1,
                 view.on("order") ? BlockOrder::LongestFirst : BlockOrder::Launch),
          count_kinds(schedule, plan)};
}
// When the blocks would be done in launch order: the measure for another order.
double as_launched(const Exhibit& view, const Plan& plan) {
  const Schedule& schedule = schedule_of(view.on("loop") ? Method::Fa2 : Method::Fa1);
  return occupy(block_lengths(schedule, plan), machine_of(view).multiprocessors).span;
}

Launch launch_of(const Exhibit& view) { return launch_of(view, view.on("loop")); }

std::vector<Reading> readings_of(const Exhibit& view, const Launch& launch, const Launch& other) {
  const std::string tiles = "128 × 128 tiles, one block a multiprocessor";
  const Occupancy& o = launch.occupancy;
  const auto computed = [](double value, std::string source) {
    return Quantity{value, "", Origin::Computed, std::move(source)};
  };
  const auto model = [&](double value) {
    return Quantity{value, "", Origin::Model, "every visit of a tile counts the same; " + tiles};
  };
  return {
      {"used", "SMs that get a block", computed(o.used_share(), fmt::format("{} of {}", o.used, o.multiprocessors))},
      {"blocks", "Thread blocks",
       computed(double(o.blocks()), view.on("loop") ? "B H Tr, arXiv:2307.08691" : "B H, arXiv:2307.08691")},
      {"span", "Time, in visits", model(o.span)},
      {"divisions", "Divisions of O",
       computed(launch.per_tile(StepKind::Normalize), "of each row by l; counted from the steps")},
      {"loads", "Loads of O", computed(launch.per_tile(StepKind::LoadO), "of each tile; counted from the steps")},
      {"stores", "Stores of O", computed(launch.per_tile(StepKind::StoreO), "of each tile; counted from the steps")},
      {"busy", "Time at work", model(o.busy_share())},
      {"waves", "Waves", computed(double(o.waves()), "blocks / multiprocessors, rounded up")},
      {"visits", "Visits of a head", computed(double(launch.kinds[size_t(StepKind::Score)]), "counted from the steps")},
      {"speedup", "Against the other loop", model(other.occupancy.span / o.span)},
  };
}

std::vector<Reading> readings(const Exhibit& view) {
  return readings_of(view, launch_of(view), launch_of(view, !view.on("loop")));
}

std::string caption(const Exhibit& view) {
  if (view.covered("used")) return "Each cell is a multiprocessor. How many of them does this loop order keep at work?";
  if (view.covered("blocks")) return "How many thread blocks does this loop order make?";
  const Launch launch = launch_of(view);
  const Occupancy& o = launch.occupancy;
  if (!view.on("loop"))
    return o.used < o.multiprocessors
               ? fmt::format("A head is one thread block: {} of {} multiprocessors work, the rest stay idle.", o.used,
                             o.multiprocessors)
               : "There are heads enough for every multiprocessor. Each still takes O in and out at every visit.";
  if (o.used < o.multiprocessors)
    return fmt::format("Each Q tile is a thread block, and there are {} of them: {} multiprocessors stay idle.",
                       with_commas(o.blocks()), o.multiprocessors - o.used);
  return fmt::format("Each Q tile is a thread block: all {} multiprocessors get one, and work {:.0f} % of the time.",
                     o.multiprocessors, 100 * o.busy_share());
}

// Cells, one for each multiprocessor: at work at this moment, or not.
void layout_cells(const BoardView& view, Rect area, const Occupancy& o, double now) {
  const Style& st = view.style;
  std::vector<int32_t> block(size_t(o.multiprocessors), -1);
  for (const BlockRun& run : o.runs)
    if (run.begin <= now && run.end > now) block[size_t(run.sm)] = run.block;
  const auto busy = o.multiprocessors - std::ranges::count(block, -1);
  const bool last = o.runs.size() > size_t(o.multiprocessors) &&
                    std::ranges::none_of(o.runs, [&](const BlockRun& run) { return run.begin > now; });
  const float head = st.px(26);
  view.text({area.x, area.y, area.w, head},
            fmt::format("{}: {} of {} SMs work", last ? "Last round" : "At the upright line", busy, o.multiprocessors),
            Face::SansBold, st.number(), Role::Text);
  // As many columns as make the cells largest.
  int columns = 1;
  float pitch = 0;
  for (int c = 6; c <= 18; ++c) {
    const int rows = (o.multiprocessors + c - 1) / c;
    const float fits = std::min(area.w / float(c), (area.h - head - st.px(4)) / float(rows));
    if (o.multiprocessors % c == 0 && fits > pitch) pitch = fits, columns = c;
  }
  const float gap = std::max(1.0f, pitch * 0.1f);
  for (int sm = 0; sm < o.multiprocessors; ++sm) {
    const Rect cell{area.x + float(sm % columns) * pitch, area.y + head + st.px(4) + float(sm / columns) * pitch,
                    pitch - gap, pitch - gap};
    const bool at_work = block[size_t(sm)] >= 0;
    view.box(cell, std::min(st.px(4), cell.w / 4), at_work ? st.palette.fill(Tensor::Q) : Color{},
             at_work ? Color{} : view[Role::Ghost], at_work ? 0 : st.px(1), at_work ? 0 : st.px(3));
    view.region(cell, fmt::format("sm:{}", sm),
                at_work ? fmt::format("Multiprocessor {}: thread block {}", sm + 1, with_commas(block[size_t(sm)] + 1))
                        : fmt::format("Multiprocessor {}: nothing to do", sm + 1));
  }
}

// Time to the right, a row for each multiprocessor.
// `other` is when the other loop order would be done; 0 says nothing of it.
void layout_timeline(const BoardView& view, Rect area, const Occupancy& o, double longest, double other, double now) {
  const Style& st = view.style;
  const float head = st.px(26), axis = st.px(46);
  view.text({area.x, area.y, area.w, head}, "Each multiprocessor's time", Face::SansBold, st.number(), Role::Text);
  const Rect plot{area.x, area.y + head + st.px(4), area.w, area.h - head - st.px(4) - axis};
  const Axis time{0, longest, Axis::Scale::Linear, plot.x, plot.right()};
  draw_axis(view, plot, time, true, "count", "visits of a K/V tile · model");
  view.box(plot, 0, {}, Role::Line, st.px(1));
  const float row = plot.h / float(o.multiprocessors), thick = row >= st.px(4) ? row * 0.86f : row;
  const Color fill = st.palette.fill(Tensor::Q);
  const std::array<Color, 2> tones{fill, mix(view[Role::Background], fill, 0.72f)};
  std::vector<int> turn(size_t(o.multiprocessors), 0);
  std::vector<double> until(size_t(o.multiprocessors), 0);
  for (const BlockRun& run : o.runs) {
    until[size_t(run.sm)] = std::max(until[size_t(run.sm)], run.end);
    if (o.runs.size() > kMostDrawn) continue;
    const float x = time.at(run.begin);
    view.box({x, plot.y + float(run.sm) * row, std::max(1.0f, time.at(run.end) - x - std::min(1.0f, st.px(1))), thick},
             0, tones[size_t(turn[size_t(run.sm)]++ % 2)]);
  }
  if (o.runs.size() > kMostDrawn)
    for (int sm = 0; sm < o.multiprocessors; ++sm)
      view.box({plot.x, plot.y + float(sm) * row, time.at(until[size_t(sm)]) - plot.x, thick}, 0, fill);
  if (other > 0) {
    const float at = time.at(other);
    const std::string words = fmt::format("{} ends", view.on("loop") ? "K/V outside" : "Q outside");
    const float w = text_width(words, Face::SansBold, st.small()) + st.px(12);
    const Rect slot{other > longest / 2 ? at - w - st.px(4) : at + st.px(4), plot.bottom() - st.px(30), w, st.px(24)};
    view.line({at, plot.y}, {at, plot.bottom()}, Role::AccentText, st.px(2), st.px(6));
    view.box(slot, st.px(4), Role::Background);
    view.label(slot, words, Face::SansBold, st.small(), Role::AccentText, Align::Center);
  }
  const float x = time.at(now);
  view.line({x, plot.y - st.px(4)}, {x, plot.bottom() + st.px(2)}, Role::Text, st.px(3));
  view.region(
      plot, "board:time",
      "Each line is one multiprocessor; where its tint changes another block begins. The upright line: the moment that "
      "the cells show; press, or ← →",
      true);
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Launch launch = launch_of(view), other = launch_of(view, !view.on("loop"));
  const std::vector<Reading> all = readings_of(view, launch, other);
  const bool low = area.h < st.px(340);
  const float head = low ? st.px(56) : st.px(84), gap = low ? st.px(10) : st.px(20);
  const float first = area.w * 0.28f, rest = (area.w - first) / 4;
  big_number(view, {area.x, area.y, first - gap, head}, all[0], "percent", low ? st.px(32) : st.px(52));
  for (size_t k = 1; k < 5; ++k)
    big_number(view, {area.x + first + rest * float(k - 1), area.y, rest - st.px(8), head}, all[k], "count");

  const Rect below{area.x, area.y + head + gap, area.w, area.h - head - gap};
  if (view.covered("used") || view.covered("blocks") || view.covered("span")) return plate(view, below);
  // Without the choice of loop within reach, the order of the blocks is what is compared.
  const std::vector<std::string>& shown = view.state.show;
  const bool compared = shown.empty() || std::ranges::find(shown, "loop") != shown.end();
  const double longest =
      std::max(launch.occupancy.span, compared ? other.occupancy.span : as_launched(view, launch.plan));
  const double now = longest * view.state.step / kMoments;
  const float cells = std::min(below.w * 0.38f, below.h * 1.35f);
  layout_cells(view, {below.x, below.y, cells - gap, below.h}, launch.occupancy, now);
  layout_timeline(view, {below.x + cells, below.y, below.w - cells, below.h}, launch.occupancy, longest,
                  compared ? other.occupancy.span : 0, now);
}

std::string act(std::string_view id, Vec2 at, bool, BoardState& state) {
  if (id == "board:time") state.step = std::clamp(int(at.x * kMoments), 0, kMoments);
  return {};
}

std::string nudge(std::string_view, int right, int up, BoardState& state) {
  state.step = std::clamp(state.step + 2 * (right + up), 0, kMoments);
  return {};
}

int steps(const Exhibit&) { return kMoments; }

}  // namespace

const Board kOccupancyBoard{.id = "occupancy",
                            .title = "Who has a block",
                            .knobs = kKnobs,
                            .layout = layout,
                            .caption = caption,
                            .readings = readings,
                            .act = act,
                            .nudge = nudge,
                            .steps = steps,
                            .fixed = "d 64 · tiles 128 × 128 · fp16"};

}  // namespace tilewalk
