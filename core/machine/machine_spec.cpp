#include "core/machine/machine_spec.h"

#include "core/machine/gpus.h"

#include <vector>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr int64_t kKiB = 1024, kMiB = 1024 * 1024;

MachineSpec named(std::string_view id, std::string_view title, std::string_view gpu) {
  MachineSpec machine = machine_of(*gpu_named(gpu));
  machine.id = id;
  machine.title = title;
  machine.source = "shared memory per block: NVIDIA CCCL arch traits; L2, SMs: vendor datasheets";
  return machine;
}

MachineSpec paper() {
  MachineSpec machine = named("paper", "Paper's A100", "a100-40");
  machine.sram_bytes = 192 * kKiB;
  machine.register_bytes = 0;
  machine.o_in_sram = true;
  machine.source = "arXiv:2205.14135 section 2.1: M = 192 KB";
  return machine;
}

// The catalogue keeps the 50 MiB of L2 that are published, the machine has the 60 MiB that the driver says: it is held
// against runs on that GPU. Of them `tilewalk-gpu l2` measured the build on 21 Nov 2026: 29 MiB of what all
// multiprocessors read stay, 28 MiB of what is written wait. How many chunks a set has is fitted
// (docs/measurements.md).
MachineSpec h200() {
  MachineSpec machine = named("h200", "H200", "h200");
  machine.l2_bytes = 60 * kMiB;
  machine.l2 = {2, 20, 28 * kMiB};
  machine.source =
      "shared memory per block: NVIDIA CCCL arch traits; L2, SMs: the driver, and reads and writes measured";
  return machine;
}

}  // namespace

MachineSpec machine_of(const GpuSpec& gpu) {
  constexpr int64_t kRegisterFile = 64 * kKiB * 4;  // 64 K registers of 32 bits in every multiprocessor
  return {gpu.id,  gpu.title, int64_t(gpu.smem_per_block), kRegisterFile, false, int64_t(gpu.l2_bytes),
          gpu.sms, gpu.source};
}

std::span<const MachineSpec> machines() {
  static const std::vector<MachineSpec> all{
      {"toy", "Toy chip", 1 * kKiB, 0, true, 64 * kKiB, 1, "made up, so that toy tiles fill it"},
      paper(),
      named("a100", "A100", "a100-80"),
      named("rtx4090", "RTX 4090", "rtx4090"),
      named("h100", "H100 SXM", "h100"),
      h200(),
  };
  return all;
}

const MachineSpec* machine_named(std::string_view id) {
  for (const MachineSpec& machine : machines())
    if (machine.id == id) return &machine;
  return nullptr;
}

const MachineSpec& default_machine() {
  static const MachineSpec& h200 = *machine_named("h200");
  return h200;
}

int registers_of_thread(const MachineSpec& machine, int threads, bool loads_apart) {
  constexpr int kMost = 255, kLoaders = 128, kOfLoader = 24, kUnit = 8;
  if (machine.register_bytes == 0) return kMost;
  const int64_t shared = machine.register_bytes / 4 - (loads_apart ? kLoaders * kOfLoader : 0);
  return int(std::min<int64_t>(kMost, shared / threads / kUnit * kUnit));
}

}  // namespace tilewalk
