// Flash-Decoding: attention for one query, as a text is written token by token. Compute capability 8.0 and up.
//
// The idea: with one query there is one Q tile a head, and FA2 would have one thread block for each, most
// multiprocessors idle. So the keys are cut into splits, each for a block of its own; a block writes its part of O,
// divided by its own l, and L, and a second, small kernel combines the parts, as merge.cu does:
//
//   L = log(sum over s of e^(L_s)),   O = sum over s of e^(L_s - L) O_s
//
// Grouped queries: g heads of Q share one of K and V. Their queries are the rows of one Q tile, so that K and V are
// read once for all of them.
//
//   K/V of one head   | split 1 | split 2 | split 3 |      a block, tile by tile, last to first:
//                         |         |         |            | warp 1 | warp 2 | warp 3 | warp 4 |  keys of a tile
//   blocks                O_1 L_1   O_2 L_2   O_3 L_3      each its own m, l and O; merged at the block's end
//                          \         |        /
//   combine                      O, L
//
//   where            what                                             d = 128              d = 64
//   shared memory    Q tile  [16, d], of which g rows are real         16 x 128   4 KB      16 x 64   2 KB
//                    K tile, V tile  [Bc, d], three of each            64 x 128  96 KB     128 x 64  96 KB
//   registers        of a warp: S, later P  [16, Bc / 4]  fp32         8 a thread          16 a thread
//                    O  [16, d]  fp32                                  64 a thread         32 a thread
//
// What limits it: DRAM. K and V are read once, 4 g FLOP a 16-bit number; a multiprocessor has two tiles of each of two
// blocks on their way, 128 KB, while it works on a third. Where K and V are short, the launches are what is seen.
//
// New against FA2: the warps split keys, not rows of Q; copies run two tiles ahead, since they alone take the time.
#include "kernels/split_kv.h"

#include "kernels/common/combine.cuh"
#include "kernels/common/merge_warps.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/tile_mma.cuh"

namespace tilewalk::gpu {
namespace {

static_assert(kMostSplits == kMostCombined);
constexpr int kWarps = 4, kThreads = kWarps * 32, kStages = 3, kRows = kSplitRows;

template <int D>
constexpr int shared_bytes() {
  return (kRows + 2 * kStages * split_keys(D)) * D * 2;
}

template <class T, int D, int Bc = split_keys(D)>
__global__ void __launch_bounds__(kThreads, kSplitResident)
    split_kernel(const Forward f, const int splits, const int tiles_each, const Parts parts) {
  constexpr int kKeys = Bc / kWarps, kTileBytes = Bc * D * 2;  // a warp's of a tile's keys; a tile of K or V
  constexpr bool kTraced = false;
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t k_tiles = shared_address(shared), v_tiles = k_tiles + kStages * kTileBytes,
                 q_tile = v_tiles + kStages * kTileBytes;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace({}, warp, lane == 0);

  const int kv_head = int(blockIdx.x) / splits, split = int(blockIdx.x) % splits;
  const int group = f.heads / f.kv_heads, first_head = kv_head * group;
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + size_t(first_head) * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(kv_head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(kv_head) * f.n_k * D;

  const int first_tile = split * tiles_each, end_tile = min(first_tile + tiles_each, (f.n_k + Bc - 1) / Bc);
  const int visits = end_tile - first_tile;
  const float scale_log2 = f.scale * kLog2E;
  const auto load = [&](int visit) __attribute__((always_inline)) {
    if (const int j = end_tile - 1 - visit, slot = visit % kStages; visit < visits) {
      STEP(LoadK, j) {
        load_tile<Bc, D, kThreads, true>(k_tiles + slot * kTileBytes, k + size_t(j) * Bc * D, f.n_k - j * Bc);
      }
      STEP(LoadV, j) {
        load_tile<Bc, D, kThreads, true>(v_tiles + slot * kTileBytes, v + size_t(j) * Bc * D, f.n_k - j * Bc);
      }
    }
    copy_commit();  // an empty group too, so that the wait below counts the same
  };

  float o[1][D / 2];
  RowStats stats[1];
  STEP(LoadQ, 0) { load_tile<kRows, D, kThreads, true>(q_tile, q, group); }
  STEP(InitO, 0) { clear(o); }
  STEP(InitStats, 0) { clear(stats); }
  for (int visit = 0; visit < kStages - 1; ++visit) load(visit);

  for (int visit = 0; visit < visits; ++visit) {
    const int j = end_tile - 1 - visit, slot = visit % kStages;
    STEP(Wait, j) {
      copy_wait<kStages - 2>();
      __syncthreads();  // K_j and V_j are there for every warp, and no warp reads the tiles before any more
    }
    load(visit + kStages - 1);

    // The keys of this warp: rows warp * kKeys and on of the tile.
    const uint32_t place = slot * kTileBytes + warp * kKeys * kPanelRowBytes;
    const bool cut = (j + 1) * Bc > f.n_k;
    float s[1][kKeys / 2], alpha[1][2], shift[1][2];
    uint32_t p[1][kKeys / 4];
    STEP(Score, j) { multiply_q_kt<T, D, kRows, Bc, 1, kKeys>(s, QAddress(q_tile), KAddress(k_tiles + place)); }
    if (cut) {
      STEP(Mask, j) { mask_scores<false>(s[0], 0, j * Bc + warp * kKeys, f.n_k, 0); }
    }
    STEP(RowMax, j) { row_max(s, stats, alpha, shift, scale_log2, true); }
    STEP(Exponentiate, j) { exponentiate(s, shift, scale_log2); }
    STEP(RowSum, j) { row_sum(s, stats, alpha); }
    STEP(Rescale, j) { rescale<true>(o, alpha); }
    STEP(Accumulate, j) {
      pack_rows<T>(p, s);
      multiply_p_v<T, D, Bc, 1, kKeys>(o, p, VAddress(v_tiles + place));
    }
  }

  // The warps' parts become the block's, by the rule of the combine step, in the place of K and V.
  copy_wait<0>();
  STEP(Normalize, 0) {
    static_assert((2 + D) * kWarps * kRows * int(sizeof(float)) <= 2 * kStages * kTileBytes);
    merge_warps<D, kWarps>(shared, o, stats, scale_log2, group, [&](int row, int column, float x, float y, float lse) {
      const int head = first_head + row;
      if (splits == 1) {
        static_cast<uint32_t*>(f.o)[(size_t(head) * D + column) / 2] = pack<T>(x, y);
        if (column == 0) f.lse[head] = lse;
      } else {
        const size_t part = size_t(split) * f.heads + head;
        *reinterpret_cast<float2*>(parts.o + part * D + column) = {x, y};
        if (column == 0) parts.lse[part] = lse;
      }
    });
  }
}

// ---- Host -----------------------------------------------------------------------------------------------------------

// Calls use.operator()<T, D>() for the instance that f needs.
template <class Use>
cudaError_t with_instance(const Forward& f, const Use& use) {
  if (f.element == Element::Half)
    return f.d == 64 ? use.template operator()<__half, 64>() : use.template operator()<__half, 128>();
  return f.d == 64 ? use.template operator()<__nv_bfloat16, 64>() : use.template operator()<__nv_bfloat16, 128>();
}

}  // namespace

bool prepare_split_kv(const Forward& f, const char** why) {
  if (f.d != 64 && f.d != 128) return *why = "Split-KV takes d = 64 or 128.", false;
  if (f.n_q != 1) return *why = "Split-KV is for one query a head.", false;
  if (f.kv_heads < 1 || f.heads % f.kv_heads || f.heads / f.kv_heads > kSplitRows || f.n_k < 1)
    return *why = "Split-KV takes 1 to 16 heads of Q for each of K and V, and at least one key.", false;
  const cudaError_t error = with_instance(f, [&]<class T, int D>() {
    return cudaFuncSetAttribute(split_kernel<T, D>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes<D>());
  });
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

size_t workspace_bytes_split_kv(const Forward& f, int splits) {
  const int made = splits_made(f.n_k, f.d, splits);
  return made == 1 ? 0 : size_t(made) * f.heads * (f.d + 1) * sizeof(float);
}

cudaError_t launch_split_kv(const Forward& f, int splits, cudaStream_t stream) {
  if (splits < 1 || splits > kMostSplits) return cudaErrorInvalidValue;
  return with_instance(f, [&]<class T, int D>() {
    const int made = splits_made(f.n_k, D, splits), tiles = (f.n_k + split_keys(D) - 1) / split_keys(D);
    const Parts parts = Parts::of(f, made);
    split_kernel<T, D><<<unsigned(f.kv_heads * made), kThreads, shared_bytes<D>(), stream>>>(
        f, made, (tiles + splits - 1) / splits, parts);
    if (const cudaError_t error = cudaGetLastError(); error || made == 1) return error;
    combine_kernel<T, D>
        <<<unsigned((f.heads + kCombineWarps - 1) / kCombineWarps), kCombineWarps * 32, 0, stream>>>(f, made, parts);
    return cudaGetLastError();
  });
}

cudaError_t resident_blocks_split_kv(const Forward& f, int* blocks) {
  return with_instance(f, [&]<class T, int D>() {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, split_kernel<T, D>, kThreads, shared_bytes<D>());
  });
}

}  // namespace tilewalk::gpu
