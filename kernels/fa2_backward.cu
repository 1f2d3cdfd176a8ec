// FlashAttention-2, the backward pass (arXiv:2307.08691, Algorithm 2), compute capability 8.0 and up.
//
// The paper's lines, under the headings below: 3 InitDQ; 4 DotO; 6 LoadK, LoadV; 7 InitDK, InitDV; 9 LoadQ, LoadDO,
// LoadLse, LoadD; 10 Score; 11 Recompute; 12 AccumulateDV; 13 GradientP; 14 GradientS; 15 AccumulateDQ, AddDQ;
// 16 AccumulateDK; 18 StoreDK, StoreDV. Line 5 is the grid of thread blocks, line 8 the loop over the visits.
//
// The idea: P is not kept by the forward pass but made again from S and L, without a running max. K/V tiles are
// outside: a thread block takes one of them and walks over the Q tiles, so that dK and dV never leave the registers.
// Every block has a part of every dQ, and those meet in memory: fp32, added by the L2 cache in whatever order the
// blocks come, so that dQ's last bits differ from run to run. Three launches: D and dQ = 0; the gradients; dQ in the
// output's format.
//
//   where            what                                     d = 128           d = 64
//   shared memory    K tile, V tile  [Bc, d], one of each      64 x 128  32 KB  128 x 64  32 KB
//                    Q tile, dO tile  [Br, d], two of each     64 x 128  64 KB   64 x 64  32 KB
//                    dS^T  [Bc, Br]                             64 x 64   8 KB  128 x 64  16 KB
//                    P^T  [Bc, Br]                              64 x 64   8 KB  none
//                    L, D  [Br], two of each                              1 KB             1 KB
//   registers        S^T, later P^T, and dP^T, later dS^T      32 + 32 a thread  32 + 32, half of Br at a time
//                    dK, dV  [Bc, d]  fp32                     64 + 64 a thread  64 + 64 a thread
//                    dQ  [Br, d]  fp32, of one visit           64 a thread       32 a thread
//
// New against the forward pass: five matrix products instead of two, and what the shared memory gives per second is
// what runs out. So S and dP are computed transposed, a key a row: then P^T and dS^T lie in the registers just as the
// left operands of P^T dO and dS^T Q want them, and each warp keeps 32 keys to itself. At d = 64 its rows of dK and dV
// fit; at d = 128 two warps share 32 keys: each scores half of the queries and sums half of the columns, and the other
// half's P^T and dS^T come through shared memory. dQ needs all keys of the tile: its left operand, dS, is read from
// there by all warps.
//
// Copies run under the arithmetic: the next Q and dO come while this visit computes. Two blocks share a multiprocessor,
// so that one computes while the other waits. Q tiles go from last to first: under a causal mask the tiles that are cut
// come last.
#include "kernels/fa2_backward.h"

#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/tile_mma.cuh"
#include "kernels/fa2_backward_rows.cuh"

#include <algorithm>
#include <climits>
#include <type_traits>

namespace tilewalk::gpu {
namespace {

constexpr int kKeyRows = 32;  // keys of a warp

// How the warps of a block share a visit, and what lies where in shared memory.
template <int D, int Br, int Bc, int kWarps>
struct Layout {
  static constexpr int kThreads = kWarps * 32;
  static constexpr int kM = kKeyRows / 16;                 // slabs of 16 keys a warp
  static constexpr int kSharing = kWarps * kKeyRows / Bc;  // warps that share their keys: 1 or 2
  static constexpr int kColumns = D / kSharing;            // of dK and dV that a warp sums
  static constexpr int kQueries = Br / kSharing;           // that a warp scores,
  static constexpr int kStrip = 32;                        // so many at a time
  static constexpr int kStrips = kQueries / kStrip;
  static_assert(kSharing == 1 || (kSharing == 2 && kColumns == kPanelColumns && kStrips == 1));
  // dQ: 32 rows a warp, and the columns that are left.
  static constexpr int kRowGroups = Br / 32, kQColumns = D * kRowGroups / kWarps;

  static constexpr int kKeyBytes = Bc * D * 2, kQueryBytes = Br * D * 2, kScoreBytes = Bc * Br * 2;
  static constexpr int kPanelBytes = Br * kPanelRowBytes;  // of Q and dO
  static constexpr int kK = 0, kV = kKeyBytes;             // where each begins
  static constexpr int kQ = 2 * kKeyBytes, kDO = kQ + 2 * kQueryBytes;
  static constexpr int kDS = kDO + 2 * kQueryBytes, kP = kDS + kScoreBytes;
  static constexpr int kStats = kSharing == 2 ? kP + kScoreBytes : kP;
  static constexpr int kStatsBytes = 2 * Br * int(sizeof(float));
  static constexpr int kBytes = kStats + 2 * kStatsBytes;
};

// P^T or dS^T of a strip, as pack_rows() leaves it, into a tile [Bc, Br]: rows from `row` on, columns from 8 `chunk`
// on.
template <int Bc, int kM, int N>
TILEWALK_PTX void store_scores(uint32_t tile, const uint32_t (&p)[kM][N], int row, int chunk) {
  const int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int m = 0; m < kM; ++m)
#pragma unroll
    for (int n = 0; n < N; ++n)
      store_shared(tile + chunk_offset<Bc>(row + 16 * m + n % 2 * 8 + lane / 4, chunk + n / 2) + lane % 4 * 4, p[m][n]);
}

template <class T, int D, int Br, int Bc, int kWarps>
__global__ void __launch_bounds__(kWarps * 32, kWarps == 4 ? 2 : 1)
    fa2_backward(const Request r, const Workspace space) {
  constexpr bool kTraced = false;
  using L = Layout<D, Br, Bc, kWarps>;
  constexpr int kM = L::kM, kStrip = L::kStrip;
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t base = shared_address(shared);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);

  const int tc = (r.n_k + Bc - 1) / Bc, tr = (r.n_q + Br - 1) / Br;
  const int head = int(blockIdx.x) / tc, j = int(blockIdx.x) % tc;
  const int first_key = j * Bc, keys = min(Bc, r.n_k - first_key);
  const uint16_t* q = static_cast<const uint16_t*>(r.q) + size_t(head) * r.n_q * D;
  const uint16_t* d_o = static_cast<const uint16_t*>(r.d_o) + size_t(head) * r.n_q * D;
  const float* stats = space.stats + head * space.padded * 2;
  float* const dq_sum = space.dq + head * space.padded * D;

  // Key c is seen by row r iff r >= c - diagonal. Q tiles tr - 1 ... first are met, those from `whole` on unmasked.
  const int diagonal = r.causal ? r.n_k - r.n_q : r.n_k;
  const int first = max(0, first_key - diagonal) / Br;
  const int whole = keys < Bc ? tr : (max(0, first_key + Bc - 1 - diagonal) + Br - 1) / Br;
  const float scale_log2 = r.scale * kLog2E;

  // Whose keys, whose half of the queries and of the columns; of dQ whose rows and columns.
  const int key_warp = warp / L::kSharing, half = warp % L::kSharing;
  const int warp_key = key_warp * kKeyRows;
  const int q_rows = warp % L::kRowGroups * 32, q_column = warp / L::kRowGroups * L::kQColumns;
  const QAddress k_lane(base + L::kK + warp_key * kPanelRowBytes);  // K, and V a constant away
  const KAddress q_lane(base + L::kQ);                              // Q, as right operand of S^T; dO of dP^T
  const VAddress q_rows_lane(base + L::kQ);                         // Q, as right operand of dK; dO of dV
  uint32_t ds_lane[2], k_columns_lane[L::kQColumns / 16];
#pragma unroll
  for (int m = 0; m < 2; ++m) {
    const int step = q_rows / 16 + m;
    ds_lane[m] = KAddress::at(base + L::kDS + step / 4 * Bc * kPanelRowBytes, step % 4);
  }
#pragma unroll
  for (int c = 0; c < L::kQColumns / 16; ++c) {
    const int step = q_column / 16 + c;
    k_columns_lane[c] = VAddress::at(base + L::kK + step / 4 * Bc * kPanelRowBytes, step % 4);
  }

  const auto load_visit = [&](int i, auto is_last) __attribute__((always_inline)) {
    constexpr bool kChecked = decltype(is_last)::value;  // the last Q tile may be cut
    const int stage = i % 2;
    STEP(LoadQ, i) {
      load_tile<Br, D, L::kThreads, kChecked>(base + L::kQ + stage * L::kQueryBytes, q + size_t(i) * Br * D,
                                              r.n_q - i * Br);
    }
    STEP(LoadDO, i) {
      load_tile<Br, D, L::kThreads, kChecked>(base + L::kDO + stage * L::kQueryBytes, d_o + size_t(i) * Br * D,
                                              r.n_q - i * Br);
    }
    STEP(LoadLse, i) {
      STEP(LoadD, i) {
        if (const int t = int(threadIdx.x); t < L::kStatsBytes / 16)
          copy_async(base + L::kStats + stage * L::kStatsBytes + t * 16, stats + i * 2 * Br + t * 4, true);
      }
    }
    copy_commit();
  };

  float dk[kM][L::kColumns / 2], dv[kM][L::kColumns / 2];
  STEP(LoadK, j) {
    load_tile<Bc, D, L::kThreads, true>(
        base + L::kK, static_cast<const uint16_t*>(r.k) + (size_t(head) * r.n_k + first_key) * D, keys);
  }
  STEP(LoadV, j) {
    load_tile<Bc, D, L::kThreads, true>(
        base + L::kV, static_cast<const uint16_t*>(r.v) + (size_t(head) * r.n_k + first_key) * D, keys);
  }
  load_visit(tr - 1, std::true_type{});
  STEP(InitDK, j) {
#pragma unroll
    for (int m = 0; m < kM; ++m)
#pragma unroll
      for (int e = 0; e < L::kColumns / 2; ++e) dk[m][e] = 0.f;
  }
  STEP(InitDV, j) {
#pragma unroll
    for (int m = 0; m < kM; ++m)
#pragma unroll
      for (int e = 0; e < L::kColumns / 2; ++e) dv[m][e] = 0.f;
  }

  for (int i = tr - 1; i >= first; --i) {
    STEP(Wait, i) {
      copy_wait<0>();
      __syncthreads();  // Q_i and dO_i are there for every warp, and none reads the visit before's, nor its dS
    }
    if (i > first) load_visit(i - 1, std::false_type{});

    const uint32_t of_stage = i % 2 * L::kQueryBytes;
    const uint32_t to_do = of_stage + L::kDO - L::kQ, to_columns = half * L::kPanelBytes;
    // L of two queries, and D of them Br / 2 further on.
    const auto* const stage_stats = reinterpret_cast<const float2*>(shared + L::kStats + i % 2 * L::kStatsBytes);
#pragma unroll
    for (int strip = 0; strip < L::kStrips; ++strip) {
      const int query = half * L::kQueries + strip * kStrip;  // of the tile
      const uint32_t to_query = query * kPanelRowBytes;
      float s[kM][kStrip / 2], dp[kM][kStrip / 2];
      uint32_t packed[kM][kStrip / 4];
      STEP(Score, i) { multiply_q_kt<T, D, Bc, Br, kM, kStrip>(s, k_lane, q_lane.moved(of_stage + to_query)); }
      if (i < whole) {
        STEP(Mask, i) {
#pragma unroll
          for (int m = 0; m < kM; ++m)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
              const int key = first_key + warp_key + 16 * m + 8 * h + lane / 4;
              // The first query that sees the key, counted from the thread's first column.
              const int seen = (key < r.n_k ? key - diagonal : INT_MAX / 2) - i * Br - query - lane % 4 * 2;
#pragma unroll
              for (int n = 0; n < kStrip / 8; ++n) {
                if (8 * n < seen) s[m][4 * n + 2 * h] = -INFINITY;
                if (8 * n + 1 < seen) s[m][4 * n + 2 * h + 1] = -INFINITY;
              }
            }
        }
      }
      STEP(Recompute, i) {
#pragma unroll
        for (int n = 0; n < kStrip / 8; ++n) {
          const float2 lse = stage_stats[query / 2 + 4 * n + lane % 4];
#pragma unroll
          for (int m = 0; m < kM; ++m)
#pragma unroll
            for (int e = 4 * n; e < 4 * n + 4; ++e)
              s[m][e] = exp2_approx(s[m][e] * scale_log2 - (e % 2 ? lse.y : lse.x));
        }
      }
      STEP(AccumulateDV, i) {
#pragma unroll
        for (int m = 0; m < kM; ++m) pack_rows<T>(packed[m], s[m]);
        if constexpr (L::kSharing == 2) store_scores<Bc>(base + L::kP, packed, warp_key, query / 8);
        multiply_p_v<T, L::kColumns, Br, kM, kStrip>(dv, packed, q_rows_lane.moved(to_do + to_columns + to_query));
      }
      STEP(GradientP, i) {
        multiply_q_kt<T, D, Bc, Br, kM, kStrip>(dp, k_lane.moved(L::kV), q_lane.moved(to_do + to_query));
      }
      STEP(GradientS, i) {
#pragma unroll
        for (int n = 0; n < kStrip / 8; ++n) {
          const float2 dot = stage_stats[(Br + query) / 2 + 4 * n + lane % 4];
#pragma unroll
          for (int m = 0; m < kM; ++m)
#pragma unroll
            for (int e = 4 * n; e < 4 * n + 4; ++e) dp[m][e] = s[m][e] * (dp[m][e] - (e % 2 ? dot.y : dot.x));
        }
#pragma unroll
        for (int m = 0; m < kM; ++m) pack_rows<T>(packed[m], dp[m]);
        store_scores<Bc>(base + L::kDS, packed, warp_key, query / 8);
      }
      STEP(AccumulateDK, i) {
        multiply_p_v<T, L::kColumns, Br, kM, kStrip>(dk, packed, q_rows_lane.moved(of_stage + to_columns + to_query));
      }
    }
    STEP(Wait, i) { __syncthreads(); }  // P^T and dS^T of all warps are there

    if constexpr (L::kSharing == 2) {
      const int query = (1 - half) * L::kQueries;  // what the other warp scored
      const uint32_t to_query = query * kPanelRowBytes;
      uint32_t packed[kM][kStrip / 4];
      const auto load_scores = [&](int tile) __attribute__((always_inline)) {
#pragma unroll
        for (int m = 0; m < kM; ++m)
#pragma unroll
          for (int k = 0; k < kStrip / 16; ++k)
            load_matrices(reinterpret_cast<uint32_t(&)[4]>(packed[m][4 * k]),
                          QAddress::at(base + tile + (warp_key + 16 * m) * kPanelRowBytes, query / 16 + k));
      };
      STEP(AccumulateDV, i) {
        load_scores(L::kP);
        multiply_p_v<T, L::kColumns, Br, kM, kStrip>(dv, packed, q_rows_lane.moved(to_do + to_columns + to_query));
      }
      STEP(AccumulateDK, i) {
        load_scores(L::kDS);
        multiply_p_v<T, L::kColumns, Br, kM, kStrip>(dk, packed, q_rows_lane.moved(of_stage + to_columns + to_query));
      }
    }

    float dq[2][L::kQColumns / 2];
    STEP(AccumulateDQ, i) {
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int e = 0; e < L::kQColumns / 2; ++e) dq[m][e] = 0.f;
#pragma unroll
      for (int k = 0; k < Bc / 16; ++k) {
        uint32_t a[2][4];
#pragma unroll
        for (int m = 0; m < 2; ++m) load_matrices_transposed(a[m], ds_lane[m] + k * kSlabBytes);
#pragma unroll
        for (int c = 0; c < L::kQColumns / 16; ++c) {
          uint32_t b[4];
          load_matrices_transposed(b, k_columns_lane[c] + k * kSlabBytes);
#pragma unroll
          for (int m = 0; m < 2; ++m) {
            mma_m16n8k16<T>(&dq[m][8 * c], a[m], b[0], b[1]);
            mma_m16n8k16<T>(&dq[m][8 * c + 4], a[m], b[2], b[3]);
          }
        }
      }
    }
    STEP(AddDQ, i) {
      float* to = dq_sum + (size_t(i) * Br + q_rows) * D;
      if constexpr (L::kSharing == 2) {
        int h = head;
        pin(h);  // dq_sum would be kept in registers that dQ needs
        to = space.dq + (h * space.padded + i * Br + q_rows) * D;
      }
      to += fragment_offset<D>(q_column / 8, lane);
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < L::kQColumns / 8; ++n)
          add_in_memory(to + m * 16 * D + fragment_offset<D>(n, 0), &dq[m][4 * n]);
    }
  }

  // Every warp writes over the K and V of its own keys.
  copy_wait<0>();
  __syncthreads();
  const size_t at = (size_t(head) * r.n_k + first_key) * D + half * kPanelColumns;
  const int panel = half * Bc * kPanelRowBytes;
  STEP(StoreDK, j) {
    const float scales[2] = {r.scale, r.scale};
#pragma unroll
    for (int m = 0; m < kM; ++m) scale_rows(dk[m], scales);
    store_rows<T, L::kColumns, Bc, D>(static_cast<uint16_t*>(r.dk) + at, dk, shared + L::kK + panel, warp_key, keys);
  }
  STEP(StoreDV, j) {
    store_rows<T, L::kColumns, Bc, D>(static_cast<uint16_t*>(r.dv) + at, dv, shared + L::kV + panel, warp_key, keys);
  }
}

// ---- launches ------------------------------------------------------------------------------------------------------

constexpr KernelShape shape_of(int d) { return kernel_shape(Method::Fa2Backward, d); }

// Calls `use` with the instances of the three kernels for this problem, the shared memory and the shape.
template <class Use>
cudaError_t with_kernels(const Request& r, Use use) {
  constexpr KernelShape kNarrow = shape_of(64), kWide = shape_of(128);
  constexpr int kNarrowBytes = Layout<64, kNarrow.br, kNarrow.bc, kNarrow.warps>::kBytes;
  constexpr int kWideBytes = Layout<128, kWide.br, kWide.bc, kWide.warps>::kBytes;
  const auto of = [&]<class T>(T) {
    if (r.d == 64)
      return use(dot_rows<T, 64, kNarrow.br>, fa2_backward<T, 64, kNarrow.br, kNarrow.bc, kNarrow.warps>,
                 convert_dq<T, 64>, kNarrowBytes, kNarrow);
    return use(dot_rows<T, 128, kWide.br>, fa2_backward<T, 128, kWide.br, kWide.bc, kWide.warps>, convert_dq<T, 128>,
               kWideBytes, kWide);
  };
  if (r.d != 64 && r.d != 128) return cudaErrorInvalidValue;
  return r.element == Element::Half ? of(__half{}) : of(__nv_bfloat16{});
}

}  // namespace

size_t workspace_bytes_fa2_backward(const Request& r) {
  const int64_t rows = r.heads * padded_rows(r.n_q, shape_of(r.d).br);
  return size_t(rows) * (size_t(r.d) * sizeof(float) + sizeof(float2));
}

bool prepare_fa2_backward(const Request& r, const char** why) {
  const auto allow = [](auto, auto gradients, auto, int bytes, KernelShape) {
    return cudaFuncSetAttribute(gradients, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  const cudaError_t error = with_kernels(r, allow);
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

cudaError_t resident_blocks_fa2_backward(const Request& r, int* blocks) {
  return with_kernels(r, [&](auto, auto gradients, auto, int bytes, KernelShape shape) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, gradients, shape.warps * 32, bytes);
  });
}

cudaError_t launch_fa2_backward(const Request& r, cudaStream_t stream) {
  return with_kernels(r, [&](auto dot, auto gradients, auto convert, int bytes, KernelShape shape) {
    const Workspace space = Workspace::of(r, shape.br);
    const int64_t rows = r.heads * space.padded, tc = (int64_t(r.n_k) + shape.bc - 1) / shape.bc;
    const auto blocks = [](int64_t threads) { return unsigned((threads + kRowThreads - 1) / kRowThreads); };
    dot<<<blocks(rows * (r.d / 8)), kRowThreads, 0, stream>>>(r, space);
    gradients<<<unsigned(r.heads * tc), shape.warps * 32, bytes, stream>>>(r, space);
    convert<<<blocks(rows / 16 * r.d), kRowThreads, 0, stream>>>(r, space);
    return cudaGetLastError();
  });
}

}  // namespace tilewalk::gpu
