// What gradient_check does on the GPU besides running the kernels under test: O, L and the gradients in float64. As in
// device_arrays.h, pointers are device memory, and every function waits and leaves with a sentence where CUDA fails.
#pragma once

#include "tests/gpu/setup.h"

namespace tilewalk::gpu::check {

// A problem with dO, poisoned dQ, dK and dV with a margin behind each, and O and L of attention in float64, rounded as
// a kernel stores them.
class GradientSetup : public Setup {
 public:
  explicit GradientSetup(const Case& c);
  void poison_gradients();
  bool gradient_margins_intact();
  int64_t unwritten_gradients();  // NaNs left in dQ, dK and dV

  int64_t key_rows() const { return int64_t(f.heads) * f.n_k; }
  // [heads, n_q] in float64: L, D, and sqrt(sum of (dO O)^2), by which D is off where O is off by all of itself.
  DeviceArray<double> lse, d, d_size;

 private:
  DeviceArray<uint16_t> d_o_, dq_, dk_, dv_;
};

// One row of a gradient against float64 from the same inputs.
struct GradientError {
  double error2, reference2;  // squared norms of the difference and of the reference
  // What a relative error of one in each P and dS would make of the row, squared: dS = P (dP - D) may cancel to
  // nothing, and what is left of it is then rounding. In fp16 a number under 2^-14 is rounded as that one is.
  double scale2;
};
// rows[count] are head * n_q + row, or head * n_k + key. n_q and n_k are at most 6000.
void compare_dq(const GradientSetup& s, const int64_t* rows, int count, GradientError* errors);
void compare_dk_dv(const GradientSetup& s, const int64_t* keys, int count, GradientError* dk, GradientError* dv);

}  // namespace tilewalk::gpu::check
