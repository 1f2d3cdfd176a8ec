// Differential attention (arXiv:2410.05258): O = softmax(Q1 K1^T) V - lambda softmax(Q2 K2^T) V. Compute capability 8.0
// and up.
//
// The idea: both maps weigh the same V. Two calls read V twice, write two O and read them again to subtract; one block
// that works on both maps reads K1, K2 and V once, and the difference never leaves the chip before it is made.
//
//   warps 1 to 4    S1 = Q1 K1^T   m1, l1   O1 += P1 V      each as in FA2, 32 rows a warp
//   warps 5 to 8    S2 = Q2 K2^T   m2, l2   O2 += P2 V      on the same tile of V
//   at the end      O2 / l2 through shared memory, O = O1 / l1 - lambda O2 / l2
//
//   where            what                                      both maps
//   shared memory    Q1, Q2 tiles  [128, 64]                   2 x 16 KB
//                    K1, K2 tiles  [64, 64]                    2 x  8 KB
//                    V tile  [64, 128]                             16 KB
//   registers        S, later P  [32, 64] a warp, fp32         64 a thread
//                    O  [32, 128] a warp, fp32                128 a thread
//
// What limits it: what limits FA2, since the products are the same; a tile of 64 keys costs 32 KB where two calls load
// 48. The other half of the kernel, one map alone, is those calls' (kMaps = 1).
//
// New against FA2: two groups of warps on one V, and rows of V that are twice as wide as those of K.
#include "kernels/relatives.h"

#include "core/kernel/launch_order.h"
#include "kernels/common/slabs.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/tile_mma.cuh"

namespace tilewalk::gpu {
namespace {

constexpr int D = kDifferentialWidth, kWide = 2 * D, Br = kDifferentialRows, Bc = kDifferentialKeys;
constexpr int kMapThreads = 128, kWarpRows = 32, kM = kWarpRows / 16;
constexpr int kQBytes = Br * D * 2, kKBytes = Bc * D * 2, kVBytes = Bc * kWide * 2;
// Tiles; at the end O2 in fp32, and what store_rows() needs.
template <int kMaps>
constexpr int shared_bytes() {
  const int tiles = kMaps * (kQBytes + kKBytes) + kVBytes, end = kMaps == 2 ? Br * kWide * 4 : Br * kWide * 2;
  return tiles > end ? tiles : end;
}

// Both maps, or the one that `map` names, with lambda 0 and an O of its own.
template <class T, int kMaps>
__global__ void __launch_bounds__(kMaps* kMapThreads)
    differential_kernel(const Forward f, const float lambda, const int only) {
  constexpr int kThreads = kMaps * kMapThreads;
  constexpr bool kTraced = false;
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t q_tiles = shared_address(shared), k_tiles = q_tiles + kMaps * kQBytes,
                 v_tile = k_tiles + kMaps * kKBytes;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32 % 4, map = int(threadIdx.x) / kMapThreads;
  Tracer<kTraced> trace({}, warp, lane == 0);

  const int tr = (f.n_q + Br - 1) / Br;
  const auto [head, i] = launched_as(int(blockIdx.x), f.heads, tr, f.causal ? kDifferentialGroup : 1);
  const int first_row = i * Br, rows = min(Br, f.n_q - first_row);
  const auto rows_of = [&](const void* tensor, int m, int n, int width) {  // of this head, of a map
    return static_cast<const uint16_t*>(tensor) + size_t(m * f.heads + head) * n * width;
  };
  const uint16_t* const v = rows_of(f.v, 0, f.n_k, kWide);
  const auto load_k = [&](int j) __attribute__((always_inline)) {
#pragma unroll
    for (int m = 0; m < kMaps; ++m)
      load_tile<Bc, D, kThreads, true>(k_tiles + m * kKBytes, rows_of(f.k, only + m, f.n_k, D) + size_t(j) * Bc * D,
                                       f.n_k - j * Bc);
    copy_commit();
  };

  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const int last_key = min(f.n_k, first_row + rows + diagonal) - 1;
  const int visits = last_key < 0 ? 0 : last_key / Bc + 1;
  const int whole = max(0, min(f.n_k, first_row + diagonal + 1)) / Bc;
  const float scale_log2 = f.scale * kLog2E;
  const int warp_row = warp * kWarpRows, row = first_row + warp_row + lane / 4;  // the first of the lane
  const QAddress q_lane(q_tiles + map * kQBytes + warp_row * kPanelRowBytes);
  const KAddress k_lane(k_tiles + map * kKBytes);
  const VAddress v_lane(v_tile);

  float o[kM][kWide / 2];
  RowStats stats[kM];
  STEP(LoadQ, 0) {
#pragma unroll
    for (int m = 0; m < kMaps; ++m)
      load_tile<Br, D, kThreads, true>(q_tiles + m * kQBytes, rows_of(f.q, only + m, f.n_q, D) + size_t(first_row) * D,
                                       rows);
  }
  STEP(InitO, 0) { clear(o); }
  STEP(InitStats, 0) { clear(stats); }
  STEP(LoadK, visits - 1) {
    if (visits > 0) load_k(visits - 1);
  }

  for (int j = visits - 1; j >= 0; --j) {
    const bool masked = j >= whole;
    STEP(Wait, j) {
      copy_wait<0>();
      __syncthreads();  // K_j of both maps is there for every warp, and no warp reads V_(j+1) any more
    }
    STEP(LoadV, j) {
      load_tile<Bc, kWide, kThreads, true>(v_tile, v + size_t(j) * Bc * kWide, f.n_k - j * Bc);
      copy_commit();
    }
    float s[kM][Bc / 2], alpha[kM][2], shift[kM][2];
    uint32_t p[kM][Bc / 4];
    STEP(Score, j) { multiply_q_kt<T, D, Br, Bc, kM>(s, q_lane, k_lane); }
    if (masked) {
      STEP(Mask, j) { mask_scores(s, row, j * Bc, f.n_k, diagonal); }
    }
    STEP(Wait, j) {
      copy_wait<0>();
      __syncthreads();  // V_j is there for every warp, and no warp reads K_j any more
    }
    STEP(LoadK, j - 1) {
      if (j > 0) load_k(j - 1);
    }
    STEP(RowMax, j) { row_max(s, stats, alpha, shift, scale_log2, masked); }
    STEP(Exponentiate, j) { exponentiate(s, shift, scale_log2); }
    STEP(RowSum, j) { row_sum(s, stats, alpha); }
    STEP(Rescale, j) { rescale<true>(o, alpha); }
    STEP(Accumulate, j) {
      pack_rows<T>(p, s);
      multiply_p_v<T, kWide, Bc, kM>(o, p, v_lane);
    }
  }

  STEP(Normalize, 0) {
    sum_over_quads(stats);
    divide_rows(o, stats);
  }
  float lse[kM][2];
  STEP(LogSumExp, 0) { log_sum_exp(lse, stats, scale_log2); }
  copy_wait<0>();
  __syncthreads();
  if constexpr (kMaps == 2) {
    // A thread of the second map leaves its part of O for the thread of the first that has the same places.
    float* const place = reinterpret_cast<float*>(shared) + threadIdx.x % kMapThreads;
    STEP(Accumulate, 0) {
      if (map == 1) {
#pragma unroll
        for (int e = 0; e < kM * kWide / 2; ++e) place[e * kMapThreads] = o[e / (kWide / 2)][e % (kWide / 2)];
      }
      __syncthreads();
      if (map == 0) {
#pragma unroll
        for (int e = 0; e < kM * kWide / 2; ++e) {
          float& x = o[e / (kWide / 2)][e % (kWide / 2)];
          x = fmaf(-lambda, place[e * kMapThreads], x);
        }
      }
      __syncthreads();
    }
  }
  STEP(StoreO, 0) {
    if (map == 0)
      store_rows<T, kWide, Br>(static_cast<uint16_t*>(f.o) + (size_t(head) * f.n_q + first_row) * kWide, o, shared,
                               warp_row, rows);
  }
  STEP(StoreLse, 0) { store_lse(f.lse + size_t((only + map) * f.heads + head) * f.n_q, lse, row, f.n_q); }
}

// Of the two calls: 8 numbers a thread.
template <class T>
__global__ void subtract_kernel(const uint4* first, const uint4* second, uint4* out, float lambda, size_t count) {
  for (size_t at = blockIdx.x * size_t(blockDim.x) + threadIdx.x; at < count; at += size_t(gridDim.x) * blockDim.x) {
    uint4 a = first[at], b = second[at];
    T *x = reinterpret_cast<T*>(&a), *y = reinterpret_cast<T*>(&b);
#pragma unroll
    for (int e = 0; e < 8; ++e) x[e] = T(fmaf(-lambda, float(y[e]), float(x[e])));
    out[at] = a;
  }
}

// ---- Host -----------------------------------------------------------------------------------------------------------

template <class Use>
cudaError_t with_element(const Forward& f, const Use& use) {
  return f.element == Element::Half ? use.template operator()<__half>() : use.template operator()<__nv_bfloat16>();
}
template <class T, int kMaps>
cudaError_t launch_maps(const Forward& f, float lambda, int only, cudaStream_t stream) {
  differential_kernel<T, kMaps>
      <<<unsigned((f.n_q + Br - 1) / Br * f.heads), kMaps * kMapThreads, shared_bytes<kMaps>(), stream>>>(f, lambda,
                                                                                                          only);
  return cudaGetLastError();
}

}  // namespace

bool prepare_differential(const Forward& f, const char** why) {
  if (f.d != D) return *why = "Differential attention takes d = 64 a map, and V of 128.", false;
  if (f.heads < 1 || f.n_q < 1 || f.n_k < 1 || group_of(f) != 1)
    return *why = "Differential attention takes as many heads of K and V as of Q.", false;
  const cudaError_t error = with_element(f, [&]<class T>() {
    const auto allow = [](auto kernel, int bytes) {
      return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    };
    if (const cudaError_t e = allow(differential_kernel<T, 2>, shared_bytes<2>())) return e;
    return allow(differential_kernel<T, 1>, shared_bytes<1>());
  });
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

cudaError_t launch_differential(const Forward& f, float lambda, cudaStream_t stream) {
  return with_element(f, [&]<class T>() { return launch_maps<T, 2>(f, lambda, 0, stream); });
}

size_t workspace_bytes_two_calls(const Forward& f) { return size_t(2) * f.heads * f.n_q * kWide * 2; }

cudaError_t launch_two_calls(const Forward& f, float lambda, cudaStream_t stream) {
  return with_element(f, [&]<class T>() {
    const size_t bytes = workspace_bytes_two_calls(f) / 2;
    char* const both = static_cast<char*>(f.workspace);
    for (int map = 0; map < 2; ++map) {
      Forward one = f;
      one.o = both + map * bytes;
      if (const cudaError_t error = launch_maps<T, 1>(one, 0.f, map, stream)) return error;
    }
    subtract_kernel<T><<<2048, 256, 0, stream>>>(reinterpret_cast<const uint4*>(both),
                                                 reinterpret_cast<const uint4*>(both + bytes), static_cast<uint4*>(f.o),
                                                 lambda, bytes / 16);
    return cudaGetLastError();
  });
}

}  // namespace tilewalk::gpu
