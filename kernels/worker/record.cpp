#include "kernels/worker/record.h"

#include "core/attention/presets.h"
#include "core/io/file.h"
#include "core/io/paths.h"
#include "core/run/benchmark.h"
#include "core/run/run_json.h"
#include "core/run/simulated.h"
#include "kernels/worker/beside_words.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/ladder_command.h"
#include "kernels/worker/runner.h"
#include "kernels/worker/spec_options.h"
#include "kernels/worker/switch_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace tilewalk::gpu {
namespace {

constexpr const char* kRealHead = "assets/inputs/induction-head.safetensors";
const std::vector<Method> kLarge{Method::Standard, Method::Fa1Paper, Method::Fa1, Method::Fa2, Method::Fa3};

// The grid of the papers' benchmarks.
std::vector<RunSpec> grid(bool quick) {
  const std::vector<int64_t> sizes =
      quick ? std::vector<int64_t>{1024, 4096, 16384} : std::vector<int64_t>{512, 1024, 2048, 4096, 8192, 16384};
  std::vector<RunSpec> specs;
  for (int64_t d : {128, 64})
    for (Mask mask : {Mask::Full, Mask::Causal})
      for (int64_t n : sizes) {
        RunSpec spec;
        spec.kernels = kLarge;
        spec.problem = benchmark_problem(n, d, mask);
        spec.counters = n == 1024 || n == 4096 || n == 16384;
        specs.push_back(std::move(spec));
      }
  return specs;
}

// The same cells with the backward kernels alone.
std::vector<RunSpec> backward_grid() {
  std::vector<RunSpec> specs = grid(false);
  for (RunSpec& spec : specs) {
    spec.kernels.clear();
    for (const MethodInfo& info : backward_kernels()) spec.kernels.push_back(info.id);
  }
  return specs;
}

// Every rung, and FA2 and FA3 with every switch.
std::vector<RunSpec> ladder_grid() {
  std::vector<RunSpec> specs;
  for (const int64_t d : {128, 64})
    for (const Mask mask : {Mask::Full, Mask::Causal}) specs.push_back(ladder_run(d, mask));
  std::ranges::move(switch_runs(), std::back_inserter(specs));
  specs.push_back(ablation_run());
  return specs;
}

// The rows in which an alpha is under 0.5: m rises by more than log 2 at a later tile than the row's first.
std::vector<int64_t> rows_with_small_alpha(const Problem& problem, Method kernel) {
  std::string fault;
  const auto simulated = simulate_run(problem, kernel, generate_inputs(problem), fault);
  if (!simulated) throw Refused("problem", fault);
  const RowStatistics& s = simulated->statistics;
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < s.rows; ++row) {
    bool small = false;
    for (int64_t j = s.tiles - 1; j > 0; --j)  // from the last tile to the first, as the kernels go
      small |= s.m[size_t((j - 1) * s.rows + row)] - s.m[size_t(j * s.rows + row)] > std::log(2.0);
    if (small) rows.push_back(row);
  }
  return rows;
}

// What the lessons put on the stage: the presets; tiles of 16 rows, so that N = 64 has four of them, with the trained
// head among them; and a longer problem in which outliers make the running maximum jump.
std::vector<RunSpec> lessons(const std::filesystem::path& real_head) {
  std::vector<RunSpec> specs;
  for (const Preset& preset : presets()) {
    if (preset.problem.distribution == Distribution::Custom || preset.problem.format == Format::Float32) continue;
    specs.emplace_back();
    specs.back().problem = preset.problem;
    specs.back().kernels = kLarge;
  }
  std::vector<Method> with_small = kLarge;
  with_small.insert(with_small.end(), {Method::Fa1Small, Method::Fa2Small});
  RunSpec toy;
  toy.problem = {.n_q = 64, .n_k = 64, .d = 32, .br = 16, .bc = 16};
  RunSpec head = spec_of_file({real_head}, "layer1", 0);
  head.problem.mask = Mask::Causal;
  toy.kernels = head.kernels = with_small;
  specs.push_back(toy);
  specs.push_back(head);
  for (RunSpec& spec : specs) spec.outputs = true;
  RunSpec outliers;
  outliers.kernels = {Method::Fa1, Method::Fa2, Method::Fa3};
  outliers.outputs = true;
  outliers.problem = {.n_q = 2048, .n_k = 2048, .d = 64, .br = 128, .bc = 128, .distribution = Distribution::Outliers};
  // FA1's tiles are longer: two jumps of m in one of them may be one of 128 keys each.
  const std::vector<int64_t> of_long = rows_with_small_alpha(outliers.problem, Method::Fa1);
  std::ranges::set_intersection(of_long, rows_with_small_alpha(outliers.problem, Method::Fa2),
                                std::back_inserter(outliers.trace_rows));
  specs.push_back(outliers);
  for (RunSpec& spec : specs) spec.trace = spec.counters = true;
  return specs;
}

std::string title(const Problem& p) {
  return fmt::format("B {:>2}, H {:>2}, N {:>5}, d {:>3}, {:<6}", p.batch, p.heads, p.n_k, p.d, name_of(p.mask));
}

// A switch that is one: its answer need not be attention.
bool is_mistake(const KernelResult& k) {
  return std::ranges::any_of(switches(), [&](const SwitchInfo& info) { return info.id == k.with && info.wrong; });
}

void report(const KernelResult& k) {
  const std::string key = fmt::format("{} {}", info_of(k.kernel).key, key_of(k.with));
  if (!k.refused.empty())
    fmt::print(stderr, "  {:<17} not run: {}\n", key, k.refused);
  else if (!k.timing)
    fmt::print(stderr, "  {:<17} wrong answer: rows {:.1e}, all {:.1e}, L {:.1e}\n", key, k.errors->worst_row,
               k.errors->whole, k.errors->lse);
  else
    fmt::print(stderr, "  {:<17} {:9.4f} ms{}\n", key, k.timing->median,
               k.no_counters.empty() ? "" : ", no counters: " + k.no_counters);
}

// The trained head in this folder, or where what comes with the program lies; empty where it is nowhere.
std::filesystem::path find_real_head() {
  std::error_code ignored;
  if (const auto here = std::filesystem::current_path(ignored) / kRealHead; std::filesystem::exists(here, ignored))
    return here;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const auto found = program_data(program, "inputs/induction-head.safetensors", kRealHead);
  return found.empty() ? std::filesystem::path() : found.front();
}

// Before hours of measuring: IoError where the file cannot be written. What is there stays.
void try_to_write(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_other(file, ignored)) return;  // a pipe or device
  std::filesystem::path beside = file;
  beside += ".part";
  write_file(beside, "");
  std::filesystem::remove(beside, ignored);
}

}  // namespace

int record(const RecordRequest& request) {
  std::vector<RunSpec> beside = beside_runs(request.set);
  const bool backward = request.set == "backward", ladder = request.set == "ladder";
  const bool of_lessons = request.set == "lessons";
  if (request.set != "standard" && request.set != "quick" && !of_lessons && !backward && !ladder && beside.empty())
    return fail("record", kUsage,
                "--set must be standard, quick, lessons, backward, ladder, decode, fp8, groups, widths or programs.");
  const std::filesystem::path head = request.real_head.empty() ? find_real_head() : request.real_head;
  if (head.empty() && of_lessons)
    return fail("record", kUnreadable,
                fmt::format("{} was found neither beside the program nor here; --real-head says where it "
                            "is.",
                            kRealHead));
  std::vector<RunSpec> specs;
  try {
    if (of_lessons) specs = lessons(head);
    try_to_write(request.file);
  } catch (const IoError& error) {
    return fail("record", kUnreadable, error.what());
  } catch (const Refused& refused) {
    return fail("record", kFailure, refused.what());
  }
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) return fail("record", kNoGpu, found.reason);
  if (!of_lessons)
    specs = !beside.empty() ? std::move(beside)
            : backward      ? backward_grid()
            : ladder        ? ladder_grid()
                            : grid(request.set == "quick");
  try {
    Runner runner(found.gpus.front());
    const RunHooks hooks{[](const Answer&, RunStage, int, int) {}, report, [] { return false; }};
    std::vector<RunResult> results;
    std::string no_l2;
    const std::optional<L2Found> l2 = runner.probe_l2(no_l2);
    if (!l2) fmt::print(stderr, "L2 is not measured: {}\n", no_l2);
    bool wrong = false;
    for (const RunSpec& spec : specs) {
      fmt::print(stderr, "{}\n", title(spec.problem));
      results.push_back(runner.run(spec, request.anyway, hooks).result);
      RunResult& result = results.back();
      if (l2) {
        result.provenance.l2_shared = l2->all_bytes;
        result.provenance.l2_dirty = l2->dirty_bytes;
      }
      if (!request.note.empty())
        result.provenance.note = request.note + (result.provenance.note.empty() ? "" : "; " + result.provenance.note);
      for (const KernelResult& k : result.kernels) wrong = wrong || (k.errors && !k.errors->passed && !is_mistake(k));
      save_recording(request.file, results);
    }
    return wrong ? fail("record", kFailure, "A kernel gave a wrong answer; the recording has no time for it.")
                 : int(kOk);
  } catch (const Refused& refused) {
    return fail("record", kFailure, refused.what());
  } catch (const CudaError& fault) {
    return fail("record", kFailure, std::string(fault.what()) + ".");
  } catch (const IoError& error) {
    return fail("record", kFailure, error.what());
  }
}

}  // namespace tilewalk::gpu
