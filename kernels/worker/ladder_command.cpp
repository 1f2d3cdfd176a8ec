#include "kernels/worker/ladder_command.h"

#include "core/roofline/busy.h"
#include "core/run/benchmark.h"
#include "core/run/nominal.h"
#include "core/run/prediction.h"
#include "core/method/table.h"
#include "core/io/file.h"
#include "core/run/run_json.h"
#include "kernels/worker/on_gpu.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace tilewalk::gpu {
namespace {

constexpr int64_t kN = 4096;

const KernelResult* of(const RunResult& run, Method rung) {
  const auto found = std::ranges::find(run.kernels, rung, &KernelResult::kernel);
  return found == run.kernels.end() ? nullptr : &*found;
}

std::string rate_words(const RunResult& run, Method rung) {
  const KernelResult* k = of(run, rung);
  if (!k || !k->timing) return "-";
  return fmt::format("{:.1f}", nominal_flop(run.spec.problem) / k->timing->median / 1e9);
}

std::string share_of(const std::vector<Busy>& units, std::string_view what) {
  const auto found = std::ranges::find(units, what, &Busy::what);
  return found == units.end() ? "-" : fmt::format("{:.0f} %", 100 * found->share);
}

}  // namespace

std::string ladder_table(const RunResult& wide, const RunResult& narrow) {
  const Problem& p = wide.spec.problem;
  std::string out = fmt::format(
      "Measured on {}, {}, by `tilewalk-gpu ladder`: fp16, no mask, N = {}, B H d = {}. Bytes and shares are of\n"
      "d = 128, counted by the hardware; a share is of what that unit does in the median time at most.\n\n"
      "| rung | new | TFLOP/s, d = 128 | d = 64 | L2 to SM | over predicted | DRAM | issue slots | tensor cores | "
      "exponentials | waits for |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      wide.provenance.gpu, wide.provenance.date.substr(0, 10), p.n_q, p.batch * p.heads * p.d);
  for (const Method rung : ladder()) {
    const KernelResult* k = of(wide, rung);
    const std::vector<Busy> units = k ? busy_units(*k, p, wide.provenance) : std::vector<Busy>();
    const std::optional<double> fill = k && k->counters ? k->counters->l2_to_sm : std::nullopt;
    const RunPrediction predicted = predict_run(p, rung, wide.provenance, false);
    std::optional<double> dram;
    if (k && k->counters && k->counters->dram_read && k->counters->dram_written)
      dram = *k->counters->dram_read + *k->counters->dram_written;
    out += fmt::format(
        "| [{0}]({0}.cu) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} | {9} | {10} |\n", info_of(rung).key,
        info_of(rung).rung.idea, rate_words(wide, rung), rate_words(narrow, rung), bytes_words(fill),
        over_words(fill, double(predicted.fill_bytes)) + (fill && predicted.fill_modelled ? " of a model" : ""),
        bytes_words(dram), share_of(units, "issue slots"), share_of(units, "tensor cores"),
        share_of(units, "exponentials"), units.empty() ? "-" : limit_words(units));
  }
  return out;
}

RunSpec ladder_run(int64_t d, Mask mask) {
  RunSpec spec;
  spec.problem = benchmark_problem(kN, d, mask);
  spec.kernels.assign(ladder().begin(), ladder().end());
  spec.counters = true;
  return spec;
}

int with_runs(const std::filesystem::path& recording, bool anyway, const std::function<int(const Measure&)>& print) {
  if (recording.empty())
    return on_gpu("ladder", [&](Runner& runner) {
      return print([&](const RunSpec& spec) { return runner.run(spec, anyway, kQuiet).result; });
    });
  try {
    const std::vector<RunResult> recorded = load_recording(recording);
    return print([&](const RunSpec& spec) {
      const auto same = [&](const RunResult& run) {
        const Problem &a = run.spec.problem, &b = spec.problem;
        return std::tie(a.batch, a.heads, a.n_q, a.n_k, a.d, a.mask, run.spec.kernels, run.spec.switches) ==
               std::tie(b.batch, b.heads, b.n_q, b.n_k, b.d, b.mask, spec.kernels, spec.switches);
      };
      const auto found = std::ranges::find_if(recorded, same);
      if (found == recorded.end())
        throw IoError(
            fmt::format("{}: a run of the ladder, N = {}, d = {}, is not in it. Record it by `tilewalk-gpu "
                        "record FILE --set ladder`.",
                        recording.string(), spec.problem.n_q, spec.problem.d));
      return *found;
    });
  } catch (const IoError& fault) {
    return fail("ladder", kUnreadable, fault.what());
  }
}

int print_ladder(const Measure& measure) {
  const RunResult wide = measure(ladder_run(128, Mask::Full)), narrow = measure(ladder_run(64, Mask::Full));
  fmt::print("{}", ladder_table(wide, narrow));
  for (const KernelResult& k : wide.kernels)
    if (!k.no_counters.empty()) fmt::print(stderr, "{}: {}\n", info_of(k.kernel).kernel_name(), k.no_counters);
  const auto timed = [](const KernelResult& k) { return k.timing.has_value(); };
  return std::ranges::any_of(wide.kernels, timed) ? kOk : kFailure;
}

}  // namespace tilewalk::gpu
