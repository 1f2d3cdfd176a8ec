// Holds the kernels against float64 on the GPU, and times them.
//
//   kernel_check [--kernel fa3[,fa2...]]   the sweep and the traced launches; all kernels if none is named
//     --small                              a few small problems instead, for compute-sanitizer
//     --groups                             FA2 and FA3, with heads of Q that share heads of K and V
//     --switches                           FA2 and FA3, or those named, with each of their switches that is no mistake
//     --list                               the sweep's problems
//     --only fa3-pingpong                  of them, this one
//     --time [--n N] [--d D]               median TFLOP/s at B N = 16384, H d = 2048, fp16; with --switches, in turns
// Leaves with 0 if all is right, 1 if not, 2 for words it does not know, 77 where there is no GPU for any of them.
#include "tests/gpu/cases.h"
#include "tests/gpu/timing.h"
#include "tests/gpu/trace_check.h"
#include "core/method/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>

namespace tilewalk::gpu::check {
namespace {

const char* key_of(Method kernel) { return info_of(kernel).key.data(); }  // "fa3"

struct Options {
  std::vector<Method> kernels;
  bool small = false, list = false, time = false, switches = false, groups = false;
  std::string_view only;
  int n = 0, d = 0;
};

bool parse(int argc, char** argv, Options& out) {
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    const bool more = k + 1 < argc;
    if (word == "--small") {
      out.small = true;
    } else if (word == "--switches") {
      out.switches = true;
    } else if (word == "--groups") {
      out.groups = true;
    } else if (word == "--only" && more) {
      out.only = argv[++k];
    } else if (word == "--list") {
      out.list = true;
    } else if (word == "--time") {
      out.time = true;
    } else if (word == "--n" && more) {
      out.n = std::atoi(argv[++k]);
    } else if (word == "--d" && more) {
      out.d = std::atoi(argv[++k]);
    } else if (word == "--kernel" && more) {
      std::string_view rest = argv[++k];
      while (!rest.empty()) {
        const std::string_view key = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), key.size() + 1));
        const auto found = std::ranges::find(kernels(), key, &MethodInfo::key);
        if (found == kernels().end()) return false;
        out.kernels.push_back(found->id);
      }
    } else {
      return false;
    }
  }
  if (out.kernels.empty() && (out.switches || out.groups)) out.kernels = {Method::Fa2, Method::Fa3};
  if (out.kernels.empty()) std::ranges::transform(kernels(), std::back_inserter(out.kernels), &MethodInfo::id);
  return true;
}

// What is checked or timed: a kernel as it is, or with a switch.
struct Subject {
  Method kernel;
  Switch with = Switch::None;
  std::string name;
};

std::vector<Subject> subjects(const Options& options) {
  std::vector<Subject> out;
  for (const Method kernel : options.kernels) {
    if (!options.switches || options.time) out.push_back({kernel, Switch::None, key_of(kernel)});
    if (!options.switches) continue;
    for (const SwitchInfo& info : switches())
      if (info.kernel == kernel && !info.wrong &&
          std::ranges::none_of(out, [&](const Subject& s) { return s.kernel == kernel && s.with == info.id; }))
        out.push_back({kernel, info.id, key_of(kernel) + std::string(info.with ? "+" : "-") + std::string(info.key)});
  }
  if (!options.only.empty()) std::erase_if(out, [&](const Subject& s) { return s.name != options.only; });
  return out;
}

// racecheck follows every access to shared memory, and theirs are of single numbers: larger problems take it minutes.
bool is_scalar(Method kernel) { return kernel == Method::Tiled || kernel == Method::Naive; }

// Switched kernels are built for fp16 alone, and smaller d are padded like the others'.
std::vector<Case> cases_of(const Options& options, Method kernel) {
  std::vector<Case> cases = options.small ? small_sweep(is_scalar(kernel)) : options.groups ? grouped_sweep() : sweep();
  if (takes_any_width(kernel) && !options.switches) {
    const std::vector<Case> other = options.small    ? small_width_sweep()
                                    : options.groups ? std::vector<Case>()
                                                     : width_sweep();
    cases.insert(cases.end(), other.begin(), other.end());
  }
  if (options.small && options.groups)
    for (Case& c : cases) c.group = c.heads;
  if (options.switches)
    std::erase_if(cases, [](const Case& c) { return c.element != Element::Half || (c.d != 64 && c.d != 128); });
  return cases;
}

struct Worst {
  double row = 0, whole = 0, lse = 0;
};

// Empty if the kernel solves the problem, else what is wrong.
std::string fault_of(const Subject& subject, const Case& c, Worst& worst) {
  const Method kernel = subject.kernel;
  Setup setup(c, kernel);
  Forward& f = setup.f;
  f.with = subject.with;
  setup.make_ready_for(kernel);
  const char* why = "";
  if (!prepare(kernel, f, &why)) return why;
  setup.poison();
  // Twice: what a launch leaves behind must not disturb the next one.
  for (int time = 0; time < 2; ++time) {
    must(launch(kernel, f, nullptr), "launch");
    must(cudaDeviceSynchronize(), words(c).c_str());
  }
  if (const int64_t left = setup.unwritten()) return std::to_string(left) + " elements of O and L are NaN";
  if (!setup.margins_intact()) return "something was written behind O or L";

  // Every row of short heads, about every tenth of long ones: a stride that meets every residue of a tile.
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < setup.rows(); row += f.n_q <= 1024 ? 1 : 1 + int64_t((row * 2654435761u >> 7) % 19))
    rows.push_back(row);
  const auto device_rows = device_array<int64_t>(rows.size());
  const auto device_errors = device_array<RowError>(rows.size());
  must(cudaMemcpy(device_rows.get(), rows.data(), rows.size() * sizeof(int64_t), cudaMemcpyHostToDevice), "cudaMemcpy");
  compare_rows(f, device_rows.get(), int(rows.size()), device_errors.get());
  std::vector<RowError> errors(rows.size());
  must(cudaMemcpy(errors.data(), device_errors.get(), errors.size() * sizeof(RowError), cudaMemcpyDeviceToHost),
       "cudaMemcpy");

  const bool half = c.element == Element::Half;
  const double row_limit = half ? 2e-3 : 1.6e-2, whole_limit = half ? 1e-3 : 8e-3;
  // Where standard attention stores S in 16 bits, half a unit in the last place of a score moves L by as much.
  const bool rounded_scores = kernel == Method::Standard && !f.wide_scores;
  const double stored_score = rounded_scores ? (half ? 0x1p-11 : 0x1p-8) : 0;
  double error2 = 0, reference2 = 0;
  for (size_t k = 0; k < errors.size(); ++k) {
    const RowError& e = errors[k];
    const std::string where =
        " of head " + std::to_string(rows[k] / f.n_q) + ", row " + std::to_string(rows[k] % f.n_q);
    const bool empty = e.reference_lse == -INFINITY;
    const double row = empty ? 0 : std::sqrt(e.error2 / e.reference2);
    if (empty ? e.error2 != 0 : !(row <= row_limit)) return "relative error " + std::to_string(row) + where;
    const double lse = empty ? 0 : std::abs(e.lse - e.reference_lse) / std::max(1.0, std::abs(e.reference_lse));
    if (empty ? e.lse != -INFINITY : !(lse <= 1e-4 + stored_score * e.largest_score))
      return "L = " + std::to_string(e.lse) + where;
    worst.row = std::max(worst.row, row);
    worst.lse = std::max(worst.lse, lse);
    error2 += e.error2;
    reference2 += e.reference2;
  }
  const double whole = reference2 > 0 ? std::sqrt(error2 / reference2) : 0;
  if (!(whole <= whole_limit)) return "relative error " + std::to_string(whole) + " over all rows";
  worst.whole = std::max(worst.whole, whole);
  return "";
}

// Whether a multiprocessor holds as many thread blocks as the table of shapes says; the table is of 9.0's.
int resident_faults(Method kernel) {
  int faults = 0, major = 0;
  must(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "cudaDeviceGetAttribute");
  for (int d : {64, 96, 128, 256}) {
    if (padded_d(kernel, d) != d) continue;
    Setup setup({1, 1, 256, 256, d, false, Element::Half, Values::Normal, 1}, kernel);
    const char* why = "";
    int blocks = 0;
    if (!prepare(kernel, setup.f, &why)) continue;
    must(resident_blocks(kernel, setup.f, &blocks), "resident_blocks");
    if (major != 9 || blocks == 0 || blocks == kernel_shape(kernel, d).resident) continue;
    std::printf("%-9s d %d: a multiprocessor holds %d thread blocks, and the table says %d\n", key_of(kernel), d,
                blocks, kernel_shape(kernel, d).resident);
    ++faults;
  }
  return faults;
}

int check(const Options& options) {
  int faults = 0, run = 0;
  for (const Subject& subject : subjects(options)) {
    const Method kernel = subject.kernel;
    const std::vector<Case> cases = cases_of(options, kernel);
    const char *why = "", *const name = subject.name.c_str();
    Setup probe({}, kernel);
    probe.f.with = subject.with;
    if (!prepare(kernel, probe.f, &why)) {
      std::printf("%-9s not run: %s\n", name, why);
      continue;
    }
    ++run;
    Worst half, bfloat;
    int wrong = options.switches ? 0 : resident_faults(kernel), traced = 0;
    for (const Case& c : cases) {
      const std::string fault = fault_of(subject, c, c.element == Element::Half ? half : bfloat);
      if (fault.empty()) continue;
      if (++wrong <= 10) std::printf("%-9s %s: %s\n", name, words(c).c_str(), fault.c_str());
    }
    if (!options.switches && lanes_of(kernel, 64) > 0) {
      std::vector<Case> small = small_sweep(options.small && is_scalar(kernel));
      if (takes_any_width(kernel)) std::ranges::copy(small_width_sweep(), std::back_inserter(small));
      for (const Case& c : small) {
        ++traced;
        const std::string fault = trace_fault(kernel, c);
        if (fault.empty()) continue;
        if (++wrong <= 10) std::printf("%-9s traced, %s: %s\n", key_of(kernel), words(c).c_str(), fault.c_str());
      }
    }
    std::printf(
        "%-9s %zu problems, %d traced: %d wrong; largest relative error of a row, of O, of L: "
        "fp16 %.1e %.1e %.1e, bf16 %.1e %.1e %.1e\n",
        name, cases.size(), traced, wrong, half.row, half.whole, half.lse, bfloat.row, bfloat.whole, bfloat.lse);
    faults += wrong;
  }
  return run == 0 ? 77 : faults == 0 ? 0 : 1;
}

int time(const Options& options) {
  const std::vector<Subject> all = subjects(options);
  std::printf("   N   d mask   TFLOP/s:");
  for (const Subject& subject : all) std::printf(" %9s", subject.name.c_str());
  std::printf("\n");
  for (const Cell& cell : timing_cells(options.n, options.d)) {
    std::vector<std::unique_ptr<Setup>> setups;
    std::vector<Contender> contenders;
    for (const Subject& subject : all) {
      const char* why = "";
      const Case c{cell.batch(), cell.heads(), cell.n, cell.n, cell.d, cell.causal, Element::Half, Values::Normal, 1};
      const bool same = !setups.empty() && setups.back()->f.d == padded_d(subject.kernel, cell.d);
      if (!same) setups.push_back(std::make_unique<Setup>(c, subject.kernel));
      Setup& setup = *setups.back();
      setup.make_ready_for(subject.kernel);
      const auto launched = [&setup, subject] {
        setup.f.with = subject.with;
        return launch(subject.kernel, setup.f, nullptr);
      };
      setup.f.with = subject.with;
      if (!prepare(subject.kernel, setup.f, &why)) return std::printf("%s: %s\n", subject.name.c_str(), why), 1;
      contenders.push_back({subject.name, [launched] { must(launched(), "launch"); }});
    }
    const std::vector<Times> times = time_in_turns(contenders);
    std::printf("%5d %3d %-6s         ", cell.n, cell.d, cell.causal ? "causal" : "full");
    for (size_t k = 0; k < times.size(); ++k)
      std::printf(" %*.1f", std::max(9, int(all[k].name.size())), cell.tflops(times[k].median));
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace tilewalk::gpu::check

int main(int argc, char** argv) {
  using namespace tilewalk::gpu::check;
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(
        stderr,
        "usage: kernel_check [--kernel NAME,...] [--switches] [--groups] [--only NAME] [--small] [--list] [--time [--n "
        "N] [--d D]]\n");
    return 2;
  }
  if (options.list) {
    for (const Case& c : cases_of(options, options.kernels.front())) std::printf("%s\n", words(c).c_str());
    return 0;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("kernel_check: there is no NVIDIA GPU here\n");
    return 77;
  }
  return options.time ? time(options) : check(options);
}
