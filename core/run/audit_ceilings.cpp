// The roofs that a worker or a file says it measured, against what the chip can do.
#include "core/machine/words.h"
#include "core/run/audit.h"
#include "core/run/ceilings.h"
#include "core/run/chip_limits.h"

#include <fmt/format.h>

namespace tilewalk {
namespace {

constexpr double kLeastRate = 1e6, kMostLaunchesASecond = 1e7;  // a second
// A clock and multiprocessor, twice what any does today but for shared memory's fixed banks.
constexpr double kSharedBytes = 128, kExponentials = 32, kFp32Flop = 512;

double most_of(CeilingId id, const ChipLimits& chip) {
  switch (id) {
    case CeilingId::DramCopy:
    case CeilingId::DramRead: return chip.dram;
    case CeilingId::L2Read: return chip.l2;
    case CeilingId::SharedRead: return kSharedBytes * chip.sm_clocks;
    case CeilingId::Wgmma:
    case CeilingId::MmaSync: return chip.flop;
    case CeilingId::Exponential: return kExponentials * chip.sm_clocks;
    case CeilingId::Fp32: return kFp32Flop * chip.sm_clocks;
    case CeilingId::Launch: return kMostLaunchesASecond;
  }
  return 0;
}

}  // namespace

std::vector<std::string> ceiling_faults(const Ceilings& said, const Provenance* hello) {
  std::vector<std::string> out;
  const Provenance& gpu = said.provenance;
  if (gpu.gpu.empty()) out.push_back("It is not said of which GPU these roofs are.");
  if (hello && (gpu.gpu != hello->gpu || gpu.major != hello->major || gpu.minor != hello->minor ||
                gpu.multiprocessors != hello->multiprocessors))
    out.push_back(fmt::format("The worker said hello from {} and measured the roofs of {}.", hello->gpu, gpu.gpu));
  for (const Ceiling& ceiling : said.ceilings) {
    const CeilingInfo& info = info_of(ceiling.id);
    if (said.find(ceiling.id) != &ceiling) out.push_back(fmt::format("The roof \"{}\" is there twice.", info.key));
    for (const std::optional<CeilingRate>* rate : {&ceiling.rested, &ceiling.sustained}) {
      if (!*rate) continue;
      const CeilingRate& r = **rate;
      const double most = most_of(ceiling.id, chip_limits(gpu, r.clock));
      const double least = info.unit == CeilingUnit::Launches ? 1 : kLeastRate;
      if (!(r.p10 >= least && r.p10 <= r.median && r.median <= r.p90 && r.p90 <= most)) {
        out.push_back(
            fmt::format("The roof \"{}\" of {:.4g} a second, from {:.4g} to {:.4g}, is none that {} with {} "
                        "multiprocessors can have; at most {:.4g}.",
                        info.name, r.median, r.p10, r.p90, gpu.gpu, gpu.multiprocessors, most));
        break;
      }
    }
  }
  return out;
}

}  // namespace tilewalk
