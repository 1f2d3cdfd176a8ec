// The end of a kernel whose warps share a Q tile of 16 rows and split the keys of every tile: each warp has its own m,
// l and O, and they become the block's by the rule that merges any two parts,
//
//   m = max m_w,   l = sum of e^(m_w - m) l_w,   O = sum of e^(m_w - m) O_w / l
#pragma once

#include "kernels/common/slabs.cuh"

namespace tilewalk::gpu {

// In `shared`, where nobody may need anything any more and all copies have arrived: (2 + D) * kWarps * 64 bytes. Calls
// store(row, column, x, y, lse) once for every row below `rows` and every even column: O at the column and the next.
template <int D, int kWarps, class Store>
TILEWALK_PTX void merge_warps(uint8_t* shared, const float (&o)[1][D / 2], RowStats (&stats)[1], float scale_log2,
                              int rows, const Store& store) {
  constexpr int kRows = 16;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  float* const m_all = reinterpret_cast<float*>(shared);  // [warp, row]
  float* const l_all = m_all + kWarps * kRows;            // [warp, row]
  float* const o_all = l_all + kWarps * kRows;            // [warp, row, d]
  sum_over_quads(stats);
  __syncthreads();  // no warp reads a tile any more
  const auto row_of = [&](int h) { return warp * kRows + lane / 4 + 8 * h; };
  if (lane % 4 == 0)
    for (int h = 0; h < 2; ++h) m_all[row_of(h)] = stats[0].m[h], l_all[row_of(h)] = stats[0].l[h];
#pragma unroll
  for (int e = 0; e < D / 2; e += 2)
    *reinterpret_cast<float2*>(o_all + row_of(e / 2 % 2) * D + e / 4 * 8 + lane % 4 * 2) = {o[0][e], o[0][e + 1]};
  __syncthreads();
  for (int at = int(threadIdx.x) * 2; at < rows * D; at += kWarps * 32 * 2) {
    const int row = at / D, column = at % D;
    float m = -INFINITY, l = 0.f, x = 0.f, y = 0.f;
    for (int w = 0; w < kWarps; ++w) m = fmaxf(m, m_all[w * kRows + row]);
    for (int w = 0; w < kWarps; ++w) {
      const int from = w * kRows + row;
      const float factor = m_all[from] == -INFINITY ? 0.f : exp2_approx((m_all[from] - m) * scale_log2);
      const float2 two = *reinterpret_cast<const float2*>(o_all + from * D + column);
      l = fmaf(l_all[from], factor, l), x = fmaf(two.x, factor, x), y = fmaf(two.y, factor, y);
    }
    const float inverse = reciprocal(l);
    store(row, column, x * inverse, y * inverse, log_sum_exp(m, l, scale_log2));
  }
}

}  // namespace tilewalk::gpu
