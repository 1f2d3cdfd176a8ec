#include "kernels/worker/switch_command.h"

#include "core/roofline/busy.h"
#include "core/roofline/switch_price.h"
#include "core/run/benchmark.h"
#include "core/run/nominal.h"
#include "core/run/run_json.h"
#include "kernels/worker/beside_words.h"
#include "kernels/worker/on_gpu.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilewalk::gpu {
namespace {

double ms_of(const KernelResult& k) { return k.timing ? k.timing->median : NAN; }

std::string rate(const Problem& p, double ms) {
  return std::isfinite(ms) ? fmt::format("{:.1f}", nominal_flop(p) / ms / 1e9) : "-";
}
std::string times(double ms, double plain) {
  return std::isfinite(ms) && plain > 0 ? fmt::format("{:.3f}", ms / plain) : "-";
}
std::string list_of(const std::vector<float>& values) {
  std::string out;
  for (float value : values) out += fmt::format("{}{:.4f}", out.empty() ? "" : ", ", value);
  return out;
}
std::string wrong_words(const WrongRow& wrong) {
  const std::string off = std::isfinite(wrong.error)
                              ? fmt::format("O is off by {:.1e} of the row's length", wrong.error)
                              : std::string("O is not finite");
  const bool right = std::fabs(wrong.lse - wrong.lse_wanted) < 1e-4 * std::max(1.0, std::fabs(wrong.lse_wanted));
  return fmt::format(
      "The first wrong row of those compared: head {}, row {}. {}; L is {:.4f}, {}.\n  O begins with {}\n  and should "
      "begin with {}",
      wrong.head + 1, wrong.row + 1, off, wrong.lse,
      right ? std::string("as it should be") : fmt::format("and should be {:.4f}", wrong.lse_wanted), list_of(wrong.o),
      list_of(wrong.o_wanted));
}
std::optional<double> conflicts(const KernelResult& k) {
  return k.counters ? k.counters->bank_conflicts : std::nullopt;
}
std::optional<double> fill(const KernelResult& k) { return k.counters ? k.counters->l2_to_sm : std::nullopt; }

int print_tried(const SwitchInfo& info, const RunResult& run) {
  const Problem& p = run.spec.problem;
  const KernelResult &plain = run.kernels.front(), &with = run.kernels.back();
  const SwitchPrice price = price_of(run.spec, info, run.provenance);
  fmt::print("{} {}: {}.\n{}, {}: B {}, H {}, N {}, d {}, {} mask, {}\n\n", info_of(info.kernel).kernel_name(),
             option_of(info), info.words, run.provenance.gpu, run.provenance.date, p.batch, p.heads,
             p.n_q == p.n_k ? std::to_string(p.n_q) : fmt::format("{} queries, {} keys", p.n_q, p.n_k), p.d,
             name_of(p.mask), name_of(p.format));
  std::vector<std::vector<std::string>> rows{
      {"measured", "median", "times", "TFLOP/s", "MHz", "L2 to SM", "predicted", "", "bank conflicts", "busiest unit"}};
  const auto add = [&](const std::string& name, const KernelResult& k, const RunPrediction& predicted) {
    const std::vector<Busy> units = busy_units(k, p, run.provenance);
    rows.push_back({name, k.timing ? time_words(ms_of(k)) : "-", times(ms_of(k), ms_of(plain)), rate(p, ms_of(k)),
                    k.timing ? fmt::format("{:.0f}", clock_of(*k.timing)) : "-", bytes_words(fill(k)),
                    bytes_words(double(predicted.fill_bytes)), over_words(fill(k), predicted.fill_bytes),
                    count_words(conflicts(k)),
                    units.empty() ? "-" : fmt::format("{} {:.0f} %", units.front().what, 100 * units.front().share)});
  };
  add(std::string(info_of(info.kernel).key), plain, price.without);
  add("  " + option_of(info), with, price.with);
  print_table(rows);
  fmt::print("\nThe model, before it ran: {}.\n", words_of(price));
  if (with.wrong)
    fmt::print("{}\n", wrong_words(*with.wrong));
  else if (info.wrong && with.timing)
    fmt::print("No compared row is wrong with these inputs.\n");
  print_beside(run);
  for (const KernelResult* k : {&plain, &with}) {
    if (!k->refused.empty()) fmt::print("It did not run: {}\n", k->refused);
    if (!k->no_counters.empty()) fmt::print("{}\n", k->no_counters);
  }
  if (with.wrong && !info.wrong) fmt::print("It gave a wrong answer, which this switch should not.\n");
  return with.timing || (info.wrong && with.wrong) ? kOk : kFailure;
}

struct Published {
  Switch with;
  const char* tflops;  // arXiv:2407.08608, table 2: H100 SXM5, B 4, H 16, N 8,448, d 128, fp16, no mask
};
constexpr Published kAblation[] = {{Switch::None, "661"},
                                   {Switch::Overlap, "582"},
                                   {Switch::Producer, "570"},
                                   {Switch::PingPong, "-"},
                                   {Switch::OneStage, "-"}};

void print_ablation(const Measure& measure) {
  const RunSpec spec = ablation_run();
  const RunResult run = measure(spec);
  std::string table;
  for (const Published& each : kAblation) {
    const auto k = std::ranges::find(run.kernels, each.with, &KernelResult::with);
    const SwitchInfo* info = switch_of(Method::Fa3, each.with, spec.problem.d, false);
    const SwitchPrice price = info ? price_of(spec.problem, *info, run.provenance) : SwitchPrice{};
    table += fmt::format("| {} | {} | {} | {} | {} | {:.0f} |\n", info ? option_of(*info) : "as it is",
                         rate(spec.problem, ms_of(*k)), times(ms_of(*k), ms_of(run.kernels.front())), each.tflops,
                         info ? words_of(price) : "-", k->timing ? clock_of(*k->timing) : 0);
  }
  fmt::print(
      "FA3's ideas at the setting of its paper's ablation (B 4, H 16, N 8448, d 128, fp16, no mask). Measured on {}, "
      "{},\nby `tilewalk-gpu ladder --switches`; published: arXiv:2407.08608, table 2, H100 SXM5.\n\n"
      "| FA3 | TFLOP/s | times as long | published TFLOP/s | model | MHz |\n| --- | --- | --- | --- | --- | --- "
      "|\n{}\n",
      run.provenance.gpu, run.provenance.date.substr(0, 10), table);
  std::fflush(stdout);
}

void print_switches(const RunResult& run) {
  const Problem& p = run.spec.problem;
  const KernelResult& plain = run.kernels.front();
  for (const KernelResult& k : run.kernels) {
    const SwitchInfo* info = switch_of(k.kernel, k.with, p.d, p.mask == Mask::Causal);
    if (!info) {
      fmt::print("| **{}, d = {}, {}** | {} | 1 | | | {} | {} |\n", info_of(k.kernel).key, p.d, name_of(p.mask),
                 rate(p, ms_of(k)), over_words(fill(k), predict_run(p, k.kernel, run.provenance, false).fill_bytes),
                 count_words(conflicts(k)));
      continue;
    }
    const SwitchPrice price = price_of(p, *info, run.provenance);
    const std::string rated =
        k.wrong ? fmt::format("row {} of head {} is wrong", k.wrong->row + 1, k.wrong->head + 1) : rate(p, ms_of(k));
    fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", option_of(*info), rated, times(ms_of(k), ms_of(plain)),
               info->words, words_of(price), over_words(fill(k), price.with.fill_bytes), count_words(conflicts(k)));
  }
  std::fflush(stdout);
}

}  // namespace

RunSpec ablation_run() {
  RunSpec spec;
  spec.problem = {.batch = 4, .heads = 16, .n_q = 8448, .n_k = 8448, .d = 128, .br = 128, .bc = 128};
  spec.kernels = {Method::Fa3};
  for (const Published& each : kAblation)
    if (each.with != Switch::None) spec.switches.push_back(each.with);
  return spec;
}

std::vector<RunSpec> switch_runs() {
  constexpr int64_t kN = 4096;
  constexpr size_t kAtOnce = 4;  // switches beside one launch of the kernel as it is, so that the clock is the same
  std::vector<RunSpec> runs;
  for (const Method kernel : {Method::Fa2, Method::Fa3})
    for (const int64_t d : {128, 64})
      for (const bool causal : {false, true}) {
        RunSpec spec;
        spec.problem = benchmark_problem(kN, d, causal ? Mask::Causal : Mask::Full);
        spec.kernels = {kernel};
        spec.counters = true;
        std::vector<Switch> all;
        for (const SwitchInfo& info : switches())
          if (info.causal == causal && switch_of(kernel, info.id, d, causal) == &info) all.push_back(info.id);
        for (size_t first = 0; first < all.size(); first += kAtOnce) {
          const auto begin = all.begin() + ptrdiff_t(first);
          spec.switches.assign(begin, begin + ptrdiff_t(std::min(kAtOnce, all.size() - first)));
          runs.push_back(spec);
        }
      }
  return runs;
}

int try_switch_command(const SwitchInfo& info, RunSpec spec, bool anyway, bool json) {
  spec.kernels = {info.kernel};
  spec.switches = {info.id};
  spec.counters = true;
  return on_gpu("try", spec, [&](Runner& runner) {
    const RunResult run = runner.run(spec, anyway, kQuiet).result;
    if (!json) return print_tried(info, run);
    fmt::print("{}", recording_text({run}));
    return int(kOk);
  });
}

int print_switch_tables(const Measure& measure) {
  print_ablation(measure);
  fmt::print(
      "Every switch at N = 4096, B H d = 8192, fp16; times as long as the kernel as it is, which is timed before\n"
      "each four of them.\n\n"
      "| switch | TFLOP/s | times as long | what it does | model | L2 to SM over predicted | bank conflicts |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const RunSpec& spec : switch_runs()) print_switches(measure(spec));
  return kOk;
}

}  // namespace tilewalk::gpu
