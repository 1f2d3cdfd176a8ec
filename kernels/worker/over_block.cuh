// What the references in float64 share: 16-bit numbers as doubles, and the largest or the sum over a thread block.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu {

constexpr int kThreads = 256;  // of a block

__device__ inline double widened(__half x) { return __half2float(x); }
__device__ inline double widened(__nv_bfloat16 x) { return __bfloat162float(x); }

// Largest, or sum, over the block; every thread gets it.
__device__ inline double over_block(double value, bool largest) {
  __shared__ double all[kThreads];
  __syncthreads();
  all[threadIdx.x] = value;
  __syncthreads();
  for (int half = kThreads / 2; half; half /= 2) {
    if (int(threadIdx.x) < half) {
      const double a = all[threadIdx.x], b = all[threadIdx.x + half];
      all[threadIdx.x] = largest ? fmax(a, b) : a + b;
    }
    __syncthreads();
  }
  return all[0];
}

}  // namespace tilewalk::gpu
