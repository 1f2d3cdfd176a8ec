// Latent attention: decoding on the compressed cache of DeepSeek-V2 (arXiv:2405.04434, section 2.1). Compute capability
// 9.0: its tiles need 225 KB of shared memory.
//
// The idea: the cache holds for each token one latent of 512 numbers and one RoPE key of 64, for all heads. The matrix
// that makes a head's key of the latent is multiplied into the query instead, once, before; so the row of the cache is
// every head's key, and its first 512 numbers are every head's value. What is loaded as K is not loaded again as V.
//
//   cache, a row a token  | latent, 512                 | RoPE key, 64 |
//   K of all heads        |-------------- 576 columns ----------------|     S = Q K^T
//   V of all heads        |-------- 512 columns --------|                   O += P V
//
//   where            what                                                                 bytes
//   shared memory    Q tile  [64 heads, 576]                                              72 KB
//                    cache tile  [64 tokens, 576], two of them                           144 KB
//                    P  [64 heads, 64 tokens], 16 bits; a max a row and half               8.5 KB
//   registers        warp w: rows 16 (w % 4) and on; keys 32 (w / 4) and on of S           16 a thread
//                            rows 16 (w % 4) and on; columns 256 (w / 4) and on of O      128 a thread
//
// The heads of one query are the rows of a Q tile: 128 heads are two blocks for each split of the tokens. The two warps
// of 16 rows halve the tokens for S and the columns for O; between them they exchange the rows' max and P.
//
// What limits it: shared memory. A token costs 2 * 128 (576 + 512) FLOP for 1,152 bytes, 242 a byte, where a cache of
// all heads' K and V has 1: decoding is no longer bound by DRAM. mma.sync reads both operands from shared memory.
//
// New against split-KV: V is a part of K; 64 rows of Q, all real; O is too wide for one warp.
#include "kernels/relatives.h"

#include "kernels/common/combine.cuh"
#include "kernels/common/pitched_tile.cuh"
#include "kernels/common/slabs.cuh"
#include "kernels/common/step.cuh"

namespace tilewalk::gpu {
namespace {

constexpr int kWarps = 8, kThreads = kWarps * 32, kSlabs = kLatentHeads / 16, kStages = 2;
constexpr int Br = kLatentHeads, Bc = kLatentKeys, kKeys = Bc / 2, kColumns = kLatent / 2;  // a warp's of S, and of O
constexpr int kTileBytes = Bc * kLatentRow * 2, kPBytes = Br * Bc * 2;
constexpr int kSharedBytes = Br * kLatentRow * 2 + kStages * kTileBytes + kPBytes + 2 * Br * int(sizeof(float));

template <class T>
__global__ void __launch_bounds__(kThreads)
    latent_kernel(const Forward f, const int splits, const int tiles_each, const Parts parts) {
  constexpr bool kTraced = false;
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t q_tile = shared_address(shared), cache_tiles = q_tile + Br * kLatentRow * 2,
                 p_tile = cache_tiles + kStages * kTileBytes;
  float* const of_half = reinterpret_cast<float*>(shared + (p_tile - q_tile) + kPBytes);  // [half, row]
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, slab = warp % kSlabs, half = warp / kSlabs;
  Tracer<kTraced> trace({}, warp, lane == 0);

  const int heads = f.heads / f.kv_heads, groups = (heads + Br - 1) / Br;  // of a sequence
  const int group = int(blockIdx.x) % groups, split = int(blockIdx.x) / groups % splits,
            sequence = int(blockIdx.x) / groups / splits;
  const int first_head = sequence * heads + group * Br, rows = min(Br, heads - group * Br);
  const uint16_t* const q = static_cast<const uint16_t*>(f.q) + size_t(first_head) * kLatentRow;
  const uint16_t* const cache = static_cast<const uint16_t*>(f.k) + size_t(sequence) * f.n_k * kLatentRow;

  const int end_tile = min((split + 1) * tiles_each, (f.n_k + Bc - 1) / Bc), visits = end_tile - split * tiles_each;
  const float scale_log2 = f.scale * kLog2E;
  const auto load = [&](int visit) __attribute__((always_inline)) {
    if (const int j = end_tile - 1 - visit; visit < visits) {
      STEP(LoadK, j) {
        load_pitched<Bc, kLatentRow, kThreads>(cache_tiles + visit % kStages * kTileBytes,
                                               cache + size_t(j) * Bc * kLatentRow, kLatentRow, f.n_k - j * Bc);
      }
    }
    copy_commit();
  };
  const int row = slab * 16 + lane / 4;  // the first of the lane, in the tile
  // What the other warp of these 16 rows has for them: each leaves its own and waits for the other.
  const auto meet = [&] { named_barrier_sync(1 + slab, 64); };
  const auto exchange = [&](float(&mine)[2], float(&other)[2]) {
    if (lane % 4 == 0)
      for (int h = 0; h < 2; ++h) of_half[half * Br + row + 8 * h] = mine[h];
    meet();
    for (int h = 0; h < 2; ++h) other[h] = of_half[(1 - half) * Br + row + 8 * h];
  };

  float o[1][kColumns / 2];
  RowStats stats[1];
  STEP(LoadQ, 0) { load_pitched<Br, kLatentRow, kThreads>(q_tile, q, kLatentRow, rows); }
  STEP(InitO, 0) { clear(o); }
  STEP(InitStats, 0) { clear(stats); }
  load(0);

  for (int visit = 0; visit < visits; ++visit) {
    const int j = end_tile - 1 - visit;
    const uint32_t tile = cache_tiles + visit % kStages * kTileBytes;
    STEP(Wait, j) {
      copy_wait<0>();
      __syncthreads();  // the tile is there for every warp, and no warp reads the one before, or P, any more
    }
    load(visit + 1);

    float s[1][kKeys / 2], alpha[1][2], shift[1][2];
    STEP(Score, j) {
      multiply_q_kt<T, kLatentRow, Br, Bc, 1, kKeys>(s, QAddress(q_tile + slab * kSlabBytes),
                                                     KAddress(tile + half * kKeys * kPanelRowBytes));
    }
    if ((j + 1) * Bc > f.n_k) {
      STEP(Mask, j) { mask_scores<false>(s[0], 0, j * Bc + half * kKeys, f.n_k, 0); }
    }
    STEP(RowMax, j) {
      float most[2] = {-INFINITY, -INFINITY}, others[2];
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int n = 0; n < kKeys / 8; ++n)
          most[h] = fmaxf(most[h], fmaxf(s[0][4 * n + 2 * h], s[0][4 * n + 2 * h + 1]));
        most[h] = quad_max(most[h]);
      }
      exchange(most, others);
      for (int h = 0; h < 2; ++h) {
        const float old_shift = __fmul_rn(stats[0].m[h], scale_log2);
        stats[0].m[h] = fmaxf(stats[0].m[h], fmaxf(most[h], others[h]));
        shift[0][h] = __fmul_rn(stats[0].m[h], scale_log2);  // a tile has a token at least: m is no infinity
        alpha[0][h] = exp2_approx(old_shift - shift[0][h]);
      }
    }
    STEP(Exponentiate, j) { exponentiate(s, shift, scale_log2); }
    STEP(RowSum, j) { row_sum(s, stats, alpha); }
    STEP(Rescale, j) { rescale<true>(o, alpha); }
    STEP(Accumulate, j) {
#pragma unroll
      for (int e = 0; e < kKeys / 2; e += 2)
        store_shared(p_tile + uint32_t(chunk_offset<Br>(row + e / 2 % 2 * 8, half * kKeys / 8 + e / 4) + lane % 4 * 4),
                     pack<T>(s[0][e], s[0][e + 1]));
      meet();
      uint32_t p[1][Bc / 4];
      const QAddress from(p_tile + slab * kSlabBytes);
#pragma unroll
      for (int keys = 0; keys < Bc / 16; ++keys) {
        uint32_t a[4];
        load_matrices(a, from[keys]);
#pragma unroll
        for (int e = 0; e < 4; ++e) p[0][4 * keys + e] = a[e];
      }
      multiply_p_v<T, kColumns, Bc, 1>(o, p, VAddress(tile + half * kColumns / kPanelColumns * Bc * kPanelRowBytes));
    }
  }

  STEP(Normalize, 0) {
    float others[2];
    sum_over_quads(stats);
    __syncthreads();
    exchange(stats[0].l, others);
    for (int h = 0; h < 2; ++h) stats[0].l[h] += others[h];
    divide_rows(o, stats);
  }
  float lse[1][2];
  STEP(LogSumExp, 0) { log_sum_exp(lse, stats, scale_log2); }
  STEP(StoreO, 0) {
#pragma unroll
    for (int e = 0; e < kColumns / 2; e += 2) {
      const int r = row + e / 2 % 2 * 8, column = half * kColumns + e / 4 * 8 + lane % 4 * 2;
      if (r >= rows) continue;
      if (splits == 1)
        static_cast<uint32_t*>(f.o)[(size_t(first_head + r) * kLatent + column) / 2] = pack<T>(o[0][e], o[0][e + 1]);
      else
        *reinterpret_cast<float2*>(parts.o + (size_t(split) * f.heads + first_head + r) * kLatent + column) = {
            o[0][e], o[0][e + 1]};
    }
  }
  STEP(StoreLse, 0) {
    float* const to = splits == 1 ? f.lse : parts.lse + size_t(split) * f.heads;
    if (half == 0) store_lse(to + first_head, lse, row, rows);
  }
}

// ---- Host -----------------------------------------------------------------------------------------------------------

// Calls use.operator()<T>() for f's element.
template <class Use>
cudaError_t with_element(const Forward& f, const Use& use) {
  return f.element == Element::Half ? use.template operator()<__half>() : use.template operator()<__nv_bfloat16>();
}
int tiles_of(int n_k) { return (n_k + Bc - 1) / Bc; }
int tiles_each(int n_k, int asked) { return (tiles_of(n_k) + asked - 1) / asked; }

}  // namespace

bool prepare_latent(const Forward& f, const char** why) {
  if (f.d != kLatent || f.n_q != 1) return *why = "Latent attention decodes one query on latents of 512.", false;
  if (f.kv_heads < 1 || f.heads < 1 || f.heads % f.kv_heads || f.n_k < 1)
    return *why = "Latent attention takes as many heads in each sequence, and at least one token.", false;
  const cudaError_t error = with_element(f, [&]<class T>() {
    return cudaFuncSetAttribute(latent_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  });
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

int splits_made_latent(int n_k, int asked) {
  const int each = tiles_each(n_k, asked);
  return (tiles_of(n_k) + each - 1) / each;
}

size_t workspace_bytes_latent(const Forward& f, int splits) {
  const int made = splits_made_latent(f.n_k, splits);
  return made == 1 ? 0 : size_t(made) * f.heads * (kLatent + 1) * sizeof(float);
}

cudaError_t launch_latent(const Forward& f, int splits, cudaStream_t stream) {
  if (splits < 1 || splits > kMostCombined) return cudaErrorInvalidValue;
  return with_element(f, [&]<class T>() {
    const int made = splits_made_latent(f.n_k, splits), groups = (f.heads / f.kv_heads + Br - 1) / Br;
    const Parts parts = Parts::of(f, made);
    latent_kernel<T><<<unsigned(f.kv_heads * made * groups), kThreads, kSharedBytes, stream>>>(
        f, made, tiles_each(f.n_k, splits), parts);
    if (const cudaError_t error = cudaGetLastError(); error || made == 1) return error;
    combine_kernel<T, kLatent>
        <<<unsigned((f.heads + kCombineWarps - 1) / kCombineWarps), kCombineWarps * 32, 0, stream>>>(f, made, parts);
    return cudaGetLastError();
  });
}

}  // namespace tilewalk::gpu
