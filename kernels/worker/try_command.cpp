#include "kernels/worker/try_command.h"

#include "core/io/printable.h"
#include "core/roofline/busy.h"
#include "core/run/nominal.h"
#include "core/run/prediction.h"
#include "core/run/run_json.h"
#include "core/method/table.h"
#include "kernels/worker/beside_words.h"
#include "kernels/worker/on_gpu.h"
#include "kernels/worker/switch_command.h"
#include "kernels/worker/switch_words.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

std::string off_words(double counted, double predicted) {
  const double percent = 100 * (counted / predicted - 1);
  return std::abs(percent) < 0.005 ? "+0.00 %" : fmt::format("{:+.2f} %", percent);
}

void print_rungs(const RunResult& result, Method tried) {
  const Problem& p = result.spec.problem;
  std::vector<std::vector<std::string>> rows{
      {"measured", "median", "TFLOP/s", "MHz", "L2 to SM", "predicted", "", "DRAM", "busiest unit"}};
  for (const KernelResult& k : result.kernels) {
    std::vector<std::string> row{std::string(info_of(k.kernel).key) + (k.kernel == tried ? " *" : "")};
    if (k.timing)
      row.insert(row.end(),
                 {time_words(k.timing->median), fmt::format("{:.1f}", nominal_flop(p) / k.timing->median / 1e9),
                  clock_of(*k.timing) > 0 ? fmt::format("{:.0f}", clock_of(*k.timing)) : "-"});
    else
      row.insert(row.end(), 3, "-");
    const RunPrediction predicted = predict_run(result.spec, {k.kernel, k.with}, result.provenance, false);
    const std::optional<double> fill = k.counters ? k.counters->l2_to_sm : std::nullopt;
    row.push_back(bytes_words(fill));
    row.push_back(bytes_words(double(predicted.fill_bytes)) + (predicted.fill_modelled ? " (model)" : ""));
    row.push_back(fill ? off_words(*fill, double(predicted.fill_bytes)) : "-");
    row.push_back(k.counters && k.counters->dram_read && k.counters->dram_written
                      ? bytes_words(*k.counters->dram_read + *k.counters->dram_written)
                      : "-");
    const std::vector<Busy> units = busy_units(k, p, result.provenance);
    row.push_back(units.empty() ? "-" : fmt::format("{} {:.0f} %", units.front().what, 100 * units.front().share));
    rows.push_back(std::move(row));
  }
  print_table(rows);
}

void print_words(const RunResult& result, Method tried) {
  const Problem& p = result.spec.problem;
  fmt::print("{} on {}, {}: B {}, H {}, N {}, d {}, {} mask, {}\n\n", info_of(tried).kernel_name(),
             result.provenance.gpu, result.provenance.date, p.batch, p.heads,
             p.n_q == p.n_k ? std::to_string(p.n_q) : fmt::format("{} queries, {} keys", p.n_q, p.n_k), p.d,
             name_of(p.mask), name_of(p.format));
  print_rungs(result, tried);
  fmt::print("\n");
  for (const KernelResult& k : result.kernels) {
    const std::string_view name = info_of(k.kernel).kernel_name();
    if (!k.refused.empty()) fmt::print("{} did not run: {}\n", name, k.refused);
    if (k.errors && !k.errors->passed) fmt::print("{} gave a wrong answer; it was not timed.\n", name);
    if (!k.no_counters.empty()) fmt::print("{}: {}\n", name, k.no_counters);
    if (k.kernel != tried) continue;
    const std::vector<Busy> units = busy_units(k, p, result.provenance);
    if (units.empty()) continue;
    fmt::print("{}: {}.\n ", name, limit_words(units));
    for (const Busy& unit : units) fmt::print(" {} {:.0f} %;", unit.what, 100 * unit.share);
    fmt::print(" counted over the median time.\n");
  }
  print_beside(result);
  if (!result.provenance.note.empty()) fmt::print("{}\n", result.provenance.note);
}

}  // namespace

int try_command(const Tried& tried, RunSpec spec, bool anyway, bool json) {
  const std::optional<Method> kernel = kernel_named(tried.kernel);
  if (!kernel || (info_of(*kernel).backward() || info_of(*kernel).kernel.kind == KernelKind::Retired))
    return fail("try", kUsage,
                fmt::format("There is no kernel {}; there are {}.", in_quotes(tried.kernel, 40),
                            key_list(kernels()) + ", " + key_list(kernels_beside())));
  if (*kernel == Method::SplitKv) as_decoding(spec);
  if (!tried.without.empty() || !tried.with.empty()) {
    if (!tried.without.empty() && !tried.with.empty())
      return fail("try", kUsage, "One switch at a time: --without or --with.");
    const Problem& p = spec.problem;
    std::string why;
    const bool with = tried.without.empty();
    const SwitchInfo* info =
        switch_named(*kernel, with, with ? tried.with : tried.without, p.d, p.mask == Mask::Causal, p.format, why);
    return info ? try_switch_command(*info, spec, anyway, json) : fail("try", kUsage, why);
  }
  spec.kernels = with_neighbours(*kernel);
  spec.counters = true;
  return on_gpu(
      "try", spec,
      [&](Runner& runner) {
        const Ran ran = runner.run(spec, anyway, kQuiet);
        if (json)
          fmt::print("{}", recording_text({ran.result}));
        else
          print_words(ran.result, *kernel);
        const auto ran_well = [&](const KernelResult& k) { return k.kernel == *kernel && k.timing.has_value(); };
        return std::ranges::any_of(ran.result.kernels, ran_well) ? kOk : kFailure;
      },
      " To see the kernel's steps without a GPU: tilewalk walk.");
}

}  // namespace tilewalk::gpu
