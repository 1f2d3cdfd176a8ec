// Softmax over the slabs of a warp: softmax.cuh's functions for each of its kM slabs of 16 rows, and nothing else: who
// has read that file may pass over this one. FA1's warps have one slab, FA2's two. Arrays are [slab][...].
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/forward.h"

namespace tilewalk::gpu {

template <int kM, int N>
TILEWALK_PTX void clear(float (&x)[kM][N]) {
#pragma unroll
  for (int m = 0; m < kM; ++m)
#pragma unroll
    for (int e = 0; e < N; ++e) x[m][e] = 0.f;
}
template <int kM>
TILEWALK_PTX void clear(RowStats (&stats)[kM]) {
#pragma unroll
  for (int m = 0; m < kM; ++m) stats[m] = RowStats{};
}
// `row` is the lane's first one.
template <int kM, int N>
TILEWALK_PTX void mask_scores(float (&s)[kM][N], int row, int column, int n_k, int diagonal) {
  pin(row);  // as in load_tile()
#pragma unroll
  for (int m = 0; m < kM; ++m) mask_scores<true>(s[m], row + 16 * m, column, n_k, diagonal);
}
template <int kM, int N>
TILEWALK_PTX void row_max(const float (&s)[kM][N], RowStats (&stats)[kM], float (&alpha)[kM][2], float (&shift)[kM][2],
                          float scale_log2, bool masked) {
#pragma unroll
  for (int m = 0; m < kM; ++m) row_max<false>(s[m], stats[m].m, alpha[m], shift[m], scale_log2, masked);
}
template <int kM, int N>
TILEWALK_PTX void exponentiate(float (&s)[kM][N], const float (&shift)[kM][2], float scale_log2) {
#pragma unroll
  for (int m = 0; m < kM; ++m) exponentiate(s[m], shift[m], scale_log2);
}
template <int kM, int N>
TILEWALK_PTX void row_sum(const float (&p)[kM][N], RowStats (&stats)[kM], const float (&alpha)[kM][2]) {
#pragma unroll
  for (int m = 0; m < kM; ++m) row_sum(p[m], stats[m].l, alpha[m]);
}
template <int kM, int N>
TILEWALK_PTX void scale_rows(float (&o)[kM][N], const float (&factor)[kM][2]) {
#pragma unroll
  for (int m = 0; m < kM; ++m) scale_rows(o[m], factor[m]);
}
// Rescale. To leave slabs out where no row's max rose is worth 1 to 5 % on an H200 at d = 128 (on an H100 it costs 1
// %), and costs about 2 % at d = 64.
template <bool kOnlyIfRisen, int kM, int N>
TILEWALK_PTX void rescale(float (&o)[kM][N], const float (&alpha)[kM][2]) {
#pragma unroll
  for (int m = 0; m < kM; ++m) rescale<kOnlyIfRisen>(o[m], alpha[m]);
}
template <class T, int kM, int N>
TILEWALK_PTX void pack_rows(uint32_t (&p)[kM][N / 2], const float (&s)[kM][N]) {
#pragma unroll
  for (int m = 0; m < kM; ++m) pack_rows<T>(p[m], s[m]);
}
// O over l, of whole rows.
template <int kM, int N>
TILEWALK_PTX void divide_rows(float (&o)[kM][N], const RowStats (&stats)[kM]) {
#pragma unroll
  for (int m = 0; m < kM; ++m) {
    const float inverse[2] = {reciprocal(stats[m].l[0]), reciprocal(stats[m].l[1])};
    scale_rows(o[m], inverse);
  }
}
// A lane's parts of l become the rows' sums.
template <int kM>
TILEWALK_PTX void sum_over_quads(RowStats (&stats)[kM]) {
#pragma unroll
  for (int m = 0; m < kM; ++m)
    for (float& l : stats[m].l) l = quad_sum(l);
}
template <int kM>
TILEWALK_PTX void log_sum_exp(float (&lse)[kM][2], const RowStats (&stats)[kM], float scale_log2) {
#pragma unroll
  for (int m = 0; m < kM; ++m)
#pragma unroll
    for (int h = 0; h < 2; ++h) lse[m][h] = log_sum_exp(stats[m].m[h], stats[m].l[h], scale_log2);
}
// To [n_q], from the lane's first row on; one lane of a quad writes, and none past the end.
template <int kM>
TILEWALK_PTX void store_lse(float* to, const float (&lse)[kM][2], int row, int n_q) {
#pragma unroll
  for (int m = 0; m < kM; ++m)
#pragma unroll
    for (int h = 0; h < 2; ++h)
      if (const int r = row + 16 * m + 8 * h; threadIdx.x % 4 == 0 && r < n_q) to[r] = lse[m][h];
}

// The traced build's copy of m and l after tile j.
template <int kM>
TILEWALK_PTX void record_stats(const RowStats (&stats)[kM], const Trace& to, int j, int row, int n_q,
                               float scale_log2) {
#pragma unroll
  for (int m = 0; m < kM; ++m)
    record_stats(stats[m], to.m + size_t(j) * n_q, to.l + size_t(j) * n_q, row + 16 * m, n_q, scale_log2);
}

}  // namespace tilewalk::gpu
