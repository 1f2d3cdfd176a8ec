// Measures a ring: is its answer right, how long does it take, how much of the transfer is hidden, what went over the
// links.
#pragma once

#include "kernels/ring/ring.h"
#include "kernels/worker/device.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk::gpu {

class GpuLock;
class WholeProblem;

// Holds the ring's GPUs against other workers as long as it lives.
class RingLocks {
 public:
  RingLocks(const std::vector<Gpu>& gpus, int count);
  ~RingLocks();
  // Who else is on one of them, in words; empty: nobody that is known.
  const std::string& shared() const { return shared_; }

 private:
  std::vector<std::unique_ptr<GpuLock>> locks_;
  std::string shared_;
};

// Throws Refused with one sentence ("gpus", "problem", "memory", "nccl"), CudaError, or RingStopped, after which the
// process should end at once.
class RingMeter {
 public:
  RingMeter(std::vector<Gpu> gpus, RingSetup setup);
  ~RingMeter();
  RingMeter(const RingMeter&) = delete;

  // `said` is told what is done next.
  RingResult measure(const RingSpec& spec, const std::function<void(const std::string&)>& said);
  // The ring twice, everything that it writes overwritten before, against float64 and against one GPU, without times:
  // empty, or what is wrong.
  std::string fault(const RingSpec& spec);

 private:
  WholeProblem& whole_of(const RingSpec& spec);

  std::vector<Gpu> gpus_;
  RingSetup setup_;
  std::unique_ptr<WholeProblem> whole_;
};

// What of a request cannot be carried out on these GPUs. Throws Refused.
void check_ring(const RingSpec& spec, const std::vector<Gpu>& gpus);

}  // namespace tilewalk::gpu
