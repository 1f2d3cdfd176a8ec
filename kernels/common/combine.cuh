// The combine step of kernels that cut the keys into splits: each split leaves O, divided by its own l, in fp32, and L.
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/forward.h"

namespace tilewalk::gpu {

constexpr int kCombineWarps = 4;
constexpr int kMostCombined = 128;  // splits

// Where the parts wait for the combine step: [splits, heads, d] and [splits, heads].
struct Parts {
  float *o, *lse;
  static Parts of(const Forward& f, int splits) {
    float* const o = static_cast<float*>(f.workspace);
    return {o, o + size_t(splits) * f.heads * f.d};
  }
};

// A warp a row. Every lane keeps up to kMostCombined / 32 of the row's L_s; each of its columns of O is a sum over
// splits.
template <class T, int D>
__global__ void __launch_bounds__(kCombineWarps * 32)
    combine_kernel(const Forward f, const int splits, const Parts parts) {
  constexpr int kColumns = D / 32;
  const int head = int(blockIdx.x) * kCombineWarps + int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  if (head >= f.heads) return;
  float weight[kMostCombined / 32], most = -INFINITY, sum = 0.f;
#pragma unroll
  for (int x = 0; x < kMostCombined / 32; ++x) {
    const int s = x * 32 + lane;
    weight[x] = s < splits ? parts.lse[size_t(s) * f.heads + head] : -INFINITY;
    most = fmaxf(most, weight[x]);
  }
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
#pragma unroll
  for (int x = 0; x < kMostCombined / 32; ++x) sum += weight[x] = exp2_approx((weight[x] - most) * kLog2E);
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);

  float o[kColumns] = {};
#pragma unroll
  for (int x = 0; x < kMostCombined / 32; ++x)
    for (int s = x * 32; s < min(splits, x * 32 + 32); ++s) {
      const float factor = __shfl_sync(~0u, weight[x], s - x * 32);
      const float* const from = parts.o + (size_t(s) * f.heads + head) * D + lane * kColumns;
#pragma unroll
      for (int c = 0; c < kColumns; c += 2) {
        const float2 two = *reinterpret_cast<const float2*>(from + c);
        o[c] = fmaf(factor, two.x, o[c]), o[c + 1] = fmaf(factor, two.y, o[c + 1]);
      }
    }
  const float inverse = 1.f / sum;
#pragma unroll
  for (int c = 0; c < kColumns; c += 2)
    static_cast<uint32_t*>(f.o)[(size_t(head) * D + lane * kColumns + c) / 2] =
        pack<T>(o[c] * inverse, o[c + 1] * inverse);
  if (lane == 0) f.lse[head] = most + __logf(sum);
}

}  // namespace tilewalk::gpu
