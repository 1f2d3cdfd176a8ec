#include "app/gpu/diagnostics.h"

#include <fmt/format.h>

#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, kGpuStateCount> kStates{
    "looking for a worker",    "no worker", "no driver",     "no GPU",     "driver too old",
    "not enough memory",       "busy",      "ready",         "running",    "result",
    "result without counters", "failed",    "ready, remote", "remote lost"};

std::string version(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

}  // namespace

std::string words_of(GpuState state) { return std::string(kStates[size_t(state)]); }

std::string_view program_version() { return TILEWALK_VERSION; }

std::string gpu_diagnostics(const GpuStatus& status) {
  std::string out = fmt::format("Tilewalk {}\nGPU worker: {}\n", TILEWALK_VERSION, kStates[size_t(status.state)]);
  for (const std::string& words : {status.what, status.remedy})
    if (!words.empty()) out += fmt::format("  {}\n", words);
  if (const auto& hello = status.hello) {
    const Provenance& gpu = hello->gpu;
    out += fmt::format("Worker {}, protocol {}, answered in {:.2f} s{}\n", hello->program, hello->protocol,
                       status.answer_seconds, status.remote ? ", in another computer" : "");
    if (!hello->reason.empty()) out += fmt::format("  {}\n", hello->reason);
    if (!gpu.gpu.empty())
      out += fmt::format("{}, compute capability {}.{}, {} multiprocessors, {:.1f} GB, {:.1f} GB free\n", gpu.gpu,
                         gpu.major, gpu.minor, gpu.multiprocessors, double(gpu.memory_bytes) / 1e9,
                         double(hello->memory_free) / 1e9);
    out += fmt::format("Driver {} for CUDA {}, worker built with CUDA {}\n",
                       gpu.driver_version.empty() ? "not known" : gpu.driver_version, version(gpu.driver),
                       version(gpu.cuda));
    for (const KernelOffer& offer : hello->kernels)
      out += fmt::format("  {}: {}\n", info_of(offer.kernel).kernel_name(),
                         offer.unavailable.empty() ? "runs" : offer.unavailable);
    out += fmt::format("Counters: {}\n", hello->no_counters.empty() ? "yes" : hello->no_counters);
  }
  if (status.result)
    for (const KernelResult& kernel : status.result->kernels)
      out += fmt::format("Last run, {}: {}\n", info_of(kernel.kernel).kernel_name(),
                         !kernel.refused.empty()       ? kernel.refused
                         : kernel.timing               ? fmt::format("{:.4f} ms", kernel.timing->median)
                         : !kernel.disbelieved.empty() ? "refused: " + kernel.disbelieved
                                                       : "no time");
  if (status.refused) {
    out += "Not shown as measured:\n";
    for (const std::string& why : status.refused->why) out += fmt::format("  {}\n", why);
    for (const KernelResult& kernel : status.refused->said.kernels)
      if (kernel.timing)
        out += fmt::format("  {} was said to take {:.4g} ms\n", info_of(kernel.kernel).kernel_name(),
                           kernel.timing->median);
  }
  if (!status.said.empty()) out += "The worker's last words:\n";
  for (const std::string& line : status.said) out += fmt::format("  {}\n", line);
  return out;
}

}  // namespace tilewalk
