// Is the answer right? Before any time is taken, O and L of sampled rows are compared with attention in float64,
// computed on the GPU by a kernel that shares nothing with those under test.
#pragma once

#include "core/run/run.h"
#include "kernels/worker/buffer.h"
#include "kernels/worker/device_inputs.h"

#include <optional>
#include <vector>

namespace tilewalk::gpu {

class Checker {
 public:
  // The reference of the sampled rows; kept until the problem or the inputs' values change. Throws CudaError.
  void prepare(const Problem& problem, const DeviceInputs& inputs);
  void forget() { made_ = false; }

  // Everywhere O is [heads, n_q, width], L [heads, n_q]. Overwrites both with NaN, so that what is not written shows.
  void poison(void* o, float* lse, int64_t width) const;
  // `passed` is false also where any element of O or L, sampled or not, is NaN. Throws CudaError.
  Errors compare(Method kernel, const void* o, const float* lse, int64_t width) const;

  // The first of the compared rows that is off by more than the limits of core/run/tolerance.h.
  std::optional<WrongRow> first_wrong(const void* o, const float* lse, int64_t width) const;

  size_t held() const { return rows_.bytes() + o_.bytes() + lse_.bytes() + widest_.bytes(); }
  static size_t bytes(const Problem& problem);

 private:
  Problem problem_;
  bool made_ = false;
  int64_t samples_ = 0, width_ = 0;  // of the reference; what lies beyond d is zero
  Buffer rows_;                      // int64 [samples]: head * n_q + row
  Buffer o_, lse_, widest_;          // double [samples, width], [samples], [samples]: the largest |s| of the row
};

}  // namespace tilewalk::gpu
