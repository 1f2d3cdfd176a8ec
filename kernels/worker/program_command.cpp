#include "kernels/worker/program_command.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/schedules/count.h"
#include "core/schedules/judge.h"
#include "core/schedules/schedule.h"
#include "core/walk/reader.h"
#include "kernels/program_runner.h"
#include "kernels/traffic.h"
#include "kernels/worker/device.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/tables.h"
#include "kernels/worker/timing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace tilewalk::gpu {
namespace {

struct Ran {
  std::vector<ProgramResult> results;
  int64_t checked = 0;  // heads
  Timing timing;
  Meters said;
  std::optional<Counters> counters;
  std::string no_counters;

  bool right() const {
    return std::ranges::all_of(results, [](const ProgramResult& r) { return r.wrong_rows == 0; });
  }
};

WalkProgram program_of(const std::string& file) {
  std::string text;
  try {
    text = read_file(file, kMostWalkBytes + 1);
  } catch (const std::exception& error) {
    throw CommandFault(kUnreadable, error.what());
  }
  WalkRead read = read_walk(text);
  if (read.program) return *std::move(read.program);
  const WalkFault& fault = read.faults.front();
  throw CommandFault(kUnreadable, fmt::format("{}:{}:{}: {}", file, fault.line, fault.column, fault.message));
}

// As many heads as float64 on the processor takes some seconds for.
int64_t heads_checked(const Problem& p) {
  return std::clamp<int64_t>((int64_t{1} << 32) / (p.n_q * p.n_k * p.d), 1, p.batch * p.heads);
}

Ran measure(const Gpu& gpu, const Schedule& schedule, const Plan& plan, const PackedProgram& packed,
            const RunSpec& spec) {
  Ran ran;
  ProgramRunner runner(packed, schedule, plan);
  runner.poison();
  runner.launch();
  ran.checked = heads_checked(plan.problem);
  ran.results = runner.results(ran.checked);
  ran.said = count(schedule, plan).total.times(plan.problem.batch * plan.problem.heads);
  if (!ran.right()) return ran;
  L2Flush flush;
  flush.prepare(gpu.what.l2_bytes);
  const Nvml nvml(gpu.pci);
  time_launches({.warmups = spec.warmups, .launches = spec.launches, .flush = spec.flush_l2 ? &flush : nullptr},
                {[&] { runner.queue(nullptr); }, [](int, int) { return true; }}, nullptr, nvml, ran.timing);
  if (!spec.counters) return ran;
  Traffic traffic;
  const auto wait = [] { check(cudaDeviceSynchronize(), "A program"); };
  ran.no_counters = traffic.unavailable();
  if (ran.no_counters.empty())
    ran.counters = traffic.measure(
        {[&] { flush.queue(nullptr), wait(); }, [&] { runner.launch(); }, [](int, int) { return true; }},
        ran.no_counters);
  return ran;
}

void print_words(const Ran& ran, const Gpu& gpu, const Problem& p, const Verdict& verdict) {
  fmt::print("{}, {}: B {}, H {}, N {} queries, {} keys, d {}, tiles {} x {}, {} mask, fp16\n\n", gpu.what.gpu,
             utc_now(), p.batch, p.heads, p.n_q, p.n_k, p.d, p.br, p.bc, name_of(p.mask));
  if (verdict.kind != Verdict::Kind::Exact) fmt::print("line {}: {}\n", verdict.line, verdict.message);
  for (const ProgramResult& r : ran.results)
    if (r.wrong_rows)
      fmt::print("{} is wrong: {} rows, the first of them row {} of head {}; it was not timed.\n", symbol_of(r.tensor),
                 r.wrong_rows, r.first + 1, r.head + 1);
    else
      fmt::print("{}: worst row {:.1e} from float64, heads 1 to {} of {}\n", symbol_of(r.tensor), r.worst_row,
                 ran.checked, p.batch * p.heads);
  if (ran.timing.count)
    fmt::print("\nmeasured: median {}, best {} of {} launches\n", time_words(ran.timing.median),
               time_words(ran.timing.best), ran.timing.count);
  const double fills = double(ran.said.fill_bytes()), drains = double(ran.said.drain_bytes());
  std::vector<std::vector<std::string>> table{{"", "predicted", "counted", "over"}};
  const Counters counted = ran.counters.value_or(Counters{});
  const auto row = [&](std::string name, double said, const std::optional<double>& found) {
    table.push_back({std::move(name), bytes_words(said), bytes_words(found),
                     found ? fmt::format("{:+.2f} %", 100 * (*found / said - 1)) : "-"});
  };
  row("L2 to SM", fills, counted.l2_to_sm);
  row("SM to L2", drains, counted.sm_to_l2);
  fmt::print("\n");
  print_table(table);
  if (counted.dram_read)
    fmt::print("DRAM: {} read, {} written, counted\n", bytes_words(counted.dram_read),
               bytes_words(counted.dram_written));
  if (!ran.no_counters.empty()) fmt::print("{}\n", ran.no_counters);
}

void print_json(const Ran& ran, const Gpu& gpu, const Problem& p, const ProgramAsked& asked) {
  nlohmann::ordered_json out{
      {"program", asked.file},
      {"gpu", gpu.what.gpu},
      {"date", utc_now()},
      {"problem",
       {{"batch", p.batch},
        {"heads", p.heads},
        {"n_q", p.n_q},
        {"n_k", p.n_k},
        {"d", p.d},
        {"br", p.br},
        {"bc", p.bc},
        {"mask", name_of(p.mask)},
        {"format", name_of(p.format)},
        {"seed", p.seed}}},
      {"right", ran.right()},
      {"heads_checked", ran.checked},
      {"predicted", {{"l2_to_sm", ran.said.fill_bytes()}, {"sm_to_l2", ran.said.drain_bytes()}}}};
  for (const ProgramResult& r : ran.results) {
    nlohmann::ordered_json one{{"tensor", symbol_of(r.tensor)}, {"wrong_rows", r.wrong_rows}};
    if (r.wrong_rows)
      one["first_wrong"] = {{"head", r.head}, {"row", r.first}};
    else
      one["worst_row"] = r.worst_row;
    out["results"].push_back(std::move(one));
  }
  if (ran.timing.count)
    out["measured"] = {{"median_ms", ran.timing.median}, {"best_ms", ran.timing.best}, {"launches", ran.timing.count}};
  if (const auto& c = ran.counters)
    for (const auto& [name, value] : {std::pair("l2_to_sm", c->l2_to_sm), std::pair("sm_to_l2", c->sm_to_l2),
                                      std::pair("dram_read", c->dram_read), std::pair("dram_written", c->dram_written)})
      if (value) out["counted"][name] = *value;
  if (!ran.no_counters.empty()) out["no_counters"] = ran.no_counters;
  fmt::print("{}\n", out.dump(2));
}

}  // namespace

int program_command(const ProgramAsked& asked, const RunSpec& spec, bool anyway, bool json) {
  if (spec.inputs.kind != RunInputs::Kind::Generated)
    throw CommandFault(kUsage, "A program runs with generated inputs here.");
  WalkProgram program = program_of(asked.file);
  const Verdict verdict = judge(program);
  const Schedule schedule = own_schedule(std::move(program));
  Problem p = spec.problem;
  p.br = asked.br, p.bc = asked.bc;
  if (const std::vector<Fault> faults = validate(p); !faults.empty())
    throw CommandFault(kUsage, faults.front().message);
  const Plan plan = make_plan(schedule, p, VariantId::Paper);
  const Packed packed = pack(schedule, plan, kProgramChipBytes);
  if (!packed.program) throw CommandFault(kUsage, packed.refused);
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) throw CommandFault(kNoGpu, found.reason);
  const Gpu& gpu = found.gpus.front();
  const GpuLock lock(gpu.pci);
  if (!lock.held() && !anyway)
    throw CommandFault(kFailure, "Another Tilewalk worker is measuring on this GPU; wait, or take --anyway.");
  const Ran ran = measure(gpu, schedule, plan, *packed.program, spec);
  json ? print_json(ran, gpu, p, asked) : print_words(ran, gpu, p, verdict);
  return ran.right() ? kOk : kFailure;
}

}  // namespace tilewalk::gpu
