#include "kernels/worker/switch_command.h"

#include "core/run/nominal.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/request_check.h"
#include "kernels/worker/runner.h"
#include "kernels/worker/switch_price.h"
#include "kernels/worker/switch_words.h"
#include "kernels/worker/tables.h"
#include "kernels/worker/try_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilewalk::gpu {
namespace {

const RunHooks kQuiet{[](KernelId, RunStage, int, int) {}, [](const KernelResult&) {}, [] { return false; }};

struct Measured {
  KernelResult kernel;
  Provenance gpu;
  std::optional<Checker::WrongRow> wrong;
  double ms() const { return kernel.timing ? kernel.timing->median : NAN; }
};

Measured measure(Runner& runner, RunSpec spec, KernelId kernel, Switch with, bool anyway) {
  spec.kernels = {kernel};
  const RunResult result = runner.run(spec, anyway, kQuiet, with).result;
  return {result.kernels.front(), result.provenance, runner.first_wrong()};
}

std::string rate(const Problem& p, double ms) {
  return std::isfinite(ms) ? fmt::format("{:.1f}", nominal_flop(p) / ms / 1e9) : "-";
}
std::string times(double ms, double plain) {
  return std::isfinite(ms) && plain > 0 ? fmt::format("{:.3f}", ms / plain) : "-";
}
std::string over(const std::optional<double>& counted, int64_t predicted) {
  return counted ? fmt::format("{:+.2f} %", 100 * (*counted / double(predicted) - 1) + 0.0) : "-";
}
std::string list_of(const std::vector<double>& values) {
  std::string out;
  for (double value : values) out += fmt::format("{}{:.4f}", out.empty() ? "" : ", ", value);
  return out;
}
std::string wrong_words(const Checker::WrongRow& wrong) {
  const std::string off = std::isfinite(wrong.error)
                              ? fmt::format("O is off by {:.1e} of the row's length", wrong.error)
                              : std::string("O is not finite");
  const bool right = std::fabs(wrong.lse - wrong.lse_wanted) < 1e-4 * std::max(1.0, std::fabs(wrong.lse_wanted));
  return fmt::format(
      "The first wrong row of those compared: head {}, row {}. {}; L is {:.4f}, {}.\n  O begins with {}\n  and should "
      "with {}",
      wrong.head + 1, wrong.row + 1, off, wrong.lse,
      right ? std::string("as it should be") : fmt::format("and should be {:.4f}", wrong.lse_wanted), list_of(wrong.o),
      list_of(wrong.o_wanted));
}
std::optional<double> conflicts(const KernelResult& k) {
  return k.counters ? k.counters->bank_conflicts : std::nullopt;
}
std::optional<double> fill(const KernelResult& k) { return k.counters ? k.counters->l2_to_sm : std::nullopt; }

int fail(const char* command, int code, const std::string& what) {
  fmt::print(stderr, "tilewalk-gpu {}: {}\n", command, what);
  return code;
}

// Runs `use` with a Runner on the first GPU, and turns what it throws into words.
template <class Use>
int on_gpu(const char* command, Use use) {
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) return fail(command, kNoGpu, found.reason);
  try {
    Runner runner(found.gpus.front());
    return use(runner);
  } catch (const Refused& refused) {
    return fail(command, refused.failure.code == "problem" ? kUsage : kFailure, refused.what());
  } catch (const CudaError& fault) {
    return fail(command, kFailure, std::string(fault.what()) + ".");
  }
}

int print_tried(const SwitchInfo& info, const RunSpec& spec, const Measured& plain, const Measured& with) {
  const Problem& p = spec.problem;
  const SwitchPrice price = price_of(p, info, machine_of(plain.gpu));
  fmt::print("{} {}: {}.\n{}, {}: B {}, H {}, N {}, d {}, {} mask, {}\n\n", info_of(info.kernel).name, option_of(info),
             info.words, plain.gpu.gpu, plain.gpu.date, p.batch, p.heads,
             p.n_q == p.n_k ? std::to_string(p.n_q) : fmt::format("{} queries, {} keys", p.n_q, p.n_k), p.d,
             name_of(p.mask), name_of(p.format));
  std::vector<std::vector<std::string>> rows{
      {"measured", "median", "times", "TFLOP/s", "MHz", "L2 to SM", "predicted", "", "bank conflicts", "busiest unit"}};
  const auto add = [&](const std::string& name, const Measured& m, const RunPrediction& predicted) {
    const std::vector<Busy> units = busy_units(m.kernel, p, m.gpu);
    rows.push_back({name, m.kernel.timing ? time_words(m.ms()) : "-", times(m.ms(), plain.ms()), rate(p, m.ms()),
                    m.kernel.timing ? fmt::format("{:.0f}", clock_of(*m.kernel.timing)) : "-",
                    bytes_words(fill(m.kernel)), bytes_words(double(predicted.fill_bytes)),
                    over(fill(m.kernel), predicted.fill_bytes), count_words(conflicts(m.kernel)),
                    units.empty() ? "-" : fmt::format("{} {:.0f} %", units.front().what, 100 * units.front().share)});
  };
  add(std::string(info_of(info.kernel).key), plain, price.without);
  add("  " + option_of(info), with, price.with);
  print_table(rows);
  fmt::print("\nThe model, before it ran: {}.\n", words_of(price));
  if (with.wrong)
    fmt::print("{}\n", wrong_words(*with.wrong));
  else if (info.wrong && with.kernel.timing)
    fmt::print("No compared row is wrong with these inputs.\n");
  for (const Measured* m : {&plain, &with}) {
    if (!m->kernel.refused.empty()) fmt::print("It did not run: {}\n", m->kernel.refused);
    if (!m->kernel.no_counters.empty()) fmt::print("{}\n", m->kernel.no_counters);
  }
  if (with.wrong && !info.wrong) fmt::print("It gave a wrong answer, which this switch should not.\n");
  return with.kernel.timing || (info.wrong && with.wrong) ? kOk : kFailure;
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

const SwitchInfo* row_of(KernelId kernel, Switch with) {
  for (const SwitchInfo& info : switches())
    if (info.kernel == kernel && info.id == with) return &info;
  return nullptr;
}

void print_ablation(Runner& runner, bool anyway) {
  RunSpec spec;
  spec.problem = {.batch = 4, .heads = 16, .n_q = 8448, .n_k = 8448, .d = 128, .br = 128, .bc = 128};
  std::string table;
  double plain = NAN;
  Provenance gpu;
  for (const Published& each : kAblation) {
    const Measured m = measure(runner, spec, KernelId::Fa3, each.with, anyway);
    if (each.with == Switch::None) plain = m.ms(), gpu = m.gpu;
    const SwitchInfo* info = row_of(KernelId::Fa3, each.with);
    const SwitchPrice price = info ? price_of(spec.problem, *info, machine_of(gpu)) : SwitchPrice{};
    table += fmt::format("| {} | {} | {} | {} | {} | {:.0f} |\n", info ? option_of(*info) : "as it is",
                         rate(spec.problem, m.ms()), times(m.ms(), plain), each.tflops, info ? words_of(price) : "-",
                         m.kernel.timing ? clock_of(*m.kernel.timing) : 0);
  }
  fmt::print(
      "FA3's ideas at the setting of its paper's ablation (B 4, H 16, N 8448, d 128, fp16, no mask). Measured on {}, "
      "{},\nby `tilewalk-gpu ladder --switches`; published: arXiv:2407.08608, table 2, H100 SXM5.\n\n"
      "| FA3 | TFLOP/s | times as long | published TFLOP/s | model | MHz |\n| --- | --- | --- | --- | --- | --- "
      "|\n{}\n",
      gpu.gpu, gpu.date.substr(0, 10), table);
  std::fflush(stdout);
}

RunSpec spec_at(int64_t d, bool causal) {
  constexpr int64_t kN = 4096, kTokens = 16384, kWidth = 2048;
  RunSpec spec;
  spec.problem = {.batch = kTokens / kN, .heads = kWidth / d, .n_q = kN, .n_k = kN, .d = d, .br = 128, .bc = 128};
  spec.problem.mask = causal ? Mask::Causal : Mask::Full;
  spec.counters = true;
  return spec;
}

// Every switch of a kernel at one d and mask: one row each, beside the mean of the kernel as it is before and after.
void print_switches(Runner& runner, KernelId kernel, int64_t d, bool causal, bool anyway) {
  const RunSpec spec = spec_at(d, causal);
  const Problem& p = spec.problem;
  const Measured first = measure(runner, spec, kernel, Switch::None, anyway);
  std::vector<std::pair<const SwitchInfo*, Measured>> measured;
  for (const SwitchInfo& info : switches())
    if (info.kernel == kernel && (!info.d || info.d == d) && (causal ? info.causal : !info.causal))
      measured.emplace_back(&info, measure(runner, spec, kernel, info.id, anyway));
  const Measured last = measure(runner, spec, kernel, Switch::None, anyway);
  const double plain = (first.ms() + last.ms()) / 2;
  fmt::print("| **{}, d = {}, {}** | {} | 1 | | | {} | {} |\n", info_of(kernel).key, d, name_of(p.mask), rate(p, plain),
             over(fill(first.kernel), predict_run(p, kernel, machine_of(first.gpu), false).fill_bytes),
             count_words(conflicts(first.kernel)));
  for (const auto& [info, m] : measured) {
    const SwitchPrice price = price_of(p, *info, machine_of(first.gpu));
    const std::string rated =
        m.wrong ? fmt::format("row {} of head {} is wrong", m.wrong->row + 1, m.wrong->head + 1) : rate(p, m.ms());
    fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", option_of(*info), rated, times(m.ms(), plain), info->words,
               words_of(price), over(fill(m.kernel), price.with.fill_bytes), count_words(conflicts(m.kernel)));
  }
  std::fflush(stdout);
}

}  // namespace

int try_switch_command(const SwitchInfo& info, RunSpec spec, bool anyway) {
  spec.kernels = {info.kernel};
  spec.counters = true;
  try {
    check_request(spec);
  } catch (const Refused& refused) {
    return fail("try", kUsage, refused.what());
  }
  return on_gpu("try", [&](Runner& runner) {
    const Measured plain = measure(runner, spec, info.kernel, Switch::None, anyway);
    return print_tried(info, spec, plain, measure(runner, spec, info.kernel, info.id, anyway));
  });
}

int ladder_switches_command(bool anyway) {
  return on_gpu("ladder", [&](Runner& runner) {
    print_ablation(runner, anyway);
    fmt::print(
        "Every switch at N = 4096, B H d = 8192, fp16; times as long as the kernel as it is, which is timed before and "
        "after.\n\n"
        "| switch | TFLOP/s | times as long | what it does | model | L2 to SM over predicted | bank conflicts |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (const KernelId kernel : {KernelId::Fa2, KernelId::Fa3})
      for (const int64_t d : {128, 64})
        for (const bool causal : {false, true}) print_switches(runner, kernel, d, causal, anyway);
    return int(kOk);
  });
}

}  // namespace tilewalk::gpu
