// Sparse attention: the selected blocks of Native Sparse Attention (arXiv:2502.11089, section 3.4). Compute capability
// 8.0 and up.
//
// The idea: a list says which K/V tiles are met. Queries next to each other choose different blocks, so a Q tile of 128
// queries would meet almost all of them. A Q tile here is one query with all the heads that share K and V: what is
// loaded once serves all of these.
//
//   list of query t    | block 0 | block 7 | block 12 | block 40 |      an entry: which block, and which heads see it
//                           |         |         |          |
//   Q tile [16, d]     head 1 ... head 16 of query t, tile after tile, m, l and O kept as in FA2
//
//   where            what                                             d = 128
//   shared memory    Q tile  [16, d]                                  16 x 128   4 KB
//                    K tile, V tile  [64, d], three of each           64 x 128  96 KB
//   registers        of a warp: S, later P  [16, 16]  fp32            8 a thread
//                    O  [16, d]  fp32                                 64 a thread
//
// Where the heads choose as one, all entries are for all of them. Where each chooses alone, the list holds every block
// that any of them chose: it gets longer, and most rows of S are masked.
//
// What limits it: L2. A tile of 32 KB serves 16 rows, where FA2's serves 128.
//
// New against split-KV: the list in the place of a range of tiles, and rows that an entry leaves out.
#include "kernels/relatives.h"

#include "kernels/common/merge_warps.cuh"
#include "kernels/common/pitched_tile.cuh"
#include "kernels/common/step.cuh"

namespace tilewalk::gpu {
namespace {

constexpr int kWarps = 4, kThreads = kWarps * 32, kStages = 3, kRows = kSelectedGroup, Bc = kSelectedBlock;
constexpr int kWidth = 128, kTileBytes = Bc * kWidth * 2;
constexpr int kSharedBytes = kRows * kWidth * 2 + 2 * kStages * kTileBytes;

// Rows of heads that do not see the block.
template <int N>
TILEWALK_PTX void mask_heads(float (&s)[N], uint32_t heads) {
#pragma unroll
  for (int h = 0; h < 2; ++h)
    if (!(heads >> (threadIdx.x % 32 / 4 + 8 * h) & 1)) {
#pragma unroll
      for (int n = 0; n < N / 4; ++n) s[4 * n + 2 * h] = s[4 * n + 2 * h + 1] = -INFINITY;
    }
}

template <class T>
__global__ void __launch_bounds__(kThreads, 2) sparse_kernel(const Forward f, const SelectedBlocks blocks) {
  constexpr int D = kWidth, kKeys = Bc / kWarps;  // a warp's of a tile's keys
  constexpr bool kTraced = false;
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t k_tiles = shared_address(shared), v_tiles = k_tiles + kStages * kTileBytes,
                 q_tile = v_tiles + kStages * kTileBytes;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace({}, warp, lane == 0);

  const int kv_head = int(blockIdx.x) / f.n_q, query = int(blockIdx.x) % f.n_q;
  const int group = f.heads / f.kv_heads, first_head = kv_head * group;
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + (size_t(first_head) * f.n_q + query) * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(kv_head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(kv_head) * f.n_k * D;
  const uint32_t* const list = blocks.entries + blocks.first[blockIdx.x];
  const int visits = blocks.first[blockIdx.x + 1] - blocks.first[blockIdx.x];
  const int keys = f.causal ? max(0, query + f.n_k - f.n_q + 1) : f.n_k;  // that the query may see at all
  const float scale_log2 = f.scale * kLog2E;

  const auto load = [&](int visit) __attribute__((always_inline)) {
    if (visit < visits) {
      const int j = int(list[visit] & 0xFFFF), slot = visit % kStages;
      STEP(LoadK, j) {
        load_tile<Bc, D, kThreads, true>(k_tiles + slot * kTileBytes, k + size_t(j) * Bc * D, keys - j * Bc);
      }
      STEP(LoadV, j) {
        load_tile<Bc, D, kThreads, true>(v_tiles + slot * kTileBytes, v + size_t(j) * Bc * D, keys - j * Bc);
      }
    }
    copy_commit();  // an empty group too, so that the wait below counts the same
  };

  float o[1][D / 2];
  RowStats stats[1];
  STEP(LoadQ, 0) { load_pitched<kRows, D, kThreads>(q_tile, q, size_t(f.n_q) * D, group); }
  STEP(InitO, 0) { clear(o); }
  STEP(InitStats, 0) { clear(stats); }
  for (int visit = 0; visit < kStages - 1; ++visit) load(visit);

  for (int visit = 0; visit < visits; ++visit) {
    const uint32_t entry = list[visit];
    const int j = int(entry & 0xFFFF), slot = visit % kStages;
    STEP(Wait, j) {
      copy_wait<kStages - 2>();
      __syncthreads();  // K_j and V_j are there for every warp, and no warp reads the tiles before any more
    }
    load(visit + kStages - 1);

    const uint32_t place = slot * kTileBytes + warp * kKeys * kPanelRowBytes;  // of the warp's keys
    float s[1][kKeys / 2], alpha[1][2], shift[1][2];
    uint32_t p[1][kKeys / 4];
    STEP(Score, j) { multiply_q_kt<T, D, kRows, Bc, 1, kKeys>(s, QAddress(q_tile), KAddress(k_tiles + place)); }
    STEP(Mask, j) {
      if ((j + 1) * Bc > keys) mask_scores<false>(s[0], 0, j * Bc + warp * kKeys, keys, 0);
      if (entry >> 16 != 0xFFFF) mask_heads(s[0], entry >> 16);
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

  copy_wait<0>();
  STEP(Normalize, 0) {
    merge_warps<D, kWarps>(shared, o, stats, scale_log2, group, [&](int row, int column, float x, float y, float lse) {
      const size_t at = size_t(first_head + row) * f.n_q + query;
      static_cast<uint32_t*>(f.o)[(at * D + column) / 2] = pack<T>(x, y);
      if (column == 0) f.lse[at] = lse;
    });
  }
}

// ---- Host -----------------------------------------------------------------------------------------------------------

template <class Use>
cudaError_t with_kernel(const Forward& f, const Use& use) {
  return f.element == Element::Half ? use(sparse_kernel<__half>) : use(sparse_kernel<__nv_bfloat16>);
}

}  // namespace

bool prepare_sparse(const Forward& f, const char** why) {
  if (f.d != kWidth) return *why = "Sparse attention takes d = 128.", false;
  if (f.kv_heads < 1 || f.heads % f.kv_heads || f.heads / f.kv_heads > kSelectedGroup || f.n_q < 1 || f.n_k < 1)
    return *why = "Sparse attention takes 1 to 16 heads of Q for each of K and V.", false;
  if (f.n_k > 65536 * Bc || int64_t(f.kv_heads) * f.n_q > 0x7FFFFFFF)
    return *why = "A list names at most 65,536 blocks.", false;
  const cudaError_t error = with_kernel(f, [](auto kernel) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  });
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

cudaError_t launch_sparse(const Forward& f, const SelectedBlocks& blocks, cudaStream_t stream) {
  return with_kernel(f, [&](auto kernel) {
    kernel<<<unsigned(f.kv_heads * f.n_q), kThreads, kSharedBytes, stream>>>(f, blocks);
    return cudaGetLastError();
  });
}

}  // namespace tilewalk::gpu
