// Two clocks for standard attention: how long the products would take and how long the memory does. Turning the wrong
// knob changes nothing. Times are a roofline's: bytes over bandwidth, FLOP over peak.
#include "app/boards/boards.h"
#include "app/boards/kit.h"
#include "app/scene/fitted_label.h"
#include "core/model/gpus.h"
#include "core/schedules/count.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 5> kGpus{"a100-80", "rtx4090", "h100", "h200", "b200"};
constexpr std::array<std::string_view, 2> kHeads{"64", "128"};
constexpr auto kKnobs = std::to_array<Knob>({
    {"N", "Sequence length N", Knob::Kind::PowersOfTwo, 256, 16384, 4096, 1, {}, {}, "Tokens in the sequence"},
    {"tensor", "Tensor cores, times faster", Knob::Kind::PowersOfTwo, 1, 16, 1, 1, {}, "×", "Speeds up the products"},
    {"memory", "Memory, times faster", Knob::Kind::PowersOfTwo, 1, 16, 1, 1, {}, "×", "Speeds up DRAM"},
    {"gpu", "GPU", Knob::Kind::Choice, 0, 4, 0, 1, kGpus, {}, "Whose datasheet is used"},
    {"d", "Head dimension d", Knob::Kind::Choice, 0, 1, 0, 1, kHeads, {}, "Elements of a head's rows"},
});

struct Clocks {
  double bytes, flop, memory_time, math_time;
  const GpuSpec* gpu;
};

Clocks clocks_of(const BoardView& view) {
  Problem problem;
  problem.n_q = problem.n_k = int64_t(view.knob("N"));
  problem.d = view.on("d") ? 128 : 64;
  problem.br = problem.bc = 128;
  const Schedule& standard = schedule_of(ScheduleId::Standard);
  const Meters total = count(standard, make_plan(standard, problem, VariantId::Paper)).total;
  const GpuSpec* gpu = gpu_named(kGpus[size_t(view.knob("gpu"))]);
  Clocks clocks{double(total.paper_bytes()), double(total.matrix_flop), 0, 0, gpu};
  clocks.memory_time = clocks.bytes / (gpu->dram_rate * view.knob("memory"));
  clocks.math_time = clocks.flop / (gpu->tensor_rate * view.knob("tensor"));
  return clocks;
}

std::vector<Reading> readings(const BoardView& view) {
  const Clocks c = clocks_of(view);
  const std::string gpu = c.gpu->title + ", " + c.gpu->source;
  return {
      {"bytes", "Bytes through DRAM", {c.bytes, "byte", Origin::Computed, "three kernels, one head, arXiv:2205.14135 Algorithm 0"}},
      {"flop", "Work of the products", {c.flop, "flop", Origin::Computed, "4 N² d, one head"}},
      {"memory_time", "Memory's clock", {c.memory_time, "s", Origin::Model, "bytes / DRAM bandwidth, " + gpu}},
      {"math_time", "Math's clock", {c.math_time, "s", Origin::Model, "FLOP / tensor-core peak, " + gpu}},
      {"time", "Time of attention", {std::max(c.memory_time, c.math_time), "s", Origin::Model, "the slower clock, " + gpu}},
      {"intensity", "Arithmetic intensity", {c.flop / c.bytes, "flop/byte", Origin::Computed, "FLOP / bytes"}},
      {"ridge", "Ridge", {c.gpu->ridge() * view.knob("tensor") / view.knob("memory"), "flop/byte", Origin::Model, "peak / bandwidth, " + gpu}},
  };
}

std::string caption(const BoardView& view) {
  if (view.covered("time") || view.covered("memory_time")) return "Two clocks run side by side. Which one do you wait for?";
  const Clocks c = clocks_of(view);
  return c.memory_time > c.math_time
             ? fmt::format("You wait for memory: the products would be done in {:.0f} % of the time.",
                           100 * c.math_time / c.memory_time)
             : "You wait for the products: memory is no longer the limit.";
}

void layout(Scene& scene, const BoardView& view, Rect area) {
  const Style& st = view.style;
  const std::vector<Reading> all = readings(view);
  const auto reading = [&](std::string_view id) -> const Reading& {
    return *std::ranges::find(all, id, &Reading::id);
  };
  const double slower = reading("time").quantity.value;
  const float head = std::min(st.px(72), area.h * 0.24f);
  const std::array<std::string_view, 3> top{"bytes", "flop", "intensity"};
  for (size_t k = 0; k < top.size(); ++k)
    big_number(scene, view, {area.x + area.w / 3 * float(k), area.y, area.w / 3 - st.px(12), head}, reading(top[k]));

  // The clocks, the slower one filling its track.
  const float gap = std::min(st.px(28), area.h * 0.05f);
  const float each = std::min((area.h - head - 2 * gap) / 2, st.px(150));
  const std::array<std::string_view, 2> clocks{"memory_time", "math_time"};
  const std::array<Color, 2> colors{view[Role::Text], st.palette.fill(Tensor::S)};
  for (size_t k = 0; k < 2; ++k) {
    const Reading& clock = reading(clocks[k]);
    const Rect row{area.x, area.y + head + gap + float(k) * (each + gap * 0.4f), area.w, each};
    const float number = std::min(row.w * 0.3f, st.px(240));
    big_number(scene, view, {row.x, row.y, number, std::min(row.h, st.px(84))}, clock, "time", st.px(34));
    const Rect track{row.x + number + st.px(16), row.y + st.px(8), row.w - number - st.px(16), std::min(row.h - st.px(16), st.px(72))};
    if (view.covered(clock.id))
      plate(scene, view, track);
    else
      bar(scene, view, track, float(clock.quantity.value / slower), colors[k], BarLook::Model);
  }
}

}  // namespace

const Board kClocksBoard{"clocks", "Two clocks", kKnobs, layout, caption, readings};

}  // namespace tilewalk
