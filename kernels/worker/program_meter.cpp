#include "kernels/worker/program_meter.h"

#include "core/machine/words.h"
#include "kernels/program_runner.h"
#include "kernels/worker/fault.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::gpu {
namespace {

// As many heads as float64 on the processor takes some seconds for.
int64_t heads_checked(const Problem& p) {
  return std::clamp<int64_t>((int64_t{1} << 29) / (p.n_q * p.n_k * p.d), 1, p.batch * p.heads);
}

ProgramTensor told(const ProgramResult& r) {
  return {std::string(symbol_of(r.tensor)), r.wrong_rows ? 0 : r.worst_row, r.wrong_rows, r.wrong_rows ? r.head : 0,
          r.wrong_rows ? r.first : 0};
}

}  // namespace

ProgramRun measure_program(const ProgramSpec& spec, const ProgramTiming& how, const Gpu& gpu, Traffic& traffic,
                           L2Flush& flush, const Nvml& nvml, const GoOn& go_on) {
  ProgramRun run;
  run.provenance = gpu.what;
  run.spec = spec;
  run.provenance.date = utc_now();
  const std::optional<MadeProgram> made = make_program(spec, run.refused);
  if (!made || !go_on(RunStage::Checking, 0, 1)) return run;
  ProgramRunner runner(made->packed, made->schedule, made->plan);
  runner.poison();
  runner.launch();
  run.heads_checked = heads_checked(spec.problem);
  for (const ProgramResult& result : runner.results(run.heads_checked)) run.tensors.push_back(told(result));
  if (!run.right() || !go_on(RunStage::Checking, 1, 1)) return run;
  flush.prepare(gpu.what.l2_bytes);
  Timing timing;
  const TimingPlan plan{.warmups = how.warmups, .launches = how.launches, .flush = how.flush_l2 ? &flush : nullptr};
  if (!time_launches(
          plan, {[&] { runner.queue(nullptr); }, [&](int done, int of) { return go_on(RunStage::Timing, done, of); }},
          nullptr, nvml, timing))
    return run;
  run.timing = timing;
  if (!spec.counters) return run;
  const auto wait = [] { check(cudaDeviceSynchronize(), "A program"); };
  run.no_counters = traffic.unavailable();
  if (run.no_counters.empty())
    run.counters = traffic.measure({[&] { flush.queue(nullptr), wait(); }, [&] { runner.launch(); },
                                    [&](int done, int of) { return go_on(RunStage::Counting, done, of); }},
                                   run.no_counters);
  return run;
}

}  // namespace tilewalk::gpu
