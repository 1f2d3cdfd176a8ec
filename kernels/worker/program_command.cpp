#include "kernels/worker/program_command.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/puzzle/recorded_programs.h"
#include "core/run/prediction.h"
#include "core/judge/judge.h"
#include "core/walk/reader.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/program_meter.h"
#include "kernels/worker/runner.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <cstdio>

namespace tilewalk::gpu {
namespace {

std::string text_of(const std::string& file) {
  try {
    return read_file(file, kMostWalkBytes + 1);
  } catch (const std::exception& error) {
    throw CommandFault(kUnreadable, error.what());
  }
}

void print_words(const ProgramRun& run, const ProgramBytes& said, const Verdict& verdict) {
  const Problem& p = run.spec.problem;
  fmt::print("{}, {}: B {}, H {}, N {} queries, {} keys, d {}, tiles {} x {}, {} mask, fp16\n\n", run.provenance.gpu,
             run.provenance.date, p.batch, p.heads, p.n_q, p.n_k, p.d, p.br, p.bc, name_of(p.mask));
  if (verdict.kind != Verdict::Kind::Exact) fmt::print("line {}: {}\n", verdict.line, verdict.message);
  for (const ProgramTensor& t : run.tensors)
    if (t.wrong_rows)
      fmt::print("{} is wrong: {} rows, the first of them row {} of head {}; it was not timed.\n", t.tensor,
                 t.wrong_rows, t.first + 1, t.head + 1);
    else
      fmt::print("{}: worst row {:.1e} from float64, heads 1 to {} of {}\n", t.tensor, t.worst_row, run.heads_checked,
                 p.batch * p.heads);
  if (run.timing)
    fmt::print("\nmeasured: median {}, best {} of {} launches\n", time_words(run.timing->median),
               time_words(run.timing->best), run.timing->count);
  const Counters counted = run.counters.value_or(Counters{});
  std::vector<std::vector<std::string>> table{{"", "predicted", "counted", "over"}};
  const auto row = [&](std::string name, int64_t predicted, const std::optional<double>& found) {
    table.push_back(
        {std::move(name), bytes_words(predicted), bytes_words(found), over_words(found, double(predicted))});
  };
  row("L2 to SM", said.l2_to_sm, counted.l2_to_sm);
  row("SM to L2", said.sm_to_l2, counted.sm_to_l2);
  if (said.dram.modelled) {
    row("DRAM read, model", said.dram.read_bytes, counted.dram_read);
    row("DRAM written, model", said.dram.written_bytes, counted.dram_written);
  }
  fmt::print("\n");
  print_table(table);
  if (!run.no_counters.empty()) fmt::print("{}\n", run.no_counters);
}

// One document of the recordings' form.
void print_json(const ProgramRun& run) { fmt::print("{}", programs_text({run})); }

}  // namespace

int program_command(const ProgramAsked& asked, const RunSpec& spec, bool anyway, bool json) {
  if (spec.inputs.kind != RunInputs::Kind::Generated)
    throw CommandFault(kUsage, "A program runs with generated inputs here.");
  ProgramSpec program{.name = {}, .text = {text_of(asked.file)}, .problem = spec.problem, .counters = spec.counters};
  program.problem.br = asked.br, program.problem.bc = asked.bc;
  WalkRead read = read_walk(program.text);
  if (!read.program) {
    const WalkFault& fault = read.faults.front();
    throw CommandFault(kUnreadable, fmt::format("{}:{}:{}: {}", asked.file, fault.line, fault.column, fault.message));
  }
  const Verdict verdict = judge(*read.program);
  std::string why;
  const std::optional<MadeProgram> made = make_program(program, why);
  if (!made) throw CommandFault(kUsage, why);
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) throw CommandFault(kNoGpu, found.reason);
  const Gpu& gpu = found.gpus.front();
  const GpuLock lock(gpu.pci);
  if (!lock.held() && !anyway)
    throw CommandFault(kFailure, "Another Tilewalk worker is measuring on this GPU; wait, or take --anyway.");
  Traffic traffic;
  L2Flush flush;
  const Nvml nvml(gpu.pci);
  const ProgramTiming how{spec.warmups, spec.launches, spec.flush_l2};
  const ProgramRun run =
      measure_program(program, how, gpu, traffic, flush, nvml, [](RunStage, int, int) { return true; });
  if (json)
    print_json(run);
  else
    print_words(run, program_bytes(*made, machine_of(gpu.what)), verdict);
  return run.right() ? kOk : kFailure;
}

int record_programs(const std::filesystem::path& file, const std::string& note, bool anyway) {
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) throw CommandFault(kNoGpu, found.reason);
  Runner runner(found.gpus.front());
  std::string no_l2;
  const std::optional<L2Found> l2 = runner.probe_l2(no_l2);
  std::vector<ProgramRun> runs;
  bool wrong = false;
  for (const ProgramSpec& spec : recorded_programs()) {
    ProgramRun& run = runs.emplace_back(runner.run_program(spec, anyway, [](RunStage, int, int) { return true; }));
    run.provenance.note = note;
    if (l2) run.provenance.l2_shared = l2->all_bytes, run.provenance.l2_dirty = l2->dirty_bytes;
    std::string why;
    const std::optional<MadeProgram> made = make_program(spec, why);
    const std::string title = fmt::format("{:<18} {:<6}", spec.name, name_of(spec.problem.mask));
    if (!run.refused.empty()) {
      fmt::print(stderr, "{} not run: {}\n", title, run.refused);
    } else if (!run.timing) {
      fmt::print(stderr, "{} wrong\n", title);
      wrong = true;
    } else {
      const ProgramBytes said = program_bytes(*made, machine_of(run.provenance));
      const Counters c = run.counters.value_or(Counters{});
      const auto dram = c.dram_read && c.dram_written ? std::optional(*c.dram_read + *c.dram_written) : std::nullopt;
      fmt::print(stderr, "{} {:9.4f} ms  L2 to SM {}  SM to L2 {}  DRAM {}\n", title, run.timing->median,
                 over_words(c.l2_to_sm, double(said.l2_to_sm)), over_words(c.sm_to_l2, double(said.sm_to_l2)),
                 over_words(dram, double(said.dram.read_bytes + said.dram.written_bytes)));
    }
    try {
      write_file(file, programs_text(runs));
    } catch (const IoError& error) {
      throw CommandFault(kUnreadable, error.what());
    }
  }
  if (wrong) throw CommandFault(kFailure, "A program gave a wrong answer; there is no time for it.");
  return kOk;
}

}  // namespace tilewalk::gpu
