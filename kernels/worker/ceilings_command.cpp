#include "core/io/file.h"
#include "kernels/worker/ceiling_meter.h"
#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/runner.h"

#include <fmt/format.h>

#include <cstdio>

namespace tilewalk::gpu {
namespace {

std::string rate_words(CeilingUnit unit, double rate) {
  switch (unit) {
    case CeilingUnit::Bytes: return fmt::format("{:.3f} TB/s", rate / 1e12);
    case CeilingUnit::Flop: return fmt::format("{:.1f} TFLOP/s", rate / 1e12);
    case CeilingUnit::Exponentials: return fmt::format("{:.3f} Texp/s", rate / 1e12);
    case CeilingUnit::Launches: return fmt::format("{:.3f} µs each", 1e6 / rate);
  }
  return {};
}

void print_words(const Ceilings& measured) {
  const Provenance& gpu = measured.provenance;
  fmt::print("{}, driver {}, {}\n{}{}", gpu.gpu, gpu.driver_version, gpu.date, gpu.note, gpu.note.empty() ? "" : "\n");
  fmt::print("\n{:<26} {:<9}  {:>15}  {:>13}  {:>13}  {:>4}  {:>5}  {:>9}\n", "measured", "", "median", "p10", "p90",
             "n", "MHz", "clk/SM");
  for (const Ceiling& ceiling : measured.ceilings) {
    const CeilingInfo& info = info_of(ceiling.id);
    if (!ceiling.unavailable.empty()) fmt::print("{:<26} {}\n", info.name, ceiling.unavailable);
    for (const auto& [how, rate] : {std::pair("rested", &ceiling.rested), {"sustained", &ceiling.sustained}})
      if (*rate)
        fmt::print("{:<26} {:<9}  {:>15}  {:>13.4e}  {:>13.4e}  {:>4}  {:>5.0f}  {:>9}\n",
                   rate == &ceiling.rested ? info.name : "", how, rate_words(info.unit, (*rate)->median), (*rate)->p10,
                   (*rate)->p90, (*rate)->count, (*rate)->clock,
                   info.unit == CeilingUnit::Launches ? "-" : fmt::format("{:.2f}", per_clock(**rate, gpu)));
  }
  fmt::print(
      "\nThe last column is bytes, FLOP or exponentials a clock and multiprocessor. Rested: bursts of 10 ms with 10\n"
      "ms between, as the kernels are timed; sustained: without a rest, after half a second. Launches are of a kernel\n"
      "that does nothing: rested each between two events, sustained one behind the other.\n");
}

}  // namespace

int ceilings_command(const std::filesystem::path& file, bool anyway, bool json) {
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) return fail("ceilings", kNoGpu, found.reason);
  try {
    Runner runner(found.gpus.front());
    const auto said = [&](const Ceiling& ceiling, int, int) {
      if (!json) fmt::print(stderr, "{}\n", info_of(ceiling.id).name);
    };
    const Ceilings measured = runner.ceilings(anyway, said, [] { return false; });
    if (!file.empty()) save_ceilings(file, measured);
    if (json)
      fmt::print("{}", ceilings_text(measured));
    else
      print_words(measured);
    return kOk;
  } catch (const Refused& refused) {
    return fail("ceilings", kFailure, refused.what());
  } catch (const CudaError& fault) {
    return fail("ceilings", kFailure, std::string(fault.what()) + ".");
  } catch (const IoError& error) {
    return fail("ceilings", kFailure, error.what());
  }
}

}  // namespace tilewalk::gpu
