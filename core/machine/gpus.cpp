// The catalogue of GPUs, read from assets/gpus.toml. See gpus.h.
#include "core/machine/gpus.h"

#include "core/io/data_entry.h"
#include "core/io/embedded.h"
#include "core/io/printable.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::string_view kCatalogue = "assets/gpus.toml";
constexpr double kKibi = 1024, kMebi = 1024 * 1024;

// What `unverified` may name: the fields and the three rates that follow from the clock.
constexpr std::array<std::string_view, 15> kFields = {
    "tensor_rate",    "fp8_rate", "mma_sync_rate", "dram_rate", "dram_bytes", "l2_bytes", "sms",      "smem_per_sm",
    "smem_per_block", "clock",    "sram_rate",     "exp_rate",  "cc",         "l2_rate",  "fp32_rate"};

GpuSpec gpu_of(DataEntry& entry) {
  GpuSpec gpu;
  gpu.id = entry.text("id");
  gpu.title = entry.text("title");
  gpu.cc = int(std::lround(10 * entry.number("cc", 0, 99)));
  gpu.tensor_rate = 1e12 * entry.number("tensor_tflops", 0.1, 1e6);
  gpu.fp8_rate = 1e12 * entry.number_or("fp8_tflops", 0.1, 1e6, 0);
  gpu.mma_rate = 1e12 * entry.number_or("mma_sync_tflops", 0.1, 1e6, 0);
  if (gpu.mma_rate > gpu.tensor_rate) entry.fault("mma_sync_tflops is more than tensor_tflops.");
  gpu.dram_rate = 1e9 * entry.number("dram_gb_s", 1, 1e6);
  gpu.dram_bytes = 1e9 * entry.number("dram_gb", 0.1, 1e5);
  gpu.l2_bytes = kMebi * entry.number("l2_mib", 0.1, 1e5);
  gpu.l2_rate = 1e9 * entry.number_or("l2_gb_s", 1, 1e6, 0);
  const auto whole = [&](std::string_view key, double value) {
    if (value != std::floor(value)) entry.fault(std::string(key) + " is not a whole number.");
    return int(value);
  };
  gpu.sms = whole("sms", entry.number("sms", 1, 1e5));
  gpu.smem_per_sm = kKibi * entry.number("smem_kib", 1, 1e5);
  gpu.smem_per_block = kKibi * entry.number("smem_block_kib", 1, 1e5);
  if (gpu.smem_per_block > gpu.smem_per_sm) entry.fault("smem_block_kib is more than smem_kib.");
  gpu.clock = 1e6 * entry.number("clock_mhz", 1, 1e5);
  gpu.exponentials = whole("exp_per_clock", entry.number_or("exp_per_clock", 1, 4096, gpu.exponentials));
  gpu.lanes = whole("fp32_lanes", entry.number_or("fp32_lanes", 1, 4096, 0));
  gpu.unverified = entry.texts("unverified");
  for (const std::string& field : gpu.unverified)
    if (std::find(kFields.begin(), kFields.end(), field) == kFields.end())
      entry.fault("unverified names " + in_quotes(field) + ", which is no field.");
  gpu.source = entry.text("source");
  return gpu;
}

}  // namespace

double GpuSpec::mma_sync_rate() const {
  if (mma_rate > 0) return mma_rate;
  return mma_sync_differs() ? std::min(tensor_rate, double(sms) * kHopperMmaSync * clock) : tensor_rate;
}

std::vector<GpuSpec> read_gpus(std::string_view toml, std::string_view file, std::vector<std::string>& faults) {
  std::vector<GpuSpec> gpus;
  for_each_entry(toml, file, {"gpu"}, faults, [&](std::string_view, const toml::table& table) {
    DataEntry entry(table, file, "[[gpu]] " + printable(table["id"].value_or(std::string_view("without id"))), faults);
    GpuSpec gpu = gpu_of(entry);
    if (std::any_of(gpus.begin(), gpus.end(), [&](const GpuSpec& other) { return other.id == gpu.id; }))
      entry.fault("the id is taken by an entry before.");
    if (entry.finish()) gpus.push_back(std::move(gpu));
  });
  return gpus;
}

std::span<const GpuSpec> gpus() {
  static const std::vector<GpuSpec> catalogue = [] {
    std::vector<std::string> faults;  // of our own file: a test says that there are none
    return read_gpus(embedded_file(kCatalogue), kCatalogue, faults);
  }();
  return catalogue;
}

const GpuSpec* gpu_named(std::string_view id) {
  for (const GpuSpec& gpu : gpus())
    if (gpu.id == id) return &gpu;
  return nullptr;
}

}  // namespace tilewalk
