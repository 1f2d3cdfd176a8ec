// Are the gradients right? As checker.h holds O and L, this holds sampled rows of dQ, dK and dV against float64,
// computed on the GPU by kernels that share nothing with those under test.
#pragma once

#include "core/run/run.h"
#include "kernels/worker/buffer.h"
#include "kernels/worker/device_inputs.h"

namespace tilewalk::gpu {

class GradientChecker {
 public:
  // The reference of the sampled rows; kept until forget() or another problem. d_o: [heads, n_q, padded d]. Throws
  // CudaError.
  void prepare(const Problem& problem, const DeviceInputs& inputs, const void* d_o);
  void forget() { made_ = false; }

  // Overwrites dQ, dK and dV with NaN, so that what is not written shows.
  void poison(const Request& request) const;
  // `passed` is false also where any element, sampled or not, is NaN. Errors::worst_row and ::whole are the largest of
  // the three gradients, ::rows those of dQ; a row is measured by what a relative error of one in each P and dS would
  // make of it, since dS = P (dP - D) may cancel to nothing; in fp16 what is under 2^-14 is rounded as
  // that is. Throws CudaError.
  Errors compare(const Request& request) const;

  size_t held() const;
  static size_t bytes(const Problem& problem);

 private:
  // Sampled rows of dQ; of dK and dV the same keys.
  struct Reference {
    Buffer rows, gradient, scale2;  // int64 [samples], double [samples, padded d], double [samples]
    int64_t samples = 0;
  };
  Problem problem_;
  bool made_ = false;
  Reference dq_, dk_, dv_;
};

}  // namespace tilewalk::gpu
