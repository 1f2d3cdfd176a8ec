// The problem of a ring on one GPU: what the ring's answer is held against, in float64 and in the same kernel's own
// numbers.
#pragma once

#include "kernels/ring/ring.h"
#include "kernels/worker/checker.h"
#include "kernels/worker/device.h"

namespace tilewalk::gpu {

// On GPU 0, beside its part of the ring. Throws CudaError.
class WholeProblem {
 public:
  WholeProblem(const Problem& problem, Method kernel);
  bool is_of(const Problem& problem, Method kernel) const { return problem == problem_ && kernel == kernel_; }
  uint64_t hash() const { return inputs_.hash(); }

  // One ring, all that it writes overwritten before, against float64.
  Errors check(Ring& ring);
  // The kernel on this GPU alone, and how far the ring's answer that was checked last is from its.
  RingAlone alone(const Gpu& gpu, bool timed);

  static size_t bytes(const Problem& problem);

 private:
  void run_alone(const Gpu& gpu, bool timed);

  Problem problem_;
  Method kernel_;
  DeviceInputs inputs_;
  Checker checker_;
  Buffer ring_o_, ring_lse_, o_, lse_;
  std::optional<RingAlone> alone_;
};

}  // namespace tilewalk::gpu
