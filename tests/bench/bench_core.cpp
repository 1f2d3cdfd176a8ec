// The simulator: seeking in programs of a million steps, counting, estimates, a full run, the L2 model.
#include "core/model/dram.h"
#include "core/model/l2.h"
#include "core/playback/replay.h"
#include "core/roofline/turning.h"
#include "core/schedules/count.h"
#include "tests/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::bench {
namespace {

// Holds every program: what is measured is the walk, not the fit.
MachineSpec roomy() {
  MachineSpec spec = default_machine();
  spec.sram_bytes = spec.register_bytes = int64_t{1} << 40;
  return spec;
}

Problem square(int64_t n, int64_t d, int64_t br, int64_t bc) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d = d;
  p.br = br;
  p.bc = bc;
  return p;
}

// The smallest square problem of 4 x 4 tiles, d = 8, whose program has at least a million steps.
Plan million_steps(const Schedule& schedule, VariantId variant) {
  for (int64_t n = 512;; n += 32) {
    const Plan plan = make_plan(schedule, square(n, 8, 4, 4), variant);
    if (count(schedule, plan).total.steps >= 1'000'000) return plan;
  }
}

void seek(Report& report, const Schedule& schedule) {
  const Plan plan = million_steps(schedule, VariantId::Paper);
  const Inputs inputs = generate_inputs(plan.problem);
  std::vector<Replay> replay;  // one, made inside the clock
  const double build = processor_milliseconds([&] { replay.emplace_back(schedule, plan, roomy(), inputs); });
  const int64_t length = replay[0].length();

  uint64_t random = 1;
  double check = 0;
  const std::vector<double> times = sorted_milliseconds(2000, [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    check += double(replay[0].at(int64_t((random >> 33) % uint64_t(length + 1))).meters.steps);
  });
  const std::string name = fmt::format("seek, {}, {} steps (N = {})", schedule.name, length, plan.problem.n_q);
  report.line(name + ": median", median(times), "ms", 2);
  report.line(name + ": worst of 2,000", times.back(), "ms", 10);
  report.line("  keyframes held", double(replay[0].keyframe_bytes()) / (1 << 20), "MiB", 64);
  report.line("  first run, which makes the keyframes", build, "ms");
  if (check < 0) report.text("");  // the states were looked at
}

void counting(Report& report) {
  const Plan fa2 = make_plan(schedule_of(Method::Fa2), square(131072, 128, 128, 64), VariantId::Kernel);
  int64_t bytes = 0;
  const auto times = sorted_milliseconds(21, [&] { bytes = count(schedule_of(Method::Fa2), fa2).total.fill_bytes(); });
  report.line("count FA2, N = 131072, d = 128", median(times), "ms", 50);
  report.text(fmt::format("{} bytes into the multiprocessors", bytes));
  for (const Schedule& schedule : schedules()) {
    Problem p = square(131072, 128, 128, 64);
    p.mask = Mask::Causal;
    const Plan plan = make_plan(schedule, p, VariantId::Kernel);
    report.line(fmt::format("count {}, causal", schedule.name),
                median(sorted_milliseconds(11, [&] { bytes += count(schedule, plan).total.fill_bytes(); })), "ms");
  }
}

void full_run(Report& report) {
  const Problem p = square(1024, 64, 64, 64);
  const Inputs inputs = generate_inputs(p);
  for (const Schedule& schedule : schedules()) {
    const Plan plan = make_plan(schedule, p, VariantId::Kernel);
    const std::vector<Step> steps = steps_of(schedule, plan);
    const auto times = sorted_milliseconds(11, [&] {
      const Machine machine(schedule, plan, roomy(), inputs);
      MachineState state = machine.start();
      for (const Step& step : steps) machine.apply(state, step);
    });
    report.line(fmt::format("full numeric run, {}, N = 1024, d = 64", schedule.name), median(times), "ms", 100);
  }
}

void l2(Report& report) {
  Problem p = square(4096, 128, 128, 64);
  p.batch = 4;
  p.heads = 16;
  for (const Schedule& schedule : schedules()) {
    const Plan plan = make_plan(schedule, p, VariantId::Kernel);
    DramEstimate e;
    const auto times = sorted_milliseconds(5, [&] { e = estimate_dram(schedule, plan, default_machine()); });
    report.line(fmt::format("DRAM estimate, {}, B = 4, H = 16, N = 4096, d = 128", schedule.name), median(times), "ms",
                500);
    report.text(
        fmt::format("reads {} bytes, writes {}, leaves {} in L2", e.read_bytes, e.written_bytes, e.left_dirty_bytes));
  }
  const Plan plan = million_steps(schedule_of(Method::Fa1), VariantId::Paper);
  const std::vector<Step> steps = steps_of(schedule_of(Method::Fa1), plan);
  report.line(fmt::format("L2 trace, FA1, {} steps", steps.size()),
              processor_milliseconds([&] { L2Trace(steps, plan, 64 * 1024); }), "ms");
}

// What a drawing board computes anew in each frame while its N is dragged.
void estimates(Report& report) {
  const Roofs roofs = roofs_of(*gpu_named("h100"));
  double check = 0;
  const auto twelve = [&](int64_t n) {
    for (const Method method : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3})
      for (const Mask mask : {Mask::Full, Mask::Causal}) {
        Problem p = square(n, 128, 128, 64);
        p.heads = 16;
        p.mask = mask;
        check += estimate(method, p, roofs).time;
        if (mask == Mask::Full) check += estimate(method, p, roofs, Direction::Backward).time;
      }
  };
  for (const int64_t n : {8192, 131072}) {
    const auto times = sorted_milliseconds(101, [&] { twelve(n); });
    report.line(fmt::format("12 estimates, N = {}, H = 16, d = 128: median", n), median(times), "ms", 2);
  }
  const Problem p = square(8192, 128, 128, 64);
  const auto turns = sorted_milliseconds(21, [&] {
    check += saturation(Method::Standard, Method::Fa3, p, roofs).limit;
    check += double(*longest_that_fits(Method::Standard, p, roofs));
  });
  report.line("turning points of one GPU", median(turns), "ms");
  if (check < 0) report.text("");
}

}  // namespace

void bench_core(Report& report) {
  report.heading("The simulator (milliseconds are processor time of one thread)");
  for (const Schedule& schedule : schedules()) seek(report, schedule);
  counting(report);
  estimates(report);
  full_run(report);
  l2(report);
  report.line("resident memory at the most", peak_megabytes(), "MB", 200);
}

}  // namespace tilewalk::bench
