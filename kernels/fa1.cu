// FlashAttention-1 (arXiv:2205.14135, Algorithm 1), compute capability 8.0 and up.
//
// The paper's lines, under the headings below: 6 LoadK, LoadV; 8 LoadQ, LoadO, LoadStats; 9 Score; 10 and 11 RowMax,
// Exponentiate, RowSum, against the new max at once; 12 Denormalize, Rescale, Accumulate, Normalize, StoreO; 13
// StoreStats. Lines 5 and 7 are the two loops.
//
// The idea: S and P are never whole. A tile of keys and values stays in shared memory while all queries pass by;
// softmax is made online, with a running max m and a running sum l for each row. K/V tiles outside, Q tiles inside:
// what a Q tile has gathered, O, m and l, must wait in memory until the next K/V tile is there.
//
//   where            what                                  d = 128           d = 64
//   shared memory    Q tile  [Br, d], two of them           64 x 128  32 KB   64 x 64  16 KB
//                    K tile, V tile  [Bc, d], one of each   64 x 128  32 KB  128 x 64  32 KB
//   registers        S, later P  [Br, Bc]  fp32            32 a thread       64 a thread
//                    O  [Br, d]  fp32                      64 a thread       32 a thread
//   memory           O  [n_q, d] fp32, kept normalised; m, l  [n_q] fp32: loaded and stored at every visit
//
// One thread block for each head: blocks that share a head would have to take turns on its O. A chip with more
// multiprocessors than heads stands partly idle. Each visit moves Br * (2 d + 4 d + 8) bytes in and Br * (4 d + 8) out,
// and each turn of the outer loop 2 * Bc * 2 d bytes in. The first visit of a Q tile starts O, m and l on chip; a last
// pass rounds O to the output's format and makes L, in threads of its own: one for four elements, one for a row.
//
// O goes past L1 (ld.global.cg): it is far larger, and L2 is where it waits. Tiles go from last to first. The
// four warps split the rows of Q, 16 each. The next Q tile comes while the present one is worked on.
#include "kernels/fa1.h"

#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/tile_mma.cuh"

#include <type_traits>

namespace tilewalk::gpu {
namespace {

constexpr int shared_bytes(int br, int bc, int d) { return (2 * br + 2 * bc) * d * int(sizeof(uint16_t)); }

// What waits in memory between visits: O [heads, n_q, d], then m and l [heads, n_q], all fp32.
struct Waiting {
  float *o, *m, *l;
};
__host__ __device__ inline Waiting waiting_of(const Forward& f) {
  const size_t rows = size_t(f.heads) * f.n_q;
  float* o = static_cast<float*>(f.workspace);
  return {o, o + rows * f.d, o + rows * f.d + rows};
}

// How many K/V tiles the Q tile of `rows` rows from first_row on meets: 0 ... visits - 1.
template <int Bc>
__device__ int visits_of(int first_row, int rows, int n_k, int diagonal) {
  const int last_key = min(n_k, first_row + rows + diagonal) - 1;
  return last_key < 0 ? 0 : last_key / Bc + 1;
}

template <class T, int D, int Br, int Bc, int kWarps, bool kTraced>
__global__ void __launch_bounds__(kWarps * 32)
    fa1_kernel(const Forward f, const int tr, const TraceArgs<kTraced> args) {
  constexpr int kThreads = kWarps * 32, kWarpRows = Br / kWarps, kM = kWarpRows / 16;
  static_assert(kM == 1, "a lane keeps one pair of rows");
  constexpr int kKeyBytes = Bc * D * 2;  // a tile of K or V
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t q_tiles = shared_address(shared);
  const uint32_t k_tile = q_tiles + 2 * Br * D * 2, v_tile = k_tile + kKeyBytes;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace(args, warp, lane == 0);

  const int head = int(blockIdx.x);
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + size_t(head) * f.n_q * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(head) * f.n_k * D;
  const Waiting waiting = waiting_of(f);
  float* const waiting_o = waiting.o + size_t(head) * f.n_q * D;
  float* const waiting_m = waiting.m + size_t(head) * f.n_q;
  float* const waiting_l = waiting.l + size_t(head) * f.n_q;

  // Row r sees key c iff c <= r + diagonal.
  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const float scale_log2 = f.scale * kLog2E;
  const int warp_row = warp * kWarpRows;
  const KAddress k_lane(k_tile);
  const VAddress v_lane(v_tile);

  const int tc = (f.n_k + Bc - 1) / Bc;
  for (int j = tc - 1; j >= 0; --j) {
    const int first_seeing = max(0, j * Bc - diagonal);  // row
    if (first_seeing >= f.n_q) continue;                 // every query lies before these keys
    const int first_i = first_seeing / Br;

    __syncthreads();  // no warp reads the tiles of the turn before any more
    STEP(LoadK, j) { load_tile<Bc, D, kThreads, true>(k_tile, k + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadV, j) { load_tile<Bc, D, kThreads, true>(v_tile, v + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadQ, j) {
      const size_t first_row = size_t(first_i) * Br;
      load_tile<Br, D, kThreads, true>(q_tiles + first_i % 2 * Br * D * 2, q + first_row * D, f.n_q - int(first_row));
      copy_commit();
    }

    const auto visit = [&](int i, auto is_masked) __attribute__((always_inline)) {
      constexpr bool kMasked = decltype(is_masked)::value;
      const int first_row = i * Br, row = first_row + warp_row + lane / 4;  // of the lane; its other row is 8 further
      const uint32_t q_tile = q_tiles + i % 2 * Br * D * 2;
      STEP(Wait, j) {
        copy_wait<0>();
        __syncthreads();  // Q_i, K_j and V_j are there for every warp, and no warp reads Q_(i-1) any more
      }
      STEP(LoadQ, j) {
        if (i + 1 < tr)
          load_tile<Br, D, kThreads, true>(q_tiles + (i + 1) % 2 * Br * D * 2, q + size_t(first_row + Br) * D,
                                           f.n_q - first_row - Br);
        copy_commit();
      }

      // A lane's O: columns 8 n + 2 (lane % 4) and the next of both its rows. A quad takes 32 bytes at once.
      float o[D / 2];
      RowStats stats;
      float* const my_o = waiting_o + size_t(row) * D + lane % 4 * 2;
      if (visits_of<Bc>(first_row, min(Br, f.n_q - first_row), f.n_k, diagonal) - 1 == j) {  // the first visit
        STEP(InitO, j) {
#pragma unroll
          for (int e = 0; e < D / 2; ++e) o[e] = 0.f;
        }
        STEP(InitStats, j) { stats = RowStats{}; }
      } else {
        STEP(LoadO, j) {
#pragma unroll
          for (int e = 0; e < D / 2; e += 2) {
            const int h = e / 2 % 2;
            float2 pair{0.f, 0.f};
            if (row + 8 * h < f.n_q) pair = __ldcg(reinterpret_cast<const float2*>(my_o + 8 * h * D + e / 4 * 8));
            o[e] = pair.x, o[e + 1] = pair.y;
          }
        }
        STEP(LoadStats, j) {
#pragma unroll
          for (int h = 0; h < 2; ++h)
            if (row + 8 * h < f.n_q) {
              stats.m[h] = __ldcg(waiting_m + row + 8 * h);
              stats.l[h] = __ldcg(waiting_l + row + 8 * h);
            }
        }
      }
      STEP(Denormalize, j) { scale_rows(o, stats.l); }

      float s[kM][Bc / 2];
      STEP(Score, j) { multiply_q_kt<T, D, Br, Bc, kM>(s, QAddress(q_tile + warp_row * kPanelRowBytes), k_lane); }
      if constexpr (kMasked) {
        STEP(Mask, j) { mask_scores<true>(s[0], row, j * Bc, f.n_k, diagonal); }
      }

      float alpha[2], shift[2];
      uint32_t p[kM][Bc / 4];
      STEP(RowMax, j) { row_max<false>(s[0], stats.m, alpha, shift, scale_log2, kMasked); }
      STEP(Exponentiate, j) { exponentiate(s[0], shift, scale_log2); }
      STEP(RowSum, j) {
        // The whole row's sum is needed at every visit: l as loaded counts once, not once a lane.
        float sum[2] = {0.f, 0.f};
        const float none[2] = {0.f, 0.f};
        row_sum(s[0], sum, none);
#pragma unroll
        for (int h = 0; h < 2; ++h) stats.l[h] = stats.l[h] * alpha[h] + quad_sum(sum[h]);
      }
      STEP(Rescale, j) { scale_rows(o, alpha); }
      STEP(Accumulate, j) {
        pack_rows<T>(p[0], s[0]);
        multiply_p_v<T, D, Bc, kM>(reinterpret_cast<float(&)[kM][D / 2]>(o), p, v_lane);
      }
      STEP(Normalize, j) {
        const float inverse[2] = {reciprocal(stats.l[0]), reciprocal(stats.l[1])};
        scale_rows(o, inverse);
      }
      STEP(StoreO, j) {
#pragma unroll
        for (int e = 0; e < D / 2; e += 2) {
          const int h = e / 2 % 2;
          if (row + 8 * h < f.n_q)
            __stcg(reinterpret_cast<float2*>(my_o + 8 * h * D + e / 4 * 8), make_float2(o[e], o[e + 1]));
        }
      }
      STEP(StoreStats, j) {
        if (lane % 4 == 0)
#pragma unroll
          for (int h = 0; h < 2; ++h)
            if (row + 8 * h < f.n_q) {
              __stcg(waiting_m + row + 8 * h, stats.m[h]);
              __stcg(waiting_l + row + 8 * h, stats.l[h]);
            }
      }
      TRACED {
        if (head == args.to.head && args.to.m) {
          // record_stats() sums l over a quad, where here every lane has all of it.
          RowStats part = stats;
          for (float& l : part.l) l *= 0.25f;
          record_stats(part, args.to.m + size_t(j) * f.n_q, args.to.l + size_t(j) * f.n_q, row, f.n_q, scale_log2);
        }
      }
    };
    // Q tiles that the diagonal crosses come first. A last K/V tile that ends early is masked for all of them.
    const bool ragged = (j + 1) * Bc > f.n_k;
    const int unmasked = ragged ? tr : min(tr, (max(0, (j + 1) * Bc - 1 - diagonal) + Br - 1) / Br);
    int i = first_i;
    for (; i < unmasked; ++i) visit(i, std::true_type{});
    for (; i < tr; ++i) visit(i, std::false_type{});
  }
  trace.finish();
}

// The last pass: one thread block for each Q tile of each head.
template <class T, int D, int Br, int Bc, int kWarps>
__global__ void __launch_bounds__(kWarps * 32) fa1_convert(const Forward f, const int tr) {
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  const int head = int(blockIdx.x) / tr, first_row = int(blockIdx.x) % tr * Br, rows = min(Br, f.n_q - first_row);
  const size_t begin = size_t(head) * f.n_q + first_row;
  const Waiting waiting = waiting_of(f);
  const bool visited = visits_of<Bc>(first_row, rows, f.n_k, f.causal ? f.n_k - f.n_q : f.n_k) > 0;

  for (int e = int(threadIdx.x) * 4; e < rows * D; e += kWarps * 32 * 4) {
    float4 o{0.f, 0.f, 0.f, 0.f};
    STEP(LoadO, 0) {
      if (visited) o = __ldcg(reinterpret_cast<const float4*>(waiting.o + begin * D + e));
    }
    uint2 out;
    STEP(Convert, 0) { out = {pack<T>(o.x, o.y), pack<T>(o.z, o.w)}; }
    STEP(StoreO, 0) { *reinterpret_cast<uint2*>(static_cast<uint16_t*>(f.o) + begin * D + e) = out; }
  }
  for (int r = int(threadIdx.x); r < rows; r += kWarps * 32) {
    float m = -INFINITY, l = 0.f;
    STEP(LoadStats, 0) {
      if (visited) m = __ldcg(waiting.m + begin + r), l = __ldcg(waiting.l + begin + r);
    }
    float lse;
    STEP(LogSumExp, 0) { lse = log_sum_exp(m, l, f.scale * kLog2E); }
    STEP(StoreLse, 0) { f.lse[begin + r] = lse; }
  }
}

// Calls `use` with the instances of both kernels for this problem, and their shape.
template <KernelId kId, bool kTraced, class Use>
cudaError_t with_kernels(const Forward& f, Use use) {
  const auto of_shape = [&]<class T, int D>() {
    constexpr KernelShape kShape = kernel_shape(kId, D);
    return use(fa1_kernel<T, D, kShape.br, kShape.bc, kShape.warps, kTraced>,
               fa1_convert<T, D, kShape.br, kShape.bc, kShape.warps>, kShape);
  };
  const bool half = f.element == Element::Half;
  if (f.d == 64)
    return half ? of_shape.template operator()<__half, 64>() : of_shape.template operator()<__nv_bfloat16, 64>();
  if (f.d == 128)
    return half ? of_shape.template operator()<__half, 128>() : of_shape.template operator()<__nv_bfloat16, 128>();
  return cudaErrorInvalidValue;
}

template <KernelId kId, bool kTraced>
cudaError_t launch(const Forward& f, const TraceArgs<kTraced>& args, cudaStream_t stream) {
  return with_kernels<kId, kTraced>(f, [&](auto kernel, auto convert, KernelShape shape) {
    const int tr = (f.n_q + shape.br - 1) / shape.br, threads = shape.warps * 32;
    kernel<<<f.heads, threads, shared_bytes(shape.br, shape.bc, f.d), stream>>>(f, tr, args);
    convert<<<unsigned(tr) * f.heads, threads, 0, stream>>>(f, tr);
    return cudaGetLastError();
  });
}

template <KernelId kId>
cudaError_t prepare(const Forward& f) {
  const auto allow = [&](auto kernel, auto, KernelShape shape) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                shared_bytes(shape.br, shape.bc, f.d));
  };
  const cudaError_t error = with_kernels<kId, false>(f, allow);
  return error ? error : with_kernels<kId, true>(f, allow);
}

}  // namespace

size_t workspace_bytes_fa1(const Forward& f) { return size_t(f.heads) * f.n_q * (f.d + 2) * sizeof(float); }

bool prepare_fa1(KernelId id, const Forward& f, const char** why) {
  const cudaError_t error = id == KernelId::Fa1Small ? prepare<KernelId::Fa1Small>(f) : prepare<KernelId::Fa1>(f);
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

cudaError_t resident_blocks_fa1(const Forward& f, int* blocks) {
  return with_kernels<KernelId::Fa1, false>(f, [&](auto kernel, auto, KernelShape shape) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, shape.warps * 32,
                                                         shared_bytes(shape.br, shape.bc, f.d));
  });
}

cudaError_t launch_fa1(KernelId id, const Forward& f, cudaStream_t stream) {
  return id == KernelId::Fa1Small ? launch<KernelId::Fa1Small, false>(f, {}, stream)
                                  : launch<KernelId::Fa1, false>(f, {}, stream);
}

cudaError_t launch_traced_fa1(KernelId id, const Forward& f, const Trace& trace, cudaStream_t stream) {
  return id == KernelId::Fa1Small ? launch<KernelId::Fa1Small, true>(f, {trace}, stream)
                                  : launch<KernelId::Fa1, true>(f, {trace}, stream);
}

}  // namespace tilewalk::gpu
