#include "core/run/chip_limits.h"

#include "core/machine/gpus.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr double kOverclocked = 1.35;  // what is sold, and what its owner makes of it, over the catalogue's clock
constexpr double kMisread = 1.1;       // of a clock that was counted
constexpr double kFasterMemory = 1.25;
// From tensor cores' beginnings on a multiprocessor does as much; GeForce's half of it with fp32 sums is no wall, since
// the same chip is sold with all of it. Nor is the memory of the slowest card of a capability that of the fastest.
constexpr double kLeastPerClock = 1024, kLeastMemory = 1e12;
constexpr double kUnknown = 4;          // of a generation that the catalogue lacks, over the best that it has
constexpr double kL2BytesAClock = 128;  // into one multiprocessor: twice what any is known to take
constexpr int kMostSms = 1024;

struct Best {
  double per_clock = 0, clock = 0, dram = 0;  // FLOP a clock and SM, Hz, byte/s
  void take(const GpuSpec& gpu) {
    if (gpu.sms > 0 && gpu.clock > 0) per_clock = std::max(per_clock, gpu.tensor_rate / (gpu.sms * gpu.clock));
    clock = std::max(clock, gpu.clock);
    dram = std::max(dram, gpu.dram_rate);
  }
};

}  // namespace

ChipLimits chip_limits(const Provenance& gpu, double clock) {
  Best own, all;
  for (const GpuSpec& each : gpus()) {
    all.take(each);
    if (each.cc == 10 * gpu.major + gpu.minor) own.take(each);
  }
  ChipLimits out;
  if (own.per_clock <= 0) own = {kUnknown * all.per_clock, all.clock, kUnknown * all.dram};
  out.clock = kOverclocked * own.clock * 1e-6;
  if (clock > 0) out.clock = std::min(out.clock, kMisread * clock);
  const int sms = gpu.multiprocessors > 0 ? std::min(gpu.multiprocessors, kMostSms) : kMostSms;
  out.sm_clocks = sms * out.clock * 1e6;
  out.flop = out.sm_clocks * std::max(own.per_clock, kLeastPerClock);
  out.dram = kFasterMemory * std::max(own.dram, kLeastMemory);
  out.l2 = out.sm_clocks * kL2BytesAClock;
  return out;
}

}  // namespace tilewalk
