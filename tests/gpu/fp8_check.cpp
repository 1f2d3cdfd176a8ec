// Holds FA3 in e4m3 against float64 and times it.
//
//   fp8_check            problems of every shape, by each way of rounding; twice each, outputs and workspace poisoned
//     --small            a few of them, for compute-sanitizer
//     --errors           what each way of rounding costs, on inputs without and with outliers, N = 4096
//     --time [--n N]     median TFLOP/s at B N = 16384, H d = 2048, and of the rounding before it
// Leaves with 0 if all is right, 1 if not, 2 for words it does not know, 77 where it cannot run.
#include "core/attention/fp8.h"
#include "kernels/worker/method_reference.h"
#include "tests/gpu/cases.h"
#include "tests/gpu/timing.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace tilewalk::gpu::check {
namespace {

constexpr int kD = 128;

// Inputs of d <= 128 padded to it, poisoned outputs with a margin.
struct Fp8Setup {
  explicit Fp8Setup(const Case& c) {
    f.heads = c.batch * c.heads, f.n_q = c.n_q, f.n_k = c.n_k, f.d = kD;
    f.causal = c.causal, f.element = c.element, f.scale = 1 / std::sqrt(float(c.d));
    const size_t rows = size_t(f.heads) * size_t(f.n_q), keys = size_t(f.heads) * size_t(f.n_k);
    q = device_array<uint16_t>(rows * kD), k = device_array<uint16_t>(keys * kD), v = device_array<uint16_t>(keys * kD);
    o = device_array<uint16_t>(rows * kD + kMargin), lse = device_array<float>(rows + kMargin);
    fill(q.get(), c.element, f.heads, f.n_q, c.d, kD, c.values, 3 * c.seed);
    fill(k.get(), c.element, f.heads, f.n_k, c.d, kD, c.values, 3 * c.seed + 1);
    fill(v.get(), c.element, f.heads, f.n_k, c.d, kD, c.values, 3 * c.seed + 2);
    f.q = q.get(), f.k = k.get(), f.v = v.get(), f.o = o.get(), f.lse = lse.get();
    bytes = workspace_bytes_fa3_fp8(f);
    workspace = device_array<char>(bytes + kMargin);
    f.workspace = workspace.get();
    must(cudaMemset(f.workspace, 0xFF, bytes + kMargin), "poisoning the workspace");
    must(cudaMemset(f.o, 0xFF, (rows * kD + kMargin) * 2), "poisoning O");
    must(cudaMemset(f.lse, 0xFF, (rows + kMargin) * sizeof(float)), "poisoning L");
  }
  int64_t rows() const { return int64_t(f.heads) * f.n_q; }
  static bool intact(const void* margin, size_t size) {
    std::vector<unsigned char> bytes(size);
    must(cudaMemcpy(bytes.data(), margin, size, cudaMemcpyDeviceToHost), "reading a margin");
    for (unsigned char byte : bytes)
      if (byte != 0xFF) return false;
    return true;
  }
  bool margins_intact() const {
    return intact(o.get() + rows() * kD, kMargin * 2) && intact(lse.get() + rows(), kMargin * 4) &&
           intact(workspace.get() + bytes, kMargin);
  }
  void round(const Fp8Rounding& how) { must(round_to_fp8(f, how, nullptr), "rounding"); }
  void launch() { must(launch_fa3_fp8(f, nullptr), "launch"); }

  Request f;
  DeviceArray<uint16_t> q, k, v, o;
  DeviceArray<float> lse;
  DeviceArray<char> workspace;
  size_t bytes = 0;
};

struct Worst {
  double row = 0, whole = 0, lse = 0, cost = 0, dropped = 0;
};

std::vector<int64_t> some_rows(const Fp8Setup& setup, int64_t most) {
  std::vector<int64_t> rows;
  const int64_t all = setup.rows(), step = std::max<int64_t>(1, all / most);
  for (int64_t row = 0; row < all; row += step == 1 ? 1 : 1 + int64_t((row * 2654435761u >> 7) % (2 * step)))
    rows.push_back(row);
  return rows;
}

double whole_of(const std::vector<MethodGap>& errors) {
  double error2 = 0, reference2 = 0;
  for (const MethodGap& e : errors) error2 += e.difference, reference2 += e.reference;
  return reference2 > 0 ? std::sqrt(error2 / reference2) : 0;
}

std::string fault_of(const Case& c, const Fp8Rounding& how, Worst& worst) {
  Fp8Setup setup(c);
  const char* why = "";
  if (!prepare_fa3_fp8(setup.f, &why)) return why;
  for (int time = 0; time < 2; ++time) {
    setup.round(how);
    setup.launch();
    must(cudaDeviceSynchronize(), words(c).c_str());
  }
  if (const int64_t left = count_nan(setup.f.o, c.element, setup.rows() * kD))
    return std::to_string(left) + " elements of O are NaN";
  if (!setup.margins_intact()) return "something was written behind an output";
  const std::vector<int64_t> rows = some_rows(setup, 2000);
  const std::vector<MethodGap> gaps = compare_method_rows(setup.f, rows, true);
  const Errors errors = judge_method(Format::E4M3, gaps);
  if (!errors.passed)
    return "relative error of a row " + std::to_string(errors.worst_row) + ", of O " + std::to_string(errors.whole) +
           ", of L " + std::to_string(errors.lse);
  worst.row = std::max(worst.row, errors.worst_row), worst.whole = std::max(worst.whole, errors.whole);
  worst.lse = std::max(worst.lse, errors.lse);
  for (const MethodGap& gap : gaps)
    if (gap.widest > 0) worst.dropped = std::max(worst.dropped, std::abs(gap.lse - gap.lse_reference) / gap.widest);
  if (c.values == Values::Normal)
    worst.cost = std::max(worst.cost, whole_of(compare_method_rows(setup.f, rows, false)));
  return "";
}

Fp8Rounding rounding_of(const Fp8Method& method) { return {method.per_tile, method.incoherent, 1}; }

// Not where all products of a score have one sign: there the sum outgrows them, and what the tensor cores cut off
// (docs/measurements.md) is more than the limits allow eight bits.
std::vector<Case> cases(bool small) {
  std::vector<Case> all = small ? small_sweep() : sweep();
  std::erase_if(all, [&](const Case& c) { return c.d < 96 || c.values == Values::Below; });
  return all;
}

int check(bool small) {
  Worst worst;
  int faults = 0;
  const std::vector<Case> all = cases(small);
  for (size_t k = 0; k < all.size(); ++k) {
    const Fp8Method& method = fp8_methods()[k % 4];
    const std::string fault = fault_of(all[k], rounding_of(method), worst);
    if (!fault.empty() && ++faults <= 10)
      std::printf("%s, %s: %s\n", words(all[k]).c_str(), std::string(method.id).c_str(), fault.c_str());
  }
  std::printf(
      "fa3-fp8   %zu problems: %d wrong; on the rounded inputs largest relative error of a row, of O, of L: %.1e %.1e "
      "%.1e (%.1e of the products' sizes); of O on those before, without outliers: %.1e\n",
      all.size(), faults, worst.row, worst.whole, worst.lse, worst.dropped, worst.cost);
  return faults == 0 ? 0 : 1;
}

int errors() {
  std::printf("N = 4096, 8 heads, d = 128: error of O against float64 on the inputs before rounding\n");
  for (const Values values : {Values::Normal, Values::Outliers})
    for (const bool causal : {false, true})
      for (const Fp8Method& method : fp8_methods()) {
        Fp8Setup setup({1, 8, 4096, 4096, kD, causal, Element::Half, values, 7});
        const char* why = "";
        if (!prepare_fa3_fp8(setup.f, &why)) return std::printf("%s\n", why), 77;
        setup.round(rounding_of(method));
        setup.launch();
        must(cudaDeviceSynchronize(), "launch");
        const std::vector<int64_t> rows = some_rows(setup, 2000);
        const auto given = compare_method_rows(setup.f, rows, true), before = compare_method_rows(setup.f, rows, false);
        double error2 = 0, lse = 0;
        for (const MethodGap& e : before) {
          error2 += e.difference;
          lse = std::max(lse, std::abs(e.lse - e.lse_reference));
        }
        std::printf("%-8s %-6s %-32s RMSE %.3e  relative %.3e  L off by %.1e; on rounded inputs relative %.3e\n",
                    values == Values::Normal ? "normal" : "outliers", causal ? "causal" : "full",
                    std::string(method.name).c_str(), std::sqrt(error2 / double(rows.size() * kD)), whole_of(before),
                    lse, whole_of(given));
      }
  return 0;
}

int time(int only_n) {
  std::printf("   N   d mask   TFLOP/s   best | rounding us\n");
  for (const Cell& cell : timing_cells(only_n)) {
    if (cell.d != kD) continue;
    Fp8Setup setup({cell.batch(), cell.heads(), cell.n, cell.n, kD, cell.causal, Element::Half, Values::Normal, 1});
    const char* why = "";
    if (!prepare_fa3_fp8(setup.f, &why)) return std::printf("%s\n", why), 77;
    setup.round({});
    const auto times = time_in_turns({{"fa3-fp8", [&] { setup.launch(); }}, {"rounding", [&] { setup.round({}); }}});
    std::printf("%5d %3d %-6s %8.1f %8.1f | %.1f\n", cell.n, kD, cell.causal ? "causal" : "full",
                cell.tflops(times[0].median), cell.tflops(times[0].best), times[1].median * 1e3);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace tilewalk::gpu::check

int main(int argc, char** argv) {
  using namespace tilewalk::gpu::check;
  std::string_view what = argc > 1 ? argv[1] : "";
  const int n = argc > 3 && std::string_view(argv[2]) == "--n" ? std::atoi(argv[3]) : 0;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return std::printf("fp8_check: there is no NVIDIA GPU here\n"), 77;
  if (what.empty() || what == "--small") return check(what == "--small");
  if (what == "--errors") return errors();
  if (what == "--time") return time(n);
  std::fprintf(stderr, "usage: fp8_check [--small | --errors | --time [--n N]]\n");
  return 2;
}
