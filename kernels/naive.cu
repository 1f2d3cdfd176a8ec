// Naive attention: one thread takes one row of Q and walks over its keys, one after the other. No tiles, no shared
// memory, no tensor cores. Compute capability 8.0 and up.
//
// What is new against standard attention (standard.cu), which writes S and P to memory: they are never there. The
// thread keeps a running max m and a running sum l of its row (online softmax: raise_max() in common/row.cuh), and
// multiplies what it has gathered in O by alpha = e^(scale (m_old - m_new)) at every key: by 1 where the key does not
// raise m. It is made as 2^(... log2 e), since the hardware has a power of two and none of e. A block is Br = 128
// threads, one for each of 128 rows of a head, which are a Q tile in the kernels that follow.
//
//   where            what                                  d = 128       d = 64
//   registers        q  16 bits, two a register            64 a thread   32 a thread
//                    O  fp32                               128           64
//
//          key: ...   j    j+1   ...         a thread's registers          memory
//                     |     .                q  [d]  16 bits               K, V, as they are:
//   row r of Q  ------*-----.                o  [d]  fp32                  every thread asks for
//   row r+1     ------*-----.                s, p, m, l  one number each   every key's row of both
//    32 rows march together: a warp
//
// What limits it: waiting. No row of K or V is asked for before it is needed, and each thread has so much to keep that
// few warps fit beside each other. For each key a thread unpacks d numbers of q, k and v each, makes 2 d multiply-adds,
// and rescales all of O once more: even so less than half of the issue slots are used. How many bytes come from L2
// cannot be told before: the lanes of a warp ask for the same row at the same time, other warps find it in L1 if they
// are not too late. What is predicted is a model, one fetch for a thread block. At N = 4096 and 16 heads an H200 counts
// just that; with 64 heads and d = 128 it counts 4 % less, with 128 and d = 64 12 %, and with blocks that take heads in
// turn 0.3 and 2 %: so most of it may be blocks of one head that meet on a multiprocessor and share its L1.
#include "kernels/common/row.cuh"
#include "kernels/common/rung.cuh"

namespace tilewalk::gpu {
namespace {

template <class T, int D, int Br, bool kTraced>
__global__ void __launch_bounds__(Br) naive_kernel(const Forward f, const int tr, const TraceArgs<kTraced> args) {
  Tracer<kTraced> trace(args, 0, false);
  const int head = int(blockIdx.x) / tr, i = int(blockIdx.x) % tr, row = i * Br + int(threadIdx.x);
  if (row >= f.n_q) return;
  const uint16_t* q = static_cast<const uint16_t*>(f.q) + (size_t(head) * f.n_q + row) * D;
  const uint16_t* k = static_cast<const uint16_t*>(f.k) + size_t(head) * f.n_k * D;
  const uint16_t* v = static_cast<const uint16_t*>(f.v) + size_t(head) * f.n_k * D;

  // Row r sees key c iff c <= r + diagonal.
  const int diagonal = f.causal ? f.n_k - f.n_q : f.n_k;
  const int seen = min(f.n_k, row + diagonal + 1);
  const float scale_log2 = f.scale * kLog2E;

  uint32_t q_row[D / 2];
  float o[D];
  RowState state;
  STEP(LoadQ, 0) { load_row<D>(q_row, q); }
  STEP(InitO, 0) {
#pragma unroll
    for (int x = 0; x < D; ++x) o[x] = 0.f;
  }
  STEP(InitStats, 0) { state = RowState{}; }

  for (int j = 0; j < seen; ++j) {  // from the first key, so that the lanes of a warp are at the same one
    float s = 0.f, p, alpha, shift;
    uint32_t k_row[D / 2];
    STEP(LoadK, j) { load_row<D>(k_row, k + size_t(j) * D); }
    STEP(Score, j) {
      pin(q_row);  // the compiler may not unpack it before the loop: all of it in fp32 has no room beside O
#pragma unroll
      for (int x = 0; x < D / 2; ++x) {
        const float2 a = unpack<T>(q_row[x]), b = unpack<T>(k_row[x]);
        s = fmaf(a.y, b.y, fmaf(a.x, b.x, s));
      }
    }
    STEP(RowMax, j) { alpha = raise_max(state, s, scale_log2, shift); }
    STEP(Exponentiate, j) { p = exp2_approx(fmaf(s, scale_log2, -shift)); }
    STEP(RowSum, j) { state.l = fmaf(state.l, alpha, p); }
    STEP(Rescale, j) {
#pragma unroll
      for (int x = 0; x < D; ++x) o[x] *= alpha;
    }
    uint32_t v_row[D / 2];
    STEP(LoadV, j) { load_row<D>(v_row, v + size_t(j) * D); }
    STEP(Accumulate, j) {
#pragma unroll
      for (int x = 0; x < D / 2; ++x) {
        const float2 b = unpack<T>(v_row[x]);
        o[2 * x] += p * b.x, o[2 * x + 1] += p * b.y;
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
  STEP(StoreO, 0) { store_row<T>(static_cast<uint16_t*>(f.o) + (size_t(head) * f.n_q + row) * D, o); }
  STEP(StoreLse, 0) { f.lse[size_t(head) * f.n_q + row] = lse; }
}

// ---- Host (common/rung.cuh) -----------------------------------------------------------------------------------------

struct Naive {
  static constexpr Method kId = Method::Naive;
  static constexpr bool kCanTrace = false;  // a stamp a key would take longer than the key
  using Order = int;                        // Tr, the number of Q tiles: of blocks for a head
  template <class T, int D, bool kTraced>
  static auto kernel() {
    return naive_kernel<T, D, kernel_shape(kId, D).br, kTraced>;
  }
  static int shared_bytes(KernelShape, int) { return 0; }
  static cudaError_t order(const Forward& f, KernelShape shape, int& tr) {
    tr = (f.n_q + shape.br - 1) / shape.br;
    return cudaSuccess;
  }
  static int64_t blocks(const Forward& f, int tr) { return int64_t(tr) * f.heads; }
};

}  // namespace

extern const Calls kNaiveCalls = calls_of_rung<Naive>();

}  // namespace tilewalk::gpu
