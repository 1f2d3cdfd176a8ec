// Tiled attention: the naive kernel's rows, with K and V in tiles. Still one thread a row and no tensor cores. Compute
// capability 8.0 and up.
//
// What is new: the threads of a block load a tile of Bc rows of K and of V together, once, into shared memory, as fp32,
// so that a number is unpacked once and not by every row that uses it; and softmax is made online for a whole tile, S_j
// in shared memory: m and l change and O shrinks once a tile, where the naive kernel does it for each key. Tiles go
// from last to first, as in all kernels that follow. Here it gains nothing; FA2 and FA3 need no mask in the rest of
// their loop, since the tiles that a mask or the end of the keys cuts come first.
//
// Why it is faster: not by bytes from L2, which are 4 % more than the naive kernel's, whose warps find most rows
// in L1 (README.md). A number of K or V is unpacked once for a block, O shrinks once in 32 keys, and a thread waits for
// memory once a tile and not at every key; which of them counts for how much was not measured.
//
//   K_j, V_j  [Bc, d]   a thread:  q r ---> S[0, r], S[1, r] ... S[Bc - 1, r]      its own column of S: no thread
//   +------------+                     m, alpha, P = e^(scale (S - m)), l         reads what another one wrote there
//   | 32 x d     |  <-- all read the
//   +------------+      same row: one   o r = alpha o r + P[0, r] V[0] + ... + P[Bc - 1, r] V[Bc - 1]
//                       bank read serves 32 lanes
//
//   where            what                                  d = 128              d = 64
//   shared memory    K tile, V tile  [Bc, d]  fp32, both    32 x 128  32 KB      32 x 64  16 KB
//                    S, later P  [Bc, Br]  fp32             32 x 128  16 KB      32 x 128  16 KB
//   registers        q  16 bits, O  fp32                    64 and 128 a thread  32 and 64 a thread
//
// S lies as [Bc, Br], so that for one key the 32 lanes of a warp have 32 numbers side by side: one in each bank.
//
// L2 is asked for K and V once for each Q tile of 128 rows, past L1 (ld.global.cg): these bytes can be counted before.
//
// What limits it: shared memory and issue slots. Every warp reads every number of K and V from shared memory, four with
// one instruction, and each number serves 32 products, one a lane; a tensor core takes a tile of them at once. While a
// tile is on its way nobody of the block computes: that is left to the other block of the multiprocessor.
#include "kernels/common/row.cuh"
#include "kernels/common/rung.cuh"

namespace tilewalk::gpu {
namespace {

// A tile of K or V, Bc rows of D elements as fp32; rows from `real` on become zeros, which cost no traffic.
template <class T, int D, int Bc, int kThreads>
TILEWALK_PTX void load_fp32_tile(float* tile, const uint16_t* from, int real) {
  for (int c = int(threadIdx.x); c < Bc * D / 8; c += kThreads) {  // 8 elements, 16 bytes
    uint4 eight{};
    if (c * 8 / D < real) eight = __ldcg(reinterpret_cast<const uint4*>(from) + c);
    const float2 a = unpack<T>(eight.x), b = unpack<T>(eight.y), e = unpack<T>(eight.z), g = unpack<T>(eight.w);
    reinterpret_cast<float4*>(tile)[2 * c] = {a.x, a.y, b.x, b.y};
    reinterpret_cast<float4*>(tile)[2 * c + 1] = {e.x, e.y, g.x, g.y};
  }
}

template <class T, int D, int Br, int Bc, bool kTraced>
__global__ void __launch_bounds__(Br) tiled_kernel(const Forward f, const int tr, const TraceArgs<kTraced> args) {
  extern __shared__ __align__(16) float shared[];
  float* const k_tile = shared;           // [Bc, D]
  float* const v_tile = k_tile + Bc * D;  // [Bc, D]
  float* const s_tile = v_tile + Bc * D;  // [Bc, Br]
  float* const s = s_tile + threadIdx.x;  // this thread's column: key c at s[c * Br]
  Tracer<kTraced> trace(args, int(threadIdx.x) / 32, threadIdx.x % 32 == 0);

  const int head = int(blockIdx.x) / tr, i = int(blockIdx.x) % tr;
  const int first_row = i * Br, rows = min(Br, f.n_q - first_row), row = first_row + int(threadIdx.x);
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + (size_t(head) * f.n_q + row) * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(head) * f.n_k * D;

  // Row r sees key c iff c <= r + diagonal. K/V tiles 0 ... visits - 1 are met, the first `whole` of them unmasked.
  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const int last_key = min(f.n_k, first_row + rows + diagonal) - 1;
  const int visits = last_key < 0 ? 0 : last_key / Bc + 1;
  const int whole = max(0, min(f.n_k, first_row + diagonal + 1)) / Bc;
  const float scale_log2 = f.scale * kLog2E;

  uint32_t q_row[D / 2] = {};
  float o[D];
  RowState state;
  STEP(LoadQ, 0) {
    if (row < f.n_q) load_row<D>(q_row, q);  // a thread without a row stays: it loads, and others wait for it
  }
  STEP(InitO, 0) {
#pragma unroll
    for (int x = 0; x < D; ++x) o[x] = 0.f;
  }
  STEP(InitStats, 0) { state = RowState{}; }

  for (int j = visits - 1; j >= 0; --j) {
    STEP(Wait, j) { __syncthreads(); }  // no thread reads the tiles of the visit before any more
    STEP(LoadK, j) { load_fp32_tile<T, D, Bc, Br>(k_tile, k + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(LoadV, j) { load_fp32_tile<T, D, Bc, Br>(v_tile, v + size_t(j) * Bc * D, f.n_k - j * Bc); }
    STEP(Wait, j) { __syncthreads(); }  // the tiles are there for every thread
    STEP(Score, j) {
#pragma unroll 1  // the loop over d inside is unrolled, and long enough
      for (int c = 0; c < Bc; ++c) {
        const float4* const key = reinterpret_cast<const float4*>(k_tile + c * D);
        float sum = 0.f;
        pin(q_row);  // unpacked anew for every key: all of it in fp32 has no room beside O
#pragma unroll
        for (int x = 0; x < D / 4; ++x) {
          const float2 a = unpack<T>(q_row[2 * x]), b = unpack<T>(q_row[2 * x + 1]);
          sum = fmaf(a.x, key[x].x, sum), sum = fmaf(a.y, key[x].y, sum);
          sum = fmaf(b.x, key[x].z, sum), sum = fmaf(b.y, key[x].w, sum);
        }
        s[c * Br] = sum;
      }
    }
    if (j >= whole) {
      STEP(Mask, j) {
        for (int c = max(0, min(f.n_k, row + diagonal + 1) - j * Bc); c < Bc; ++c) s[c * Br] = -INFINITY;
      }
    }
    float alpha, shift;
    STEP(RowMax, j) {
      float highest = -INFINITY;
      for (int c = 0; c < Bc; ++c) highest = fmaxf(highest, s[c * Br]);
      alpha = raise_max(state, highest, scale_log2, shift);
    }
    STEP(Exponentiate, j) {
      for (int c = 0; c < Bc; ++c) s[c * Br] = exp2_approx(fmaf(s[c * Br], scale_log2, -shift));
    }
    STEP(RowSum, j) {
      float sum = 0.f;
      for (int c = 0; c < Bc; ++c) sum += s[c * Br];
      state.l = fmaf(state.l, alpha, sum);
    }
    STEP(Rescale, j) {
#pragma unroll
      for (int x = 0; x < D; ++x) o[x] *= alpha;
    }
    STEP(Accumulate, j) {
#pragma unroll 1
      for (int c = 0; c < Bc; ++c) {
        const float4* const value = reinterpret_cast<const float4*>(v_tile + c * D);
        const float p = s[c * Br];
#pragma unroll
        for (int x = 0; x < D / 4; ++x) {
          o[4 * x] += p * value[x].x, o[4 * x + 1] += p * value[x].y;
          o[4 * x + 2] += p * value[x].z, o[4 * x + 3] += p * value[x].w;
        }
      }
    }
    TRACED {
      if (head == args.to.head && args.to.m && row < f.n_q) {
        args.to.m[size_t(j) * f.n_q + row] = state.m * scale_log2 * kLn2;
        args.to.l[size_t(j) * f.n_q + row] = state.l;
      }
    }
  }

  STEP(Normalize, 0) {
    const float inverse = reciprocal(state.l);
#pragma unroll
    for (int x = 0; x < D; ++x) o[x] *= inverse;
  }
  float lse;
  STEP(LogSumExp, 0) { lse = log_sum_exp(state.m, state.l, scale_log2); }
  STEP(StoreO, 0) {
    if (row < f.n_q) store_row<T>(static_cast<uint16_t*>(f.o) + (size_t(head) * f.n_q + row) * D, o);
  }
  STEP(StoreLse, 0) {
    if (row < f.n_q) f.lse[size_t(head) * f.n_q + row] = lse;
  }
  trace.finish();
}

// ---- Host (common/rung.cuh) -----------------------------------------------------------------------------------------

struct Tiled {
  static constexpr Method kId = Method::Tiled;
  static constexpr bool kCanTrace = true;
  using Order = int;  // Tr
  template <class T, int D, bool kTraced>
  static auto kernel() {
    constexpr KernelShape kShape = kernel_shape(kId, D);
    return tiled_kernel<T, D, kShape.br, kShape.bc, kTraced>;
  }
  static int shared_bytes(KernelShape s, int d) { return (2 * s.bc * d + s.bc * s.br) * int(sizeof(float)); }
  static cudaError_t order(const Forward& f, KernelShape shape, int& tr) {
    tr = (f.n_q + shape.br - 1) / shape.br;
    return cudaSuccess;
  }
  static int64_t blocks(const Forward& f, int tr) { return int64_t(tr) * f.heads; }
};

}  // namespace

extern const Calls kTiledCalls = calls_of_rung<Tiled>();

}  // namespace tilewalk::gpu
