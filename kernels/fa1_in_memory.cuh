// FA1: what of O, m and l waits in memory between two visits of a Q tile, and how it lies there.
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/forward.h"

namespace tilewalk::gpu {

// All fp32: m and l [heads, n_q], and before them O, [heads, Tr, Br, d]. A tile of O lies there as its lanes hold it:
// first the 16 rows of warp 0; of those first what every lane has of columns 0 to 15 in its upper row, four elements a
// lane, then the same of its lower row, then the next 16 columns. So a warp moves 512 bytes in one piece, 64 of each
// row; and rows past the end of Q stay away.
//
//   lane            0          1            2            3          4     ...
//   row: columns    0: 0 1 8 9   0: 2 3 10 11   0: 4 5 12 13   0: 6 7 14 15   1: 0 1 8 9 ...
struct InMemory {
  float *o, *m, *l;

  // Of one head.
  static __device__ InMemory of(const Forward& f, int head, int padded_rows) {
    float* const o = static_cast<float*>(f.workspace);
    float* const m = o + size_t(f.heads) * padded_rows * f.d;
    return {o + size_t(head) * padded_rows * f.d, m + size_t(head) * f.n_q, m + (size_t(f.heads) + head) * f.n_q};
  }

  // The warp's 16 rows of O, `first` the first of them; `row` is the lane's first. Past L1, since nobody else on this
  // multiprocessor wants them.
  template <int N>
  __device__ __forceinline__ void load_o(float (&o_rows)[N], int first, int row, int n_q) const {
    const float4* const from = reinterpret_cast<const float4*>(o + size_t(first) * 2 * N) + threadIdx.x % 32;
#pragma unroll
    for (int n = 0; n < N / 8; ++n)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        float4 four{0.f, 0.f, 0.f, 0.f};
        if (row + 8 * h < n_q) four = __ldcg(from + (2 * n + h) * 32);
        float* const to = o_rows + 8 * n + 2 * h;
        to[0] = four.x, to[1] = four.y, to[4] = four.z, to[5] = four.w;
      }
  }
  template <int N>
  __device__ __forceinline__ void store_o(const float (&o_rows)[N], int first, int row, int n_q) const {
    float4* const to = reinterpret_cast<float4*>(o + size_t(first) * 2 * N) + threadIdx.x % 32;
#pragma unroll
    for (int n = 0; n < N / 8; ++n)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const float* const from = o_rows + 8 * n + 2 * h;
        if (row + 8 * h < n_q) __stcg(to + (2 * n + h) * 32, make_float4(from[0], from[1], from[4], from[5]));
      }
  }
  // m and l of the whole row come to every lane of its quad. The first lane of the quad stored them: between two visits
  // of a Q tile its block has met at __syncthreads, which orders that store before this load.
  __device__ __forceinline__ void load_stats(RowStats& stats, int row, int n_q) const {
#pragma unroll
    for (int h = 0; h < 2; ++h)
      if (row + 8 * h < n_q) stats.m[h] = __ldcg(m + row + 8 * h), stats.l[h] = __ldcg(l + row + 8 * h);
  }
  __device__ __forceinline__ void store_stats(const RowStats& stats, int row, int n_q) const {
#pragma unroll
    for (int h = 0; h < 2; ++h)
      if (threadIdx.x % 4 == 0 && row + 8 * h < n_q)
        __stcg(m + row + 8 * h, stats.m[h]), __stcg(l + row + 8 * h, stats.l[h]);
  }
};

}  // namespace tilewalk::gpu
