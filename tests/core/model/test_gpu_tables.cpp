// Some GPUs stand in more than one table: the catalogue (what is published), the machines of the walk, the rates of the
// timing pass, and the recordings (what the driver said). Wherever two speak of the same figure they agree, or the
// difference is named here with its reason.
#include "core/machine/gpus.h"
#include "core/machine/machine_spec.h"
#include "core/run/shipped.h"
#include "core/timing/rates.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tilewalk::test_gpu_tables {

namespace {

// What differs, and why it may.
const std::map<std::string, const char*> kAllowed{
    {"machine paper: shared memory of a block", "the paper counts M = 192 KB, all of an SM's, L1 with it"},
    {"machine paper: registers", "the paper's model keeps S in registers without a limit"},
    {"machine h200: L2", "published are 50 MiB; the driver, and so the recordings, have 60"},
    {"recording: L2", "the same"},
};

// Tells of every figure that stands twice, and keeps the names of those that differ.
class Comparison {
 public:
  void same(const std::string& what, double catalogue, double other, double tolerance = 0) {
    CAPTURE(what);
    CAPTURE(catalogue);
    CAPTURE(other);
    ++figures;
    const bool differs = !(std::abs(other - catalogue) <= tolerance * catalogue);
    if (differs) ++met[what];
    CHECK(differs == kAllowed.contains(what));
  }
  int figures = 0;
  std::map<std::string, int> met;
};

// A machine of the walk, and the GPU that it is; the made-up one is none.
const GpuSpec* gpu_of(const MachineSpec& machine) {
  static const std::map<std::string_view, const char*> ids{
      {"paper", "a100-40"}, {"a100", "a100-80"}, {"rtx4090", "rtx4090"}, {"h100", "h100"}, {"h200", "h200"}};
  const auto at = ids.find(machine.id);
  return at == ids.end() ? nullptr : gpu_named(at->second);
}

double a_clock(double rate, const GpuSpec& gpu) { return rate / (gpu.sms * gpu.clock); }

}  // namespace

TEST_CASE("a GPU that stands in two tables has the same figures in both, or the reason is known") {
  Comparison compare;
  for (const MachineSpec& machine : machines()) {
    const std::string name = "machine " + std::string(machine.id) + ": ";
    CAPTURE(name);
    const GpuSpec* gpu = gpu_of(machine);
    CHECK((gpu == nullptr) == (machine.id == "toy"));
    const auto rates = with_vector_unit(machine, Format::Float16);
    CHECK(rates.has_value() == (gpu != nullptr && machine.id != "rtx4090"));  // whose L2's rate nobody publishes
    if (!gpu) continue;
    compare.same(name + "multiprocessors", gpu->sms, machine.multiprocessors);
    compare.same(name + "shared memory of a block", gpu->smem_per_block, double(machine.sram_bytes));
    compare.same(name + "registers", 64 * 1024 * 4, double(machine.register_bytes));
    compare.same(name + "L2", gpu->l2_bytes, double(machine.l2_bytes));
    if (!rates) continue;
    compare.same(name + "tensor rate", a_clock(gpu->tensor_rate, *gpu), double(rates->tensor_flop), 0.001);
    compare.same(name + "exponentials", a_clock(gpu->exp_rate(), *gpu), double(rates->exponentials));
    compare.same(name + "fp32 lanes", gpu->fp32_lanes(), double(rates->vector));
    compare.same(name + "L2 to SM", std::floor(a_clock(gpu->l2_rate, *gpu)), double(rates->copy_bytes));
    const auto fp8 = rates_of(machine, Format::E4M3);
    CHECK(fp8.has_value() == (gpu->fp8_rate > 0));
    if (fp8) compare.same(name + "fp8 rate", a_clock(gpu->fp8_rate, *gpu), double(fp8->tensor_flop), 0.001);
  }

  const GpuSpec& h200 = *gpu_named("h200");
  const MachineSpec& machine = *machine_named("h200");
  for (const RunResult& run : shipped_recordings()) {
    const Provenance& gpu = run.provenance;
    REQUIRE(gpu.gpu == "NVIDIA H200");
    compare.same("recording: multiprocessors", h200.sms, gpu.multiprocessors);
    compare.same("recording: compute capability", h200.cc, 10 * gpu.major + gpu.minor);
    compare.same("recording: L2", h200.l2_bytes, double(gpu.l2_bytes));
    compare.same("recording: DRAM", h200.dram_bytes, double(gpu.memory_bytes), 0.005);
    CHECK(gpu.l2_bytes == machine.l2_bytes);
    CHECK(gpu.multiprocessors == machine.multiprocessors);
    if (gpu.l2_dirty > 0) CHECK(gpu.l2_dirty / (1024 * 1024) == machine.l2.dirty_bytes / (1024 * 1024));
  }
  CHECK(compare.figures > 40);
  for (const auto& [what, reason] : kAllowed) {
    CAPTURE(reason);
    CHECK_MESSAGE(compare.met[what] > 0, what, " no longer differs");
  }
}

TEST_CASE("the two A100s differ in their memory alone") {
  const GpuSpec &small = *gpu_named("a100-40"), &large = *gpu_named("a100-80");
  CHECK(small.dram_bytes < large.dram_bytes);
  CHECK(small.dram_rate < large.dram_rate);
  GpuSpec same = small;
  same.dram_bytes = large.dram_bytes, same.dram_rate = large.dram_rate;
  const auto rest = [](const GpuSpec& g) {
    return std::tuple(g.cc, g.tensor_rate, g.fp8_rate, g.dram_bytes, g.dram_rate, g.l2_bytes, g.l2_rate, g.sms,
                      g.smem_per_sm, g.smem_per_block, g.clock);
  };
  CHECK(rest(same) == rest(large));
}

}  // namespace tilewalk::test_gpu_tables
