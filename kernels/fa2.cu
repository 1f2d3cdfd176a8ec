// FlashAttention-2 (arXiv:2307.08691, Algorithm 1), compute capability 8.0 and up.
//
// The paper's lines, under the headings below: 4 LoadQ; 5 InitO, InitStats; 7 LoadK, LoadV; 8 Score; 9 RowMax,
// Exponentiate, RowSum; 10 Rescale, Accumulate; 12 Normalize; 13 LogSumExp; 14 and 15 StoreO, StoreLse. Line 3 is the
// grid of thread blocks, line 6 the loops that call visit(). Line 10 stands there with an inverse;
// diag(alpha) O is meant.
//
// The idea: Q tiles outside, K/V tiles inside. A thread block takes one Q tile and walks over the keys, so that O, m
// and l never leave the registers; O is divided by l once, at the end. Blocks do not depend on each other: there are
// heads * Tr of them, enough to fill the chip.
//
//   where            what                                  d = 128           d = 64
//   shared memory    Q tile  [Br, d]                       128 x 128  32 KB  128 x 64  16 KB
//                    K tile, V tile  [Bc, d], one of each   64 x 128  32 KB  128 x 64  32 KB  both
//                    together                                         64 KB            48 KB
//   registers        S, later P  [Br, Bc]  fp32            64 a thread       128 a thread
//                    P in 16 bits, in S's place            32                64
//                    O  [Br, d]  fp32                      128 a thread      64 a thread
//                    m, l  [Br]  fp32                      a quad of lanes shares a row
//
// New against FA1: Q tiles are the outer loop again, as in tiled.cu; O, m and l make no round trips; O stays
// unnormalised until the end; only L remains of m and l. The four warps split the rows of Q (FA1 as its authors
// released it split the keys, the one here does not): 32 rows each and no longer 16, so that one fragment of K or V
// (what a lane holds of it, common/softmax.cuh), once it is read from shared memory, serves two slabs of 16 rows.
//
// Copies run under the arithmetic: V_j comes while S is computed, K_(j-1) while softmax and P V are. Tiles go from last
// to first: those cut by the mask or by the end of the keys come first, and the rest need no mask.
//
// d = 96 has tiles as d = 128 has them, whose last quarter stays empty; at d = 256 four warps take 16 rows of Q each,
// so that O fits in their registers.
//
// Line 10 as FlashAttention-4 has it: m, l and O of a slab follow only where one of its 16 rows has a max so much
// greater that e^(scale m) has risen by a factor of 2^8 (raise() in common/softmax.cuh). Most visits then rescale
// nothing, and O over l is the same.
//
// S, O and the fragments under way fill all 255 registers that a thread can have; at d = 128 16 bytes a thread spill.
// What limits it: a warp waits for its mma.sync before it goes on to softmax, and only two blocks, 8 warps, fit on a
// multiprocessor (2 x 128 threads x 255 of its 65,536 registers) to fill that time: no unit is at its limit.
#include "core/kernel/launch_order.h"
#include "kernels/common/rung.cuh"
#include "kernels/common/slabs.cuh"
#include "kernels/common/tile_mma.cuh"

#include <algorithm>
#include <type_traits>

namespace tilewalk::gpu {
namespace {

// A block takes one Q tile (core/kernel/launch_order.h); without a mask a group is one head.
struct LaunchOrder {
  int tr, group;  // Q tiles of a head, heads of a group
  int sharing;    // no order: how many heads of Q read the same head of K and V
};

template <class T, int D, int Br, int Bc, int kWarps, bool kTraced>
__global__ void __launch_bounds__(kWarps * 32)
    fa2_kernel(const Forward f, const LaunchOrder order, const TraceArgs<kTraced> args) {
  constexpr int kThreads = kWarps * 32, kWarpRows = Br / kWarps, kM = kWarpRows / 16;
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t q_tile = shared_address(shared);
  const uint32_t k_tile = q_tile + tile_bytes(Br, D), v_tile = k_tile + tile_bytes(Bc, D);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace(args, warp, lane == 0);

  const auto [head, place] = launched_as(int(blockIdx.x), f.heads, order.tr, order.group);
  const int i = kSwitch == Switch::LongestFirst ? order.tr - 1 - place : place;
  const int first_row = i * Br, rows = min(Br, f.n_q - first_row);
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + size_t(head) * f.n_q * D;
  const size_t first_key = size_t(head / order.sharing) * f.n_k * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + first_key;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + first_key;
  uint16_t* const out = static_cast<uint16_t*>(f.o) + size_t(head) * f.n_q * D;
  float* const out_lse = f.lse + size_t(head) * f.n_q;

  // Row r sees key c iff c <= r + diagonal. K/V tiles 0 ... visits - 1 are met, the first `whole` of them unmasked.
  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const int last_key = (kSwitch == Switch::Skipping ? f.n_k : min(f.n_k, first_row + rows + diagonal)) - 1;
  const int visits = last_key < 0 ? 0 : last_key / Bc + 1;
  const int whole = max(0, min(f.n_k, first_row + diagonal + 1)) / Bc;
  const float scale_log2 = f.scale * kLog2E;
  const int warp_row = warp * kWarpRows,
            row = first_row + warp_row + lane / 4;  // the first of the lane
  const QAddress q_lane(q_tile + warp_row * kPanelRowBytes);
  const KAddress k_lane(k_tile);
  const VAddresses v_lane(v_tile);  // here all four addresses are kept: 1 to 2 % faster than one, with more spills

  float o[kM][D / 2];
  RowStats stats[kM];
  float top[kM][2];  // the traced build's
  TRACED {
    for (float(&x)[2] : top) x[0] = x[1] = -INFINITY;
  }
  // Its copies are committed, and waited for, with those of K.
  STEP(LoadQ, 0) { load_tile<Br, D, kThreads, true>(q_tile, q + size_t(first_row) * D, rows); }
  STEP(InitO, 0) { clear(o); }
  STEP(InitStats, 0) { clear(stats); }
  STEP(LoadK, visits - 1) {
    if (const int j = visits - 1; j >= 0)
      load_tile<Bc, D, kThreads, true>(k_tile, k + size_t(j) * Bc * D, f.n_k - j * Bc);
    copy_commit();
  }

  const auto visit = [&](int j, auto is_masked) __attribute__((always_inline)) {
    constexpr bool kMasked = decltype(is_masked)::value;
    STEP(Wait, j) {
      copy_wait<0>();
      __syncthreads();  // K_j is there for every warp, and no warp reads V_(j+1) any more
    }
    // A ragged tile's missing rows are zeros: P is 0 there, but 0 times what happened to lie there may be NaN.
    STEP(LoadV, j) {
      load_tile<Bc, D, kThreads, kMasked>(v_tile, v + size_t(j) * Bc * D, f.n_k - j * Bc);
      copy_commit();
    }

    float s[kM][Bc / 2];
    STEP(Score, j) { multiply_q_kt<T, D, Br, Bc, kM, Bc, Bring::Ahead>(s, q_lane, k_lane); }
    if constexpr (kMasked) {
      STEP(Mask, j) { mask_scores(s, row, j * Bc, f.n_k, diagonal); }
    }

    float risen[kM][2], alpha[kM][2], shift[kM][2];
    bool must[kM];
    STEP(RowMax, j) {  // needs no other warp: 1 % faster here than behind the barrier
      tile_max(s, stats, risen);
      must_rise(stats, risen, must, scale_log2);
    }

    STEP(Wait, j) {
      copy_wait<0>();
      __syncthreads();  // V_j is there for every warp, and no warp reads K_j any more
    }
    STEP(LoadK, j - 1) {  // never ragged: only the last tile of keys can be
      if (j > 0) load_tile<Bc, D, kThreads, false>(k_tile, k + size_t(j - 1) * Bc * D, Bc);
      copy_commit();
    }

    // Its branches are not between the exponentials and P V, whose instructions can be mixed: 1 % faster.
    STEP(Rescale, j) {
      raise(must, stats, o, risen, alpha, scale_log2, kMasked);
      shift_of(stats, shift, scale_log2, kMasked);
    }
    STEP(Exponentiate, j) { exponentiate(s, shift, scale_log2); }
    uint32_t p[kM][Bc / 4];
    STEP(Accumulate, j) {
      pack_rows<T>(p, s);
      multiply_p_v<T, D, Bc, kM>(o, p, v_lane);
      if constexpr (kSwitch == Switch::WrongOrder) scale_rows(o, alpha);
    }
    STEP(RowSum, j) { row_sum(s, stats); }  // behind P V: 1 % faster at d = 128
    TRACED {
      if (head == args.to.head && args.to.m) record_risen(stats, top, risen, args.to, j, row, f.n_q, scale_log2);
    }
  };
  int j = visits - 1;
  for (; j >= whole; --j) visit(j, std::true_type{});
  for (; j >= 0; --j) visit(j, std::false_type{});

  STEP(Normalize, 0) {
    sum_over_quads(stats);
    divide_rows(o, stats);
  }
  float lse[kM][2];
  STEP(LogSumExp, 0) { log_sum_exp(lse, stats, scale_log2); }
  STEP(StoreO, 0) {
    // Every warp writes over its own rows of Q. Where no tile was met, the copy of Q may still be under way.
    copy_wait<0>();
    __syncthreads();
    store_rows<T, D, Br>(out + size_t(first_row) * D, o, shared, warp_row, rows);
  }
  STEP(StoreLse, 0) { store_lse(out_lse, lse, row, f.n_q); }
  trace.finish();
}

// ---- Host (common/rung.cuh) -----------------------------------------------------------------------------------------

// With large tiles, and with 16-row ones.
template <Method kForm>
struct Fa2 {
  static constexpr Method kId = kForm;
  static constexpr bool kCanTrace = true;
  using Order = LaunchOrder;
  template <class T, int D, bool kTraced>
  static auto kernel() {
    constexpr KernelShape kShape = switched_shape(kId, D, kSwitch);
    return fa2_kernel<T, D, kShape.br, kShape.bc, kShape.warps, kTraced>;
  }
  static int shared_bytes(KernelShape s, int d) { return tile_bytes(s.br + 2 * s.bc, d); }
  static cudaError_t order(const Forward& f, KernelShape shape, LaunchOrder& order) {
    order = {(f.n_q + shape.br - 1) / shape.br, int(launch_group(kId, f.causal, f.heads, f.n_k, f.d)), group_of(f)};
    return cudaSuccess;
  }
  static int64_t blocks(const Forward& f, LaunchOrder order) { return int64_t(order.tr) * f.heads; }
};

}  // namespace

TILEWALK_CALLS(Method::Fa2, kFa2Calls) = calls_of_rung<Fa2<Method::Fa2>>();
#ifndef TILEWALK_SWITCH
extern const Calls kFa2SmallCalls = calls_of_rung<Fa2<Method::Fa2Small>>();
#endif

}  // namespace tilewalk::gpu
