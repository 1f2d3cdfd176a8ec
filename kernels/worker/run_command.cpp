#include "kernels/worker/run_command.h"

#include "core/run/nominal.h"
#include "core/run/prediction.h"
#include "core/run/run_json.h"
#include "kernels/worker/beside_words.h"
#include "kernels/worker/on_gpu.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tilewalk::gpu {
namespace {

std::string key_of(const KernelResult& k) {
  return std::string(info_of(k.kernel).key) +
         (k.with == Switch::None ? "" : fmt::format(" ({})", tilewalk::key_of(k.with)));
}

void print_times(const RunResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"measured", "median", "p10", "p90", "best", "n", "queued", "TFLOP/s", "MHz", "worst row", "all rows", "L"}};
  for (const KernelResult& k : result.kernels) {
    std::vector<std::string> row{key_of(k)};
    if (const auto& t = k.timing)
      row.insert(row.end(), {time_words(t->median), time_words(t->p10), time_words(t->p90), time_words(t->best),
                             std::to_string(t->count), t->back_to_back > 0 ? time_words(t->back_to_back) : "-",
                             fmt::format("{:.0f}", nominal_flop(result.spec.problem, k.kernel) / t->median / 1e9),
                             clock_of(*t) > 0 ? fmt::format("{:.0f}", clock_of(*t)) : "-"});
    else
      row.insert(row.end(), 8, "-");
    if (const auto& e = k.errors)
      row.insert(row.end(), {fmt::format("{:.1e}", e->worst_row), fmt::format("{:.1e}", e->whole),
                             fmt::format("{:.1e}{}", e->lse, e->passed ? "" : " WRONG")});
    else
      row.insert(row.end(), 3, "-");
    rows.push_back(std::move(row));
  }
  print_table(rows);
  const auto clock_counted = [](const KernelResult& k) { return k.timing && k.timing->clock > 0; };
  const bool counted = std::ranges::any_of(result.kernels, clock_counted);
  if (std::ranges::any_of(result.kernels, [](const KernelResult& k) { return k.timing.has_value(); }))
    fmt::print(
        "Single launches, each between two events, in bursts with rests; queued: without a rest, mean.\n"
        "L2 {} each timed launch.\n"
        "TFLOP/s are of 4 B H N N d, backward of 10, and the median, half of that under a causal mask.\n"
        "MHz is the SM clock over a burst, {}.\n",
        result.spec.flush_l2 ? "is emptied before" : "holds what the launch before left there, at",
        counted ? "as the multiprocessors counted their cycles" : "as NVML had it");
}

void print_counters(const RunResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"counted", "L2 to SM", "SM to L2", "DRAM read", "DRAM written", "shared wavefronts", "XU", "tensor"}};
  for (const KernelResult& k : result.kernels)
    if (const auto& c = k.counters)
      rows.push_back({key_of(k), bytes_words(c->l2_to_sm), bytes_words(c->sm_to_l2), bytes_words(c->dram_read),
                      bytes_words(c->dram_written), count_words(c->shared_wavefronts), count_words(c->exponentials),
                      count_words(c->tensor_instructions)});
  if (rows.size() > 1) {
    fmt::print("\n");
    print_table(rows);
    fmt::print("Counted over launches of their own, L2 emptied before each; XU, tensor: instructions of a warp.\n");
  }
}

void print_remarks(const RunResult& result) {
  for (const KernelResult& k : result.kernels) {
    const std::string_view name = info_of(k.kernel).kernel_name();
    if (!k.refused.empty()) fmt::print("\n{} did not run: {}\n", name, k.refused);
    if (k.errors && !k.errors->passed) fmt::print("\n{} gave a wrong answer; it was not timed.\n", name);
    if (k.timing && k.timing->unheld)
      fmt::print("\n{}: {} of {} launches may have waited for the processor.\n", name, k.timing->unheld,
                 k.timing->count);
    if (!k.no_counters.empty()) fmt::print("\n{}: {}\n", name, k.no_counters);
    if (k.trace)
      fmt::print("\n{}, traced: {} against {} untraced; m and l of {} rows after {} tiles; {} steps in {} lane{}.\n",
                 name, time_words(k.trace->traced_ms), time_words(k.trace->plain_ms), k.trace->statistics.rows,
                 k.trace->statistics.tiles, k.trace->stamps.size(), k.trace->lanes.size(),
                 k.trace->lanes.size() == 1 ? "" : "s");
  }
}

}  // namespace

void print_run(const RunResult& result) {
  const Problem& p = result.spec.problem;
  fmt::print("{}, {}: B {}, H {}, N {} queries, {} keys, d {}, {} mask, {}, inputs {:016x}\n", result.provenance.gpu,
             result.provenance.date, p.batch, p.heads, p.n_q, p.n_k, p.d, name_of(p.mask), name_of(p.format),
             result.spec.inputs.hash);
  for (const KernelResult& k : result.kernels)
    if (const int64_t d = padded_d(k.kernel, p.d); k.refused.empty() && d != p.d)
      fmt::print("{}: d is padded with zeros to {}.\n", info_of(k.kernel).kernel_name(), d);
  for (const KernelResult& k : result.kernels)
    if (k.kernel == Method::Standard && k.timing)
      fmt::print("{} keeps S in memory in {}.\n", info_of(k.kernel).kernel_name(),
                 name_of(keeps_wide_scores(p) ? Format::Float32 : p.format));
  if (!result.provenance.note.empty()) fmt::print("{}\n", result.provenance.note);
  fmt::print("\n");
  print_times(result);
  print_counters(result);
  print_remarks(result);
}

int run_command(const RunSpec& spec, bool anyway, bool json) {
  return on_gpu("run", spec, [&](Runner& runner) {
    const Ran ran = runner.run(spec, anyway, kQuiet);
    if (json)
      fmt::print("{}", recording_text({ran.result}));
    else
      print_run(ran.result), print_beside(ran.result);
    const auto ran_well = [](const KernelResult& k) { return k.timing.has_value(); };
    return std::ranges::any_of(ran.result.kernels, ran_well) ? kOk : kFailure;
  });
}

}  // namespace tilewalk::gpu
