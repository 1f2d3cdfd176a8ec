#include "kernels/worker/info.h"

#include "core/run/json_values.h"
#include "kernels/worker/device.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/runner.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace tilewalk::gpu {
namespace {

struct Known {
  Found found;
  std::vector<KernelOffer> kernels;
  std::string no_counters;
  double busy = -1;
  int64_t memory_free = 0;
};

Known look() {
  Known known;
  known.found = find_gpus();
  if (known.found.trouble != GpuTrouble::None) return known;
  try {
    Runner runner(known.found.gpus.front());
    known.busy = runner.busy();
    known.kernels = offers(runner.gpu().what);
    known.no_counters = runner.traffic().unavailable();
    known.memory_free = Runner::memory_free();
  } catch (const CudaError& fault) {
    known.found.trouble = GpuTrouble::Other;
    known.found.reason = std::string(fault.what()) + ". nvidia-smi says more.";
  }
  return known;
}

void print_json(const Known& known) {
  Json gpus = Json::array(), offered = Json::array();
  for (const Gpu& gpu : known.found.gpus)
    gpus.push_back({{"name", gpu.what.gpu},
                    {"compute_capability", fmt::format("{}.{}", gpu.what.major, gpu.what.minor)},
                    {"multiprocessors", gpu.what.multiprocessors},
                    {"memory_bytes", gpu.what.memory_bytes},
                    {"l2_bytes", gpu.what.l2_bytes},
                    {"pci", gpu.pci}});
  for (const KernelOffer& offer : known.kernels) {
    Json row{{"kernel", info_of(offer.kernel).key}, {"runs", offer.unavailable.empty()}};
    if (!offer.unavailable.empty()) row["reason"] = offer.unavailable;
    offered.push_back(std::move(row));
  }
  Json out{{"program", TILEWALK_VERSION},
           {"cuda", version_words(CUDART_VERSION)},
           {"driver", version_words(known.found.driver)},
           {"driver_version", Nvml::driver_version()},
           {"trouble", json_value(known.found.trouble)}};
  if (!known.found.reason.empty()) out["reason"] = known.found.reason;
  out["gpus"] = std::move(gpus);
  if (known.found.trouble == GpuTrouble::None) {
    out["memory_free"] = known.memory_free;
    if (known.busy >= 0) out["busy"] = known.busy;
    out["kernels"] = std::move(offered);
    out["counters"] = {{"work", known.no_counters.empty()}};
    if (!known.no_counters.empty()) out["counters"]["reason"] = known.no_counters;
  }
  fmt::print("{}\n", out.dump(1));
}

void print_words(const Known& known) {
  const auto row = [](std::string_view label, std::string_view text) { fmt::print("{:<11}{}\n", label, text); };
  row("Program", fmt::format("tilewalk-gpu {}, built with CUDA {}", TILEWALK_VERSION, version_words(CUDART_VERSION)));
  const std::string version = Nvml::driver_version();
  row("Driver", known.found.driver ? fmt::format("{}supports CUDA {}", version.empty() ? "" : version + ", ",
                                                 version_words(known.found.driver))
                                   : std::string("none"));
  const char* label = "GPU";
  for (const Gpu& gpu : known.found.gpus) {
    const Provenance& p = gpu.what;
    row(label, fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.0f} GB, L2 {:.0f} MB", p.gpu, p.major,
                           p.minor, p.multiprocessors, double(p.memory_bytes) / 1e9, double(p.l2_bytes) / 1e6));
    label = "not used";
  }
  if (known.found.trouble != GpuTrouble::None) return;
  row("Memory", fmt::format("{:.1f} GB free", double(known.memory_free) / 1e9));
  row("Busy", known.busy < 0 ? std::string("not known") : fmt::format("{:.0f} %", known.busy * 100));
  label = "Kernels";
  for (const KernelOffer& offer : known.kernels) {
    row(label, fmt::format("{:<11}{}", info_of(offer.kernel).key,
                           offer.unavailable.empty() ? "yes" : "no: " + offer.unavailable));
    label = "";
  }
  row("Counters", known.no_counters.empty() ? "yes" : "no: " + known.no_counters);
}

}  // namespace

int info(bool json) {
  const Known known = look();
  if (json)
    print_json(known);
  else
    print_words(known);
  if (known.found.trouble == GpuTrouble::None) return kOk;
  fmt::print(stderr, "tilewalk-gpu info: {}\n", known.found.reason);
  return kNoGpu;
}

}  // namespace tilewalk::gpu
