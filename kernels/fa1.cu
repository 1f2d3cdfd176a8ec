// FlashAttention-1 (arXiv:2205.14135, Algorithm 1), in two forms of one kernel.
//
//   Algorithm 1    fa1-paper   a thread block walks a whole head; tiles by the paper's rule for this chip's SRAM:
//                              Bc = ceil(M / 4d), Br = min(Bc, d). Compute capability 9.0 and up.
//   as released    fa1         K/V tiles of 128 keys at d = 128, of 256 at d = 64; where batch and heads alone leave
//                              multiprocessors idle, several blocks share a head. Compute capability 8.0 and up.
//
// The paper's lines, under the headings below: 6 LoadK, LoadV; 8 LoadQ, LoadO, LoadStats; 9 Score; 10 and 11 RowMax,
// Exponentiate, RowSum, against the new max at once; 12 Denormalize, Rescale, Accumulate, Normalize, StoreO; 13
// StoreStats. Lines 5 and 7 are the two loops.
//
// The idea: S and P are never whole. A tile of keys and values stays in shared memory while all queries pass by;
// softmax is made online, with a running max m and a running sum l for each row. K/V tiles outside, Q tiles inside:
// what a Q tile has gathered, O, m and l, must wait in memory until the next K/V tile is there.
//
//                                                          as released                 Algorithm 1
//   where            what                                  d = 128       d = 64        d = 128       d = 64
//   shared memory    Q tile  [Br, d], two of them           64 x 128      64 x 64      128 x 128      64 x 64
//                    K tile, V tile  [Bc, d], one of each  128 x 128     256 x 64      224 x 128     448 x 64
//                    together                                  96 KB         80 KB         176 KB       128 KB
//   registers        S, later P  [Br, Bc]  fp32             64 a thread  128 a thread  112 a thread  112, in halves
//                    O  [Br, d]  fp32                       64 a thread   32 a thread   64 a thread   32 a thread
//   memory           O  [n_q, d] fp32, kept normalised; m, l  [n_q] fp32: loaded and stored at every visit
//
//   a head's Q tiles, shared by three blocks:   1  2  3  1  2  3  1  2 ...    each block: for all K/V tiles, its own
//
// A block owns its Q tiles' O, so no two blocks ever take turns on one. Each visit moves Br * (2 d + 4 d + 8) bytes in
// and Br * (4 d + 8) out, and each turn of a block's outer loop 2 * Bc * 2 d bytes in. The first visit of a Q tile
// starts O, m and l on chip; the last one rounds O to the output's format and makes L.
//
// What limits it: in Algorithm 1 the chip, of which heads beyond the first wave's last use little and few heads leave
// most idle; as released DRAM, through which O in fp32 goes there and back for every K/V tile, as all heads' O together
// is far larger than L2. So O goes past L1 (ld.global.cg). Its loads are under way while S is made.
//
// A few registers spill at every visit, 40 to 150 bytes a thread, and part of them comes back from L2: counters see 1
// to 4 % more bytes there than the tiles have as released, up to 17 % in Algorithm 1.
//
// As released it differs from this file in what no byte shows: there the warps split the keys, 16 rows of Q at a time,
// and added up their parts of O in shared memory; tiles went from first to last; and L alone was kept of m and l.
// Here tiles go from last to first, as in FA2 and FA3, and warps split the rows of Q, 16 each. The next Q tile comes
// while the present one is worked on.
#include "kernels/fa1.h"

#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/common/tile_mma.cuh"

#include <type_traits>

namespace tilewalk::gpu {
namespace {

constexpr int shared_bytes(int br, int bc, int d) { return (2 * br + 2 * bc) * d * int(sizeof(uint16_t)); }
// Keys whose scores a warp makes at once: a longer tile's would not fit its registers beside O.
__host__ __device__ constexpr int piece_of(int bc) { return bc > 256 ? bc / 2 : bc; }

// What waits in memory between visits, all fp32: m and l [heads, n_q], and before them O, [heads, Tr, Br, d]. A tile of
// O lies there as its lanes hold it: first the 16 rows of warp 0; of those first what every lane has of columns 0 to 15
// in its upper row, four elements a lane, then the same of its lower row, then the next 16 columns. So a warp moves 512
// bytes in one piece, 64 of each row; and rows past the end of Q stay away.
//
//   lane            0          1            2            3          4     ...
//   row: columns    0: 0 1 8 9   0: 2 3 10 11   0: 4 5 12 13   0: 6 7 14 15   1: 0 1 8 9 ...
struct Waiting {
  float *o, *m, *l;
};
__device__ inline Waiting waiting_of(const Forward& f, int padded_rows) {
  const size_t of_o = size_t(f.heads) * padded_rows * f.d, rows = size_t(f.heads) * f.n_q;
  float* o = static_cast<float*>(f.workspace);
  return {o, o + of_o, o + of_o + rows};
}

// How a head's Q tiles are shared: block `part` of `parts` takes tiles part, part + parts, ...
struct Sharing {
  int tr, parts;
};

// How many K/V tiles the Q tile of `rows` rows from first_row on meets: 0 ... visits - 1.
template <int Bc>
__device__ int visits_of(int first_row, int rows, int n_k, int diagonal) {
  const int last_key = min(n_k, first_row + rows + diagonal) - 1;
  return last_key < 0 ? 0 : last_key / Bc + 1;
}

template <class T, int D, int Br, int Bc, int kWarps, bool kTraced>
__global__ void __launch_bounds__(kWarps * 32)
    fa1_kernel(const Forward f, const Sharing sharing, const TraceArgs<kTraced> args) {
  constexpr int kThreads = kWarps * 32, kWarpRows = Br / kWarps, kM = kWarpRows / 16, kPiece = piece_of(Bc);
  static_assert(kM == 1, "a lane keeps one pair of rows");
  static_assert(Bc % kPiece == 0 && kPiece % 16 == 0);
  constexpr int kKeyBytes = Bc * D * 2;  // a tile of K or V
  extern __shared__ __align__(1024) uint8_t shared[];
  const uint32_t q_tiles = shared_address(shared);
  const uint32_t k_tile = q_tiles + 2 * Br * D * 2, v_tile = k_tile + kKeyBytes;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  Tracer<kTraced> trace(args, warp, lane == 0);

  const auto [tr, parts] = sharing;
  const int head = int(blockIdx.x) / parts, part = int(blockIdx.x) % parts;
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + size_t(head) * f.n_q * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(head) * f.n_k * D;
  uint16_t* const out = static_cast<uint16_t*>(f.o) + size_t(head) * f.n_q * D;
  float* const out_lse = f.lse + size_t(head) * f.n_q;
  const Waiting waiting = waiting_of(f, tr * Br);
  float* const waiting_o = waiting.o + size_t(head) * tr * Br * D;
  float* const waiting_m = waiting.m + size_t(head) * f.n_q;
  float* const waiting_l = waiting.l + size_t(head) * f.n_q;

  // Row r sees key c iff c <= r + diagonal.
  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const float scale_log2 = f.scale * kLog2E;
  const int warp_row = warp * kWarpRows;
  const auto load_q = [&](int i) __attribute__((always_inline)) {
    const int first_row = i * Br, slot = i / parts % 2;
    load_tile<Br, D, kThreads, true>(q_tiles + slot * Br * D * 2, q + size_t(first_row) * D, f.n_q - first_row);
  };

  // Queries that see no key at all.
  for (int i = part; i < tr; i += parts) {
    const int first_row = i * Br, rows = min(Br, f.n_q - first_row);
    if (visits_of<Bc>(first_row, rows, f.n_k, diagonal) > 0) break;  // nor do later ones
    STEP(StoreO, 0) {
      for (int e = int(threadIdx.x) * 8; e < rows * D; e += kThreads * 8)
        *reinterpret_cast<uint4*>(out + size_t(first_row) * D + e) = uint4{};
    }
    STEP(StoreLse, 0) {
      for (int r = int(threadIdx.x); r < rows; r += kThreads) out_lse[first_row + r] = -INFINITY;
    }
  }

  const int tc = (f.n_k + Bc - 1) / Bc;
  for (int j = tc - 1; j >= 0; --j) {
    const int first_seeing = max(0, j * Bc - diagonal);  // row
    if (first_seeing >= f.n_q) continue;                 // every query lies before these keys
    // The first Q tile of this block that sees any of them.
    const int first_i = part + (max(0, first_seeing / Br - part) + parts - 1) / parts * parts;
    if (first_i >= tr) continue;

    __syncthreads();  // no warp reads the tiles of the turn before any more
    STEP(LoadK, j) { load_tile<Bc, D, kThreads, true>(k_tile, k + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadV, j) { load_tile<Bc, D, kThreads, true>(v_tile, v + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadQ, j) {
      load_q(first_i);
      copy_commit();
    }

    const auto visit = [&](int i, auto is_masked) __attribute__((always_inline)) {
      constexpr bool kMasked = decltype(is_masked)::value;
      const int first_row = i * Br, row = first_row + warp_row + lane / 4;  // of the lane; its other row is 8 further
      const int q_place = i / parts % 2 * Br * D * 2;
      STEP(Wait, j) {
        copy_wait<0>();
        __syncthreads();  // Q_i, K_j and V_j are there for every warp, and no warp reads the Q tile before any more
      }
      STEP(LoadQ, j) {
        if (i + parts < tr) load_q(i + parts);
        copy_commit();
      }

      float o[D / 2];
      RowStats stats;
      float4* const my_o = reinterpret_cast<float4*>(waiting_o + size_t(first_row + warp_row) * D) + lane;
      if (visits_of<Bc>(first_row, min(Br, f.n_q - first_row), f.n_k, diagonal) - 1 == j) {  // the first visit
        STEP(InitO, j) {
#pragma unroll
          for (int e = 0; e < D / 2; ++e) o[e] = 0.f;
        }
        STEP(InitStats, j) { stats = RowStats{}; }
      } else {
        STEP(LoadO, j) {
#pragma unroll
          for (int n = 0; n < D / 16; ++n)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
              float4 four{0.f, 0.f, 0.f, 0.f};
              if (row + 8 * h < f.n_q) four = __ldcg(my_o + (2 * n + h) * 32);
              float* const to = o + 8 * n + 2 * h;
              to[0] = four.x, to[1] = four.y, to[4] = four.z, to[5] = four.w;
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
      // O waits as an average and is needed as a sum, l times as much. With the factor that Rescale has anyway, since
      // O itself may not be here yet.
      float factor[2];
      STEP(Denormalize, j) { factor[0] = stats.l[0], factor[1] = stats.l[1]; }

#pragma unroll
      for (int c = 0; c < Bc; c += kPiece) {  // once, or once for each half of a long tile
        float s[kM][kPiece / 2];
        STEP(Score, j) {
          multiply_q_kt<T, D, Br, Bc, kM, kPiece>(s, QAddress(q_tiles + q_place + warp_row * kPanelRowBytes),
                                                  KAddress(k_tile + c * kPanelRowBytes));
        }
        if constexpr (kMasked) {
          STEP(Mask, j) { mask_scores<true>(s[0], row, j * Bc + c, f.n_k, diagonal); }
        }

        float alpha[2], shift[2];
        uint32_t p[kM][kPiece / 4];
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
        STEP(Rescale, j) {
          factor[0] *= alpha[0], factor[1] *= alpha[1];
          scale_rows(o, factor);
          factor[0] = factor[1] = 1.f;
        }
        STEP(Accumulate, j) {
          pack_rows<T>(p[0], s[0]);
          multiply_p_v<T, D, Bc, kM, kPiece>(reinterpret_cast<float(&)[kM][D / 2]>(o), p,
                                             VAddress(v_tile + c * kPanelRowBytes));
        }
      }
      STEP(Normalize, j) {
        const float inverse[2] = {reciprocal(stats.l[0]), reciprocal(stats.l[1])};
        scale_rows(o, inverse);
      }
      TRACED {
        if (head == args.to.head && args.to.m) {
          // record_stats() sums l over a quad, where here every lane has all of it.
          RowStats one = stats;
          for (float& l : one.l) l *= 0.25f;
          record_stats(one, args.to.m + size_t(j) * f.n_q, args.to.l + size_t(j) * f.n_q, row, f.n_q, scale_log2);
        }
      }

      if (j == 0) {  // the last visit
        float lse[2];
        STEP(LogSumExp, j) {
#pragma unroll
          for (int h = 0; h < 2; ++h) lse[h] = log_sum_exp(stats.m[h], stats.l[h], scale_log2);
        }
        STEP(StoreO, j) {
          __syncwarp();  // every warp writes over its own rows of Q, which its lanes have read
          store_rows<T, D, Br>(out + size_t(first_row) * D, reinterpret_cast<float(&)[kM][D / 2]>(o), shared + q_place,
                               warp_row, min(Br, f.n_q - first_row));
        }
        STEP(StoreLse, j) {
          if (lane % 4 == 0)
#pragma unroll
            for (int h = 0; h < 2; ++h)
              if (row + 8 * h < f.n_q) out_lse[row + 8 * h] = lse[h];
        }
        return;
      }
      STEP(StoreO, j) {
#pragma unroll
        for (int n = 0; n < D / 16; ++n)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const float* const from = o + 8 * n + 2 * h;
            if (row + 8 * h < f.n_q) __stcg(my_o + (2 * n + h) * 32, make_float4(from[0], from[1], from[4], from[5]));
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
    };
    // Q tiles that the diagonal crosses come first. A last K/V tile that ends early is masked for all of them.
    const bool ragged = (j + 1) * Bc > f.n_k;
    const int unmasked = ragged ? tr : min(tr, (max(0, (j + 1) * Bc - 1 - diagonal) + Br - 1) / Br);
    int i = first_i;
    for (; i < unmasked; i += parts) visit(i, std::true_type{});
    for (; i < tr; i += parts) visit(i, std::false_type{});
  }
  trace.finish();
}

// Calls `use` with the instance of the kernel for this problem, and its shape.
template <KernelId kId, bool kTraced, class Use>
cudaError_t with_kernel(const Forward& f, Use use) {
  const auto of_shape = [&]<class T, int D>() {
    constexpr KernelShape kShape = kernel_shape(kId, D);
    return use(fa1_kernel<T, D, kShape.br, kShape.bc, kShape.warps, kTraced>, kShape);
  };
  const bool half = f.element == Element::Half;
  if (f.d == 64)
    return half ? of_shape.template operator()<__half, 64>() : of_shape.template operator()<__nv_bfloat16, 64>();
  if (f.d == 128)
    return half ? of_shape.template operator()<__half, 128>() : of_shape.template operator()<__nv_bfloat16, 128>();
  return cudaErrorInvalidValue;
}

// Calls `use` with the form as a constant.
template <class Use>
auto of_form(KernelId id, Use use) {
  if (id == KernelId::Fa1Paper) return use(std::integral_constant<KernelId, KernelId::Fa1Paper>{});
  if (id == KernelId::Fa1Small) return use(std::integral_constant<KernelId, KernelId::Fa1Small>{});
  return use(std::integral_constant<KernelId, KernelId::Fa1>{});
}

template <bool kTraced>
cudaError_t launch(KernelId id, const Forward& f, const TraceArgs<kTraced>& args, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  if (const cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
    return error;
  return of_form(id, [&](auto form) {
    return with_kernel<form.value, kTraced>(f, [&](auto kernel, KernelShape shape) {
      const Sharing sharing{(f.n_q + shape.br - 1) / shape.br,
                            int(blocks_of_head(form.value, f.heads, f.n_q, f.d, multiprocessors))};
      kernel<<<unsigned(f.heads) * sharing.parts, shape.warps * 32, shared_bytes(shape.br, shape.bc, f.d), stream>>>(
          f, sharing, args);
      return cudaGetLastError();
    });
  });
}

}  // namespace

size_t workspace_bytes_fa1(KernelId id, const Forward& f) {
  const size_t br = size_t(kernel_shape(id, f.d).br), padded_rows = (f.n_q + br - 1) / br * br;
  return size_t(f.heads) * (padded_rows * f.d + 2 * size_t(f.n_q)) * sizeof(float);
}

bool prepare_fa1(KernelId id, const Forward& f, const char** why) {
  const cudaError_t error = of_form(id, [&](auto form) {
    const auto allow = [&](auto kernel, KernelShape shape) {
      return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  shared_bytes(shape.br, shape.bc, f.d));
    };
    const cudaError_t plain = with_kernel<form.value, false>(f, allow);
    return plain ? plain : with_kernel<form.value, true>(f, allow);
  });
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

cudaError_t resident_blocks_fa1(KernelId id, const Forward& f, int* blocks) {
  return of_form(id, [&](auto form) {
    return with_kernel<form.value, false>(f, [&](auto kernel, KernelShape shape) {
      return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, shape.warps * 32,
                                                           shared_bytes(shape.br, shape.bc, f.d));
    });
  });
}

cudaError_t launch_fa1(KernelId id, const Forward& f, cudaStream_t stream) { return launch<false>(id, f, {}, stream); }

cudaError_t launch_traced_fa1(KernelId id, const Forward& f, const Trace& trace, cudaStream_t stream) {
  return launch<true>(id, f, {trace}, stream);
}

}  // namespace tilewalk::gpu
