// Online softmax on the accumulators of a matrix product, shared by FA1, FA2 and FA3: mma.sync and wgmma leave S in the
// same places. One mma is C[16, 8] += A[16, 16] B[16, 8]. Each matrix is cut into pieces of 8 x 8, and every lane holds
// two elements of each piece: its fragment of the matrix. A register has two elements of A or of B, one of C.
//
//                                          B    b0      rows 0-7     (summed over)
//                                               b1      rows 8-15
//   A   a[0]  a[2]   rows 0-7              C  c[0] c[1]   rows 0-7
//       a[1]  a[3]   rows 8-15                c[2] c[3]   rows 8-15
//
//   a piece of A or C: which lane has which       a piece of B: the same, transposed
//   columns  0  1     2  3     4  5     6  7      column    0       1     ...    7
//   row 0    lane 0   lane 1   lane 2   lane 3    row 0, 1  lane 0  lane 4  ...  lane 28
//   row 1    lane 4   lane 5   lane 6   lane 7    row 2, 3  lane 1  lane 5  ...  lane 29
//   ...                                           row 4, 5  lane 2  lane 6  ...  lane 30
//   row 7    lane 28  lane 29  lane 30  lane 31   row 6, 7  lane 3  lane 7  ...  lane 31
//
// So four lanes, a quad, share a row of C, and a lane has two rows, h = 0 and, 8 below, h = 1. S is one C beside the
// other: s[4 n + 2 h], s[4 n + 2 h + 1] are row t / 4 + 8 h, columns 8 n + 2 (t % 4) and the next, of lane t. Two C
// side by side, c and c', are one A for P V: a = {c[0] c[1], c[2] c[3], c'[0] c'[1], c'[2] c'[3]}, each pair in one
// register. Lanes stay the same, so P moves nowhere.
//
// m is the greatest raw score q k of a row, not yet times scale. scale_log2 = scale * log2(e) is folded into the
// exponential, so that
//   e^(scale s - scale m) = 2^(s * scale_log2 - m * scale_log2)
// is one fused multiply-add and one exp2. l is kept as each lane's part of the row sum.
// Milakov and Gimelshein, "Online normalizer calculation for softmax"; Dao, "FlashAttention-2", Algorithm 1.
#pragma once

#include "kernels/common/ptx_sm80.cuh"
#include "kernels/common/softmax_switches.cuh"

#include <cmath>

namespace tilewalk::gpu {

constexpr float kLog2E = 1.44269504088896f, kLn2 = 0.693147180559945f;

// The running statistics of a thread's two rows.
struct RowStats {
  float m[2] = {-INFINITY, -INFINITY};  // raw scores; the same in all lanes of a quad
  float l[2] = {0.f, 0.f};              // over this thread's columns; quad_sum() gives the row's
};

TILEWALK_PTX float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
TILEWALK_PTX float quad_sum(float x) {
  x += __shfl_xor_sync(~0u, x, 1);
  return x + __shfl_xor_sync(~0u, x, 2);
}

// Mask. S = -inf right of the last key and, if causal, where key > query + diagonal (diagonal = n_k - n_q).
// `row` is the thread's row h = 0, `column` the first of the tile. One comparison an element, with a constant.
template <bool causal, int N>
TILEWALK_PTX void mask_scores(float (&s)[N], int row, int column, int n_k, int diagonal) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int keys = causal ? min(n_k, row + 8 * h + diagonal + 1) : n_k;  // that the row sees
    const int seen = keys - column - 2 * int(threadIdx.x % 4);             // counted from the thread's first column
#pragma unroll
    for (int n = 0; n < N / 4; ++n) {
      if (8 * n >= seen) s[4 * n + 2 * h] = -INFINITY;
      if (8 * n + 1 >= seen) s[4 * n + 2 * h + 1] = -INFINITY;
    }
  }
}

// RowMax. What m is with the tile taken in.
template <int N>
TILEWALK_PTX void tile_max(const float (&s)[N], const float (&m)[2], float (&risen)[2]) {
  risen[0] = m[0], risen[1] = m[1];
#pragma unroll
  for (int n = 0; n < N / 4; ++n)
#pragma unroll
    for (int h = 0; h < 2; ++h) risen[h] = fmaxf(risen[h], fmaxf(s[4 * n + 2 * h], s[4 * n + 2 * h + 1]));
#pragma unroll
  for (int h = 0; h < 2; ++h) risen[h] = quad_max(risen[h]);  // both rows' on their way together
}

// RowMax, where m of both rows has no sign: is at least 0, and not -0 or -inf (no key yet). Hopper has an instruction
// for the greatest of three whole numbers (one of its DPX, for dynamic programming), and none for floats. Floats
// without a sign are ordered as their bits are, the exponent lying above the digits, and the sign's bit makes any
// other, -inf too, a negative whole number, which loses against m. A NaN among the scores may win here and not in
// tile_max(): its row's P, l and O are NaN either way.
TILEWALK_PTX bool above_zero(const RowStats& stats) {
  return min(__float_as_int(stats.m[0]), __float_as_int(stats.m[1])) >= 0;
}
template <int N>
TILEWALK_PTX void tile_max_above_zero(const float (&s)[N], const float (&m)[2], float (&risen)[2]) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    int top = __float_as_int(m[h]);
#pragma unroll
    for (int n = 0; n < N / 4; ++n)
      top = __vimax3_s32(top, __float_as_int(s[4 * n + 2 * h]), __float_as_int(s[4 * n + 2 * h + 1]));
    top = max(top, __shfl_xor_sync(~0u, top, 1));
    risen[h] = __int_as_float(max(top, __shfl_xor_sync(~0u, top, 2)));
  }
}

// RowMax. m takes in the tile; alpha = e^(scale (m_old - m_new)) is what older sums shrink by; shift = m * scale_log2.
// Only a masked tile can leave a row without any key yet, m = -inf: its shift is 0, since -inf - (-inf) is not a
// number. Fused, alpha takes m_old * scale_log2 unrounded while shift is rounded, so that it may be off 1 by a last bit
// where m stays: each tile puts e^m off by 2^-24 |shift|. Over hundreds of small tiles with large scores L loses up to
// 6e-4 that way. Both rounded, the errors cancel; that costs FA3 2 % at d = 128.
template <bool kFused = true>
TILEWALK_PTX float shift_of(float m, float scale_log2, bool masked) {
  return masked && m == -INFINITY ? 0.f : kFused ? m * scale_log2 : __fmul_rn(m, scale_log2);
}
template <bool kFused = true, int N>
TILEWALK_PTX void row_max(const float (&s)[N], float (&m)[2], float (&alpha)[2], float (&shift)[2], float scale_log2,
                          bool masked, bool above_zero = false) {
  const float old[2] = {m[0], m[1]};
  if (above_zero) {
    tile_max_above_zero(s, old, m);
  } else {
    tile_max(s, old, m);
  }
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float old_shift = kFused ? old[h] * scale_log2 : __fmul_rn(old[h], scale_log2);
    m[h] = switched_max(old[h], m[h], scale_log2);
    shift[h] = shift_of<kFused>(m[h], scale_log2, masked);
    alpha[h] = alpha_is_one(old[h], m[h]) ? 1.f : exp2_approx(old_shift - shift[h]);
  }
}

// Exponentiate. S becomes P = e^(scale (S - m)), unnormalised.
template <int N>
TILEWALK_PTX void exponentiate(float (&s)[N], const float (&shift)[2], float scale_log2) {
#pragma unroll
  for (int i = 0; i < N; ++i) s[i] = exponential(i, s[i], scale_log2, shift[i / 2 % 2]);
}

// RowSum. l = alpha l + rowsum P, over this thread's columns.
template <int N>
TILEWALK_PTX void row_sum(const float (&p)[N], float (&l)[2], const float (&alpha)[2]) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float sum = 0.f;
#pragma unroll
    for (int n = 0; n < N / 4; ++n) sum += p[4 * n + 2 * h] + p[4 * n + 2 * h + 1];
    l[h] = l[h] * alpha[h] + sum;
  }
}

// Rescale, Normalize. Rows of accumulators times a factor each.
template <int N>
TILEWALK_PTX void scale_rows(float (&o)[N], const float (&factor)[2]) {
#pragma unroll
  for (int i = 0; i < N; ++i) o[i] *= factor[i / 2 % 2];
}
// Rescale. Where all alphas of the warp's 16 rows are 1 nothing changes, and who asks leaves it out: with both products
// of row_max() rounded that is wherever no max rose; fused, an alpha may be off 1 by a last bit all the same.
template <bool kOnlyIfRisen, int N>
TILEWALK_PTX void rescale(float (&o)[N], const float (&alpha)[2]) {
  if constexpr (kSwitch == Switch::WrongOrder) return;
  constexpr bool kAsks = kOnlyIfRisen || kSwitch == Switch::Raised || kSwitch == Switch::Risen;
  if (!kAsks || __any_sync(~0u, alpha[0] != 1.f || alpha[1] != 1.f)) scale_rows(o, alpha);
}

// Rescale, as FlashAttention-4 does it (arXiv:2603.05451). Any m not too far below a row's max will do: P, l and O are
// all relative to it, O is divided by l in the end, and L = scale m + ln l. So a warp's 16 rows keep theirs, and O and
// l with it, until one of them would have a P of more than 2^8, which is far from fp16's largest number: must_rise().
// `risen` is tile_max()'s.
TILEWALK_PTX bool must_rise(const RowStats& stats, const float (&risen)[2], float scale_log2) {
  bool rises = false;
#pragma unroll
  for (int h = 0; h < 2; ++h) rises = rises || rises_enough(stats.m[h], risen[h], scale_log2);
  return rescales_anyway() || __any_sync(~0u, rises);
}
// Where it must. alpha is told to Switch::WrongOrder alone.
template <int N>
TILEWALK_PTX void raise(RowStats& stats, float (&o)[N], const float (&risen)[2], float (&alpha)[2], float scale_log2,
                        bool masked) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float old_shift = __fmul_rn(stats.m[h], scale_log2);
    stats.m[h] = kSwitch == Switch::NoMax ? 0.f : risen[h];
    alpha[h] =
        kSwitch == Switch::NoRescale ? 1.f : exp2_approx(old_shift - shift_of<false>(stats.m[h], scale_log2, masked));
    stats.l[h] *= alpha[h];
  }
  if constexpr (kSwitch != Switch::WrongOrder) scale_rows(o, alpha);
}

// P in 16 bits, as the left operand of the next product (drawn above). p[4 k ... 4 k + 3] is A for keys 16 k to
// 16 k + 15.
template <class T, int N>
TILEWALK_PTX void pack_rows(uint32_t (&p)[N / 2], const float (&s)[N]) {
#pragma unroll
  for (int i = 0; i < N / 2; ++i) p[i] = pack<T>(s[2 * i], s[2 * i + 1]);
}

// LogSumExp: L = scale m + ln l; -inf for a row that saw no key.
TILEWALK_PTX float log_sum_exp(float m, float l, float scale_log2) {
  return l == 0.f ? -INFINITY : m * scale_log2 * kLn2 + __logf(l);
}
// 1 / l; 0 for a row that saw no key, whose O is 0.
TILEWALK_PTX float reciprocal(float l) { return l == 0.f ? 0.f : 1.f / l; }

// A row of a tile may lie past the last query, or before the first.
TILEWALK_PTX bool is_query(int row, int n_q) { return unsigned(row) < unsigned(n_q); }

// The traced build's copy of scale m and of l after a tile, [n_q] each for this tile. Needs the whole warp.
TILEWALK_PTX void record_stats(const RowStats& stats, float* m, float* l, int row, int n_q, float scale_log2) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float sum = quad_sum(stats.l[h]);
    if (threadIdx.x % 4 != 0 || !is_query(row + 8 * h, n_q)) continue;
    m[row + 8 * h] = stats.m[h] * scale_log2 * kLn2;
    l[row + 8 * h] = sum;
  }
}

}  // namespace tilewalk::gpu
