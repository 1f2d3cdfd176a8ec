// Softmax over the slabs of a warp: softmax.cuh's functions for each of its kM slabs of 16 rows, in the form that FA1
// and FA2 take (both products of alpha rounded), and what is done once a row. FA1's warps have one slab, FA2's two (at
// d = 256 one). Arrays are [slab][...], with x for the slab, since m is the max.
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/forward.h"

namespace tilewalk::gpu {

template <int kM, int N>
TILEWALK_PTX void clear(float (&all)[kM][N]) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int e = 0; e < N; ++e) all[x][e] = 0.f;
}
template <int kM>
TILEWALK_PTX void clear(RowStats (&stats)[kM]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) stats[x] = RowStats{};
}
// `row` is the lane's first one.
template <int kM, int N>
TILEWALK_PTX void mask_scores(float (&s)[kM][N], int row, int column, int n_k, int diagonal) {
  pin(row);  // as in load_tile()
#pragma unroll
  for (int x = 0; x < kM; ++x) mask_scores<true>(s[x], row + 16 * x, column, n_k, diagonal);
}
template <int kM, int N>
TILEWALK_PTX void row_max(const float (&s)[kM][N], RowStats (&stats)[kM], float (&alpha)[kM][2], float (&shift)[kM][2],
                          float scale_log2, bool masked) {
#pragma unroll
  for (int x = 0; x < kM; ++x) row_max<false>(s[x], stats[x].m, alpha[x], shift[x], scale_log2, masked);
}
// FA2's, whose m takes in the tile in raise().
template <int kM, int N>
TILEWALK_PTX void tile_max(const float (&s)[kM][N], const RowStats (&stats)[kM], float (&risen)[kM][2]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) tile_max(s[x], stats[x].m, risen[x]);
}
template <int kM>
TILEWALK_PTX void shift_of(const RowStats (&stats)[kM], float (&shift)[kM][2], float scale_log2, bool masked) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int h = 0; h < 2; ++h) shift[x][h] = shift_of<false>(stats[x].m[h], scale_log2, masked);
}
template <int kM, int N>
TILEWALK_PTX void exponentiate(float (&s)[kM][N], const float (&shift)[kM][2], float scale_log2) {
#pragma unroll
  for (int x = 0; x < kM; ++x) exponentiate(s[x], shift[x], scale_log2);
}
template <int kM, int N>
TILEWALK_PTX void row_sum(const float (&p)[kM][N], RowStats (&stats)[kM], const float (&alpha)[kM][2]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) row_sum(p[x], stats[x].l, alpha[x]);
}
// l += rowsum P: raise() has rescaled l.
template <int kM, int N>
TILEWALK_PTX void row_sum(const float (&p)[kM][N], RowStats (&stats)[kM]) {
  constexpr float kOne[2] = {1.f, 1.f};
#pragma unroll
  for (int x = 0; x < kM; ++x) row_sum(p[x], stats[x].l, kOne);
}
template <int kM, int N>
TILEWALK_PTX void scale_rows(float (&o)[kM][N], const float (&factor)[kM][2]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) scale_rows(o[x], factor[x]);
}
// Rescale: each slab is rescaled, or left out, by itself.
template <bool kOnlyIfRisen, int kM, int N>
TILEWALK_PTX void rescale(float (&o)[kM][N], const float (&alpha)[kM][2]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) rescale<kOnlyIfRisen>(o[x], alpha[x]);
}
template <int kM>
TILEWALK_PTX void must_rise(const RowStats (&stats)[kM], const float (&risen)[kM][2], bool (&must)[kM],
                            float scale_log2) {
#pragma unroll
  for (int x = 0; x < kM; ++x) must[x] = must_rise(stats[x], risen[x], scale_log2);
}
template <int kM, int N>
TILEWALK_PTX void raise(const bool (&must)[kM], RowStats (&stats)[kM], float (&o)[kM][N], const float (&risen)[kM][2],
                        float (&alpha)[kM][2], float scale_log2, bool masked) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
    if (must[x]) raise(stats[x], o[x], risen[x], alpha[x], scale_log2, masked);
}
template <class T, int kM, int N>
TILEWALK_PTX void pack_rows(uint32_t (&p)[kM][N / 2], const float (&s)[kM][N]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) pack_rows<T>(p[x], s[x]);
}
// O over l, of whole rows.
template <int kM, int N>
TILEWALK_PTX void divide_rows(float (&o)[kM][N], const RowStats (&stats)[kM]) {
#pragma unroll
  for (int x = 0; x < kM; ++x) {
    const float inverse[2] = {reciprocal(stats[x].l[0]), reciprocal(stats[x].l[1])};
    scale_rows(o[x], inverse);
  }
}
// A lane's parts of l become the rows' sums.
template <int kM>
TILEWALK_PTX void sum_over_quads(RowStats (&stats)[kM]) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
    for (float& l : stats[x].l) l = quad_sum(l);
}
template <int kM>
TILEWALK_PTX void log_sum_exp(float (&lse)[kM][2], const RowStats (&stats)[kM], float scale_log2) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int h = 0; h < 2; ++h) lse[x][h] = log_sum_exp(stats[x].m[h], stats[x].l[h], scale_log2);
}
// To [n_q], from the lane's first row on; one lane of a quad writes, and none past the end.
template <int kM>
TILEWALK_PTX void store_lse(float* to, const float (&lse)[kM][2], int row, int n_q) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int h = 0; h < 2; ++h)
      if (const int r = row + 16 * x + 8 * h; threadIdx.x % 4 == 0 && r < n_q) to[r] = lse[x][h];
}

// The traced build's copy of m and l after tile j.
template <int kM>
TILEWALK_PTX void record_stats(const RowStats (&stats)[kM], const Trace& to, int j, int row, int n_q,
                               float scale_log2) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
    record_stats(stats[x], to.m + size_t(j) * n_q, to.l + size_t(j) * n_q, row + 16 * x, n_q, scale_log2);
}

// The traced build: m and l as they would be relative to the greatest score so far, `top`, which raise() leaves m
// below.
template <int kM>
TILEWALK_PTX void record_risen(const RowStats (&stats)[kM], float (&top)[kM][2], const float (&risen)[kM][2],
                               const Trace& to, int j, int row, int n_q, float scale_log2) {
  RowStats told[kM];
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      top[x][h] = fmaxf(top[x][h], risen[x][h]);
      told[x].m[h] = top[x][h];
      told[x].l[h] = top[x][h] == -INFINITY ? 0.f : stats[x].l[h] * exp2f((stats[x].m[h] - top[x][h]) * scale_log2);
    }
  record_stats(told, to, j, row, n_q, scale_log2);
}

}  // namespace tilewalk::gpu
