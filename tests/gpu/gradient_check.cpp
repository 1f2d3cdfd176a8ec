// Holds the backward kernels against float64 on the GPU, and times them: kernel_check's sibling.
//
//   gradient_check [--kernel fa2-backward[,...]]   the sweep; all backward kernels if none is named
//     --small                    a few small problems instead, for compute-sanitizer
//     --list                     the sweep's problems
//     --time [--n N] [--d D]     median TFLOP/s, 10 B H N^2 d, at B N = 16384, H d = 2048, fp16
// Leaves with 0 if all is right, 1 if not, 2 for words it does not know, 77 where there is no GPU for any of them.
#include "tests/gpu/cases.h"
#include "tests/gpu/gradients.h"
#include "tests/gpu/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tilewalk::gpu::check {
namespace {

constexpr Method kBackward[] = {Method::StandardBackward, Method::Fa2Backward, Method::Fa3Backward};
const char* backward_key(Method kernel) {
  return kernel == Method::StandardBackward ? "standard-backward"
         : kernel == Method::Fa2Backward    ? "fa2-backward"
                                            : "fa3-backward";
}

struct Options {
  std::vector<Method> kernels;
  bool small = false, list = false, time = false;
  int n = 0, d = 0;
};

bool parse(int argc, char** argv, Options& out) {
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    const bool more = k + 1 < argc;
    if (word == "--small") {
      out.small = true;
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
        const auto found = std::ranges::find(kBackward, key, backward_key);
        if (found == std::end(kBackward)) return false;
        out.kernels.push_back(*found);
      }
    } else {
      return false;
    }
  }
  if (out.kernels.empty()) out.kernels.assign(std::begin(kBackward), std::end(kBackward));
  return true;
}

// Largest errors met, of a row and of a tensor, for dQ, dK and dV.
struct Worst {
  double row[3] = {}, whole[3] = {};
};

struct Rows {
  std::vector<int64_t> on_host;
  DeviceArray<int64_t> on_device;
  // Every row of short heads, about every tenth of long ones: a stride that meets every residue of a tile.
  Rows(int64_t all, int n) {
    for (int64_t row = 0; row < all; row += n <= 320 ? 1 : 1 + int64_t((row * 2654435761u >> 7) % 19))
      on_host.push_back(row);
    on_device = device_array<int64_t>(on_host.size());
    must(cudaMemcpy(on_device.get(), on_host.data(), on_host.size() * sizeof(int64_t), cudaMemcpyHostToDevice),
         "cudaMemcpy");
  }
  int count() const { return int(on_host.size()); }
};

std::string judge(int gradient, bool half, const Rows& rows, int n, const GradientError* on_device, Worst& worst) {
  constexpr const char* kNames[] = {"dQ", "dK", "dV"};
  const double row_limit = half ? 2e-3 : 1.6e-2, whole_limit = half ? 1e-3 : 8e-3;
  std::vector<GradientError> errors(rows.on_host.size());
  must(cudaMemcpy(errors.data(), on_device, errors.size() * sizeof(GradientError), cudaMemcpyDeviceToHost),
       "cudaMemcpy");
  double error2 = 0, scale2 = 0;
  for (size_t k = 0; k < errors.size(); ++k) {
    const GradientError& e = errors[k];
    const double scale = std::sqrt(e.reference2 + e.scale2);
    const double row = scale > 0 ? std::sqrt(e.error2) / scale : e.error2 > 0 ? INFINITY : 0;
    if (!(row <= row_limit))
      return std::string(kNames[gradient]) + ": relative error " + std::to_string(row) + " of head " +
             std::to_string(rows.on_host[k] / n) + ", row " + std::to_string(rows.on_host[k] % n);
    worst.row[gradient] = std::max(worst.row[gradient], row);
    error2 += e.error2;
    scale2 += scale * scale;
  }
  const double whole = scale2 > 0 ? std::sqrt(error2 / scale2) : 0;
  if (!(whole <= whole_limit))
    return std::string(kNames[gradient]) + ": relative error " + std::to_string(whole) + " over all rows";
  worst.whole[gradient] = std::max(worst.whole[gradient], whole);
  return "";
}

// Empty if the kernel solves the problem, else what is wrong.
std::string fault_of(Method kernel, const Case& c, Worst& worst) {
  GradientSetup setup(c);
  setup.make_ready_for(kernel);
  const char* why = "";
  if (!prepare(kernel, setup.f, &why)) return why;
  must(make_ready(kernel, setup.f, nullptr), "the forward pass");
  setup.poison_gradients();
  // Twice: what a launch leaves behind must not disturb the next one.
  for (int time = 0; time < 2; ++time) {
    must(launch(kernel, setup.f, nullptr), "launch");
    must(cudaDeviceSynchronize(), words(c).c_str());
  }
  if (const int64_t left = setup.unwritten_gradients())
    return std::to_string(left) + " elements of dQ, dK and dV are NaN";
  if (!setup.gradient_margins_intact()) return "something was written behind dQ, dK or dV";

  const bool half = c.element == Element::Half;
  const Rows queries(setup.rows(), c.n_q), keys(setup.key_rows(), c.n_k);
  const auto dq = device_array<GradientError>(queries.on_host.size());
  const auto dk = device_array<GradientError>(keys.on_host.size()),
             dv = device_array<GradientError>(keys.on_host.size());
  compare_dq(setup, queries.on_device.get(), queries.count(), dq.get());
  compare_dk_dv(setup, keys.on_device.get(), keys.count(), dk.get(), dv.get());
  std::string fault = judge(0, half, queries, c.n_q, dq.get(), worst);
  if (fault.empty()) fault = judge(1, half, keys, c.n_k, dk.get(), worst);
  return fault.empty() ? judge(2, half, keys, c.n_k, dv.get(), worst) : fault;
}

int check(const Options& options) {
  int faults = 0, run = 0;
  const std::vector<Case> cases = options.small ? small_gradient_sweep() : gradient_sweep();
  for (Method kernel : options.kernels) {
    const char* why = "";
    if (GradientSetup probe({}); !prepare(kernel, probe.f, &why)) {
      std::printf("%-17s not run: %s\n", backward_key(kernel), why);
      continue;
    }
    ++run;
    Worst half, bfloat;
    int wrong = 0;
    for (const Case& c : cases) {
      const std::string fault = fault_of(kernel, c, c.element == Element::Half ? half : bfloat);
      if (fault.empty()) continue;
      if (++wrong <= 10) std::printf("%-17s %s: %s\n", backward_key(kernel), words(c).c_str(), fault.c_str());
    }
    std::printf("%-17s %zu problems: %d wrong; largest relative error of a row, of a tensor:", backward_key(kernel),
                cases.size(), wrong);
    for (const Worst& worst : {half, bfloat}) {
      std::printf(" %s", &worst == &half ? "" : "");
      for (int g = 0; g < 3; ++g) std::printf(" %.1e %.1e%s", worst.row[g], worst.whole[g], g < 2 ? "," : ";");
    }
    std::printf(" (dQ, dK, dV in fp16; in bf16)\n");
    faults += wrong;
  }
  return run == 0 ? 77 : faults == 0 ? 0 : 1;
}

int time(const Options& options) {
  std::printf("   N   d mask   TFLOP/s (ms):");
  for (Method kernel : options.kernels) std::printf(" %17s", backward_key(kernel));
  std::printf("\n");
  for (const Cell& cell : timing_cells(options.n)) {
    if ((options.d && cell.d != options.d) || (!options.n && cell.n != 1024 && cell.n != 4096 && cell.n != 16384))
      continue;
    GradientSetup setup(
        {cell.batch(), cell.heads(), cell.n, cell.n, cell.d, cell.causal, Element::Half, Values::Normal, 1});
    setup.make_ready_for(Method::Fa2);
    const char* why = "";
    if (!prepare(Method::Fa2, setup.f, &why)) return std::printf("%s\n", why), 1;
    must(launch(Method::Fa2, setup.f, nullptr), "O and L");
    std::vector<Contender> contenders;
    for (Method kernel : options.kernels) {
      setup.make_ready_for(kernel);
      if (!prepare(kernel, setup.f, &why)) return std::printf("%s: %s\n", backward_key(kernel), why), 1;
      must(make_ready(kernel, setup.f, nullptr), "the forward pass");
      contenders.push_back(
          {backward_key(kernel), [&setup, kernel] { must(launch(kernel, setup.f, nullptr), "launch"); }});
    }
    const std::vector<Times> times = time_in_turns(contenders, 10);
    std::printf("%5d %3d %-6s               ", cell.n, cell.d, cell.causal ? "causal" : "full");
    for (const Times& t : times) std::printf(" %7.1f (%7.3f)", 2.5 * cell.tflops(t.median), t.median);
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
    std::fprintf(stderr, "usage: gradient_check [--kernel NAME,...] [--small] [--list] [--time [--n N] [--d D]]\n");
    return 2;
  }
  if (options.list) {
    for (const Case& c : options.small ? small_gradient_sweep() : gradient_sweep())
      std::printf("%s\n", words(c).c_str());
    return 0;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("gradient_check: there is no NVIDIA GPU here\n");
    return 77;
  }
  return options.time ? time(options) : check(options);
}
