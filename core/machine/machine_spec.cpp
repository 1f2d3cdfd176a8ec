#include "core/machine/machine_spec.h"

#include <array>

namespace tilewalk {
namespace {

constexpr int64_t kKiB = 1024, kMiB = 1024 * 1024;
constexpr std::string_view kArchTraits = "shared memory per block: NVIDIA CCCL arch traits; L2, SMs: vendor datasheets";

// Of the H200's L2, which its driver says is 60 MiB, `tilewalk-gpu l2` measured the build on 21 Nov 2026: 29 MiB of what
// all multiprocessors read stay, 28 MiB of what is written wait.
constexpr std::array<MachineSpec, 6> kMachines{{
    {"toy", "Toy chip", 1 * kKiB, 0, true, 64 * kKiB, 1, "made up, so that toy tiles fill it"},
    {"paper", "Paper's A100", 192 * kKiB, 0, true, 40 * kMiB, 108, "arXiv:2205.14135 section 2.1: M = 192 KB"},
    {"a100", "A100", 163 * kKiB, 256 * kKiB, false, 40 * kMiB, 108, kArchTraits},
    {"rtx4090", "RTX 4090", 99 * kKiB, 256 * kKiB, false, 72 * kMiB, 128, kArchTraits},
    {"h100", "H100 SXM", 227 * kKiB, 256 * kKiB, false, 50 * kMiB, 132, kArchTraits},
    {"h200", "H200", 227 * kKiB, 256 * kKiB, false, 60 * kMiB, 132,
     "shared memory per block: NVIDIA CCCL arch traits; L2, SMs: the driver, and reads and writes measured",
     {2, 32, 28 * kMiB}},
}};

}  // namespace

std::span<const MachineSpec> machines() { return kMachines; }

const MachineSpec* machine_named(std::string_view id) {
  for (const MachineSpec& machine : kMachines)
    if (machine.id == id) return &machine;
  return nullptr;
}

const MachineSpec& default_machine() { return *machine_named("h200"); }

}  // namespace tilewalk
