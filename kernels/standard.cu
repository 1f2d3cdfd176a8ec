// Standard attention (arXiv:2205.14135, Algorithm 0): what FlashAttention is measured against, written with care and
// not fused.
//
// The idea: three kernels, one after the other, with the whole N x N matrix in memory between them.
//
//   S = Q K^T scale      cuBLAS      writes S [n_q, n_k] of every head, in the elements' format or in fp32
//   P = softmax(S)       here        reads S, writes P over it, in the elements' format; also makes L
//   O = P V              cuBLAS      reads P
//
// So S and P cross memory four times, 8 n_q n_k bytes a head, or 12 with S in fp32, and softmax runs at the memory's
// speed, as a row is read once, kept in registers and written once. A large score that is rounded to 16 bits changes
// its weight too much; keeps_wide_scores() in core/kernel/kernel_shapes.h says when S is in fp32 for that. cuBLAS
// picks its own tiles. A mask does not spare it any work: it multiplies the hidden half too, and softmax reads it,
// takes it for -inf and writes zeros.
//
// cuBLAS is opened when it is first needed; nothing links to it.
#include "kernels/standard.h"

#include "kernels/common/calls.h"
#include "kernels/common/cublas.h"
#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"

#include <type_traits>

namespace tilewalk::gpu {
namespace {

// ---- softmax -------------------------------------------------------------------------------------------------------

constexpr int kVector = 8;  // elements that a thread takes at a time

// P begins where its row of S does.
__host__ __device__ inline int pitch_of(int n_k) {
  return (n_k + kStandardLine - 1) / kStandardLine * kStandardLine;  // standard_pitch(), on the GPU too
}

template <class T>
__device__ __forceinline__ float2 unpack(uint32_t both) {
  if constexpr (std::is_same_v<T, __half>)
    return __half22float2(reinterpret_cast<const __half2&>(both));
  else
    return __bfloat1622float2(reinterpret_cast<const __nv_bfloat162&>(both));
}

// Eight scores as they lie in memory: S is __half, __nv_bfloat16 or float.
template <class S>
struct Scores {
  uint4 parts[kVector * sizeof(S) / sizeof(uint4)];
};

// Elements [column, column + 8) of a row. Nothing at or beyond n_k is read: it was never written.
template <class S>
__device__ __forceinline__ Scores<S> load_scores(const S* row, int column, int n_k) {
  Scores<S> all = {};
  if (column + kVector <= n_k) {
#pragma unroll
    for (int k = 0; k < int(sizeof all / sizeof(uint4)); ++k)
      all.parts[k] = __ldcs(reinterpret_cast<const uint4*>(row + column) + k);
    return all;
  }
#pragma unroll
  for (int e = 0; e < kVector; ++e) {
    if (column + e >= n_k) continue;
    uint32_t& word = reinterpret_cast<uint32_t*>(all.parts)[e * sizeof(S) / 4];
    if constexpr (sizeof(S) == 4)
      word = reinterpret_cast<const uint32_t*>(row)[column + e];
    else
      word |= uint32_t(reinterpret_cast<const uint16_t*>(row)[column + e]) << (e % 2 * 16);
  }
  return all;
}

// The same in fp32, -inf from key `seen` on.
template <class S>
__device__ __forceinline__ void unpack_scores(float (&s)[kVector], const Scores<S>& all, int column, int seen) {
  const auto* const words = reinterpret_cast<const uint32_t*>(all.parts);
#pragma unroll
  for (int e = 0; e < kVector; ++e) {
    float x;
    if constexpr (sizeof(S) == 4) {
      x = __uint_as_float(words[e]);
    } else {
      const float2 both = unpack<S>(words[e / 2]);
      x = e % 2 ? both.y : both.x;
    }
    s[e] = column + e < seen ? x : -INFINITY;
  }
}

template <class T>
__device__ __forceinline__ void store_weights(T* row, int column, const float (&p)[kVector], float inverse, int n_k) {
  if (column >= n_k) return;
  uint4 all;  // a vector that reaches past n_k ends in the row's own padding
  all.x = pack<T>(p[0] * inverse, p[1] * inverse), all.y = pack<T>(p[2] * inverse, p[3] * inverse);
  all.z = pack<T>(p[4] * inverse, p[5] * inverse), all.w = pack<T>(p[6] * inverse, p[7] * inverse);
  *reinterpret_cast<uint4*>(row + column) = all;
}

// Over the kThreads threads, whole warps, that share a row; every one gets the result.
template <int kThreads, class Combine>
__device__ __forceinline__ float reduce(float x, float* of_warps, Combine combine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x = combine(x, __shfl_xor_sync(~0u, x, distance));
  if constexpr (kThreads > 32) {
    const int warp = int(threadIdx.x) / 32;
    if (threadIdx.x % 32 == 0) of_warps[warp] = x;
    __syncthreads();  // every warp's part is there
    x = of_warps[0];
#pragma unroll
    for (int w = 1; w < kThreads / 32; ++w) x = combine(x, of_warps[w]);
  }
  return x;
}

// A row of S in kThreads threads: kHeld vectors each in registers, or, with kHeld = 0, a row of any length that is read
// again for each pass over it. Short rows take one warp each, several to a block. P goes over S in memory: where S is
// wider, a thread writes P over scores of others, which have been read by then.
template <class T, class S, int kThreads, int kHeld>
__global__ void __launch_bounds__(kThreads == 32 ? 128 : kThreads)
    softmax_rows(const Forward f, const size_t all_rows) {
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  __shared__ float maxima[32], sums[32];
  const int rows_of_block = int(blockDim.x) / kThreads;
  const size_t r = size_t(blockIdx.x) * rows_of_block + threadIdx.x / kThreads;  // over all heads
  if (r >= all_rows) return;                                                     // whole warps leave
  const S* const row = static_cast<const S*>(f.workspace) + r * pitch_of(f.n_k);
  T* const weights = reinterpret_cast<T*>(const_cast<S*>(row));
  const int thread = int(threadIdx.x) % kThreads, query = int(r % f.n_q);
  const int seen = f.causal ? min(f.n_k, max(0, query + f.n_k - f.n_q + 1)) : f.n_k;  // keys that the row sees
  const auto column_of = [&](int v) { return (v * kThreads + thread) * kVector; };
  const int vectors = kHeld ? kHeld : (f.n_k + kThreads * kVector - 1) / (kThreads * kVector);

  // Where a row is not held, every pass loads it anew.
  float s[kHeld ? kHeld : 1][kVector];
  const auto scores = [&](int v) -> float(&)[kVector] {
    if constexpr (kHeld == 0) unpack_scores<S>(s[0], load_scores(row, column_of(v), f.n_k), column_of(v), seen);
    return s[kHeld ? v : 0];
  };
  STEP(LoadS, 0) {
    if constexpr (kHeld > 0) {
      Scores<S> loaded[kHeld];  // all under way before the first is used
#pragma unroll
      for (int v = 0; v < kHeld; ++v) loaded[v] = load_scores(row, column_of(v), f.n_k);
#pragma unroll
      for (int v = 0; v < kHeld; ++v) unpack_scores<S>(s[v], loaded[v], column_of(v), seen);
    }
  }

  float m = -INFINITY;
  STEP(RowMax, 0) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const float(&x)[kVector] = scores(v);
#pragma unroll
      for (int e = 0; e < kVector; ++e) m = fmaxf(m, x[e]);
    }
    m = reduce<kThreads>(m, maxima, [](float a, float b) { return fmaxf(a, b); });
  }

  // S is scaled already: only the change of base is left to fold in.
  const float shift = m == -INFINITY ? 0.f : m * kLog2E;
  float l = 0.f;
  STEP(Exponentiate, 0) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      float(&x)[kVector] = scores(v);
#pragma unroll
      for (int e = 0; e < kVector; ++e) l += x[e] = exp2_approx(x[e] * kLog2E - shift);
    }
  }
  STEP(RowSum, 0) {
    l = reduce<kThreads>(l, sums, [](float a, float b) { return a + b; });
  }

  STEP(NormalizeP, 0) {
    const float inverse = reciprocal(l);
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      float(&x)[kVector] = scores(v);
      if constexpr (kHeld == 0) {
#pragma unroll
        for (int e = 0; e < kVector; ++e) x[e] = exp2_approx(x[e] * kLog2E - shift);
        if constexpr (sizeof(S) > sizeof(T)) __syncthreads();  // the others have read what P goes over
      }
      STEP(StoreP, 0) { store_weights<T>(weights, column_of(v), x, inverse, f.n_k); }
    }
  }
  STEP(LogSumExp, 0) {
    if (thread == 0) f.lse[r] = l == 0.f ? -INFINITY : m + __logf(l);
  }
}

template <class T, class S, int kThreads, int kHeld>
void launch_rows(const Forward& f, cudaStream_t stream) {
  constexpr int kBlock = kThreads == 32 ? 128 : kThreads, kRows = kBlock / kThreads;
  const size_t rows = size_t(f.heads) * f.n_q;
  softmax_rows<T, S, kThreads, kHeld><<<unsigned((rows + kRows - 1) / kRows), kBlock, 0, stream>>>(f, rows);
}

// With as few threads as hold a row, in steps of an eighth of kMost, kHeld vectors each: idle ones would cost the
// lengths that are no powers of two up to half of the softmax's time.
template <class T, class S, int kMost, int kHeld, int kEighths = 5>
void launch_fitting(const Forward& f, cudaStream_t stream) {
  constexpr int kThreads = kMost / 8 * kEighths;
  static_assert(kThreads % 32 == 0);
  if constexpr (kEighths < 8)
    if (f.n_k > kThreads * kHeld * kVector) return launch_fitting<T, S, kMost, kHeld, kEighths + 1>(f, stream);
  launch_rows<T, S, kThreads, kHeld>(f, stream);
}

template <class T, class S>
cudaError_t softmax(const Forward& f, cudaStream_t stream) {
  if (f.n_k <= 256)
    launch_rows<T, S, 32, 1>(f, stream);
  else if (f.n_k <= 512)
    launch_rows<T, S, 32, 2>(f, stream);
  else if (f.n_k <= 768)
    launch_rows<T, S, 32, 3>(f, stream);
  else if (f.n_k <= 1024)
    launch_rows<T, S, 32, 4>(f, stream);
  else if (f.n_k <= 1536)
    launch_rows<T, S, 96, 2>(f, stream);
  else if (f.n_k <= 2048)
    launch_rows<T, S, 128, 2>(f, stream);
  else if (f.n_k <= 4096)
    launch_fitting<T, S, 256, 2>(f, stream);
  else if (f.n_k <= 8192)
    launch_fitting<T, S, 256, 4>(f, stream);
  else if (f.n_k <= 16384)
    launch_fitting<T, S, 512, 4>(f, stream);
  else if (f.n_k <= 32768)
    launch_fitting<T, S, 1024, 4>(f, stream);
  else
    launch_rows<T, S, 1024, 0>(f, stream);
  return cudaGetLastError();
}
template <class T>
cudaError_t softmax(const Forward& f, cudaStream_t stream) {
  return f.wide_scores ? softmax<T, float>(f, stream) : softmax<T, T>(f, stream);
}

}  // namespace

size_t workspace_bytes_standard(const Forward& f) {
  return size_t(f.heads) * f.n_q * pitch_of(f.n_k) * (f.wide_scores ? sizeof(float) : sizeof(uint16_t));
}

bool prepare_standard(const Forward&, const char** why) {
  const char* const fault = cublas_fault();
  if (fault) *why = fault;
  return !fault;
}

cudaError_t multiply_to_scores(const Request& r, const void* rows, const void* keys, float factor, void* to, bool wide,
                               cudaStream_t stream) {
  const int pitch = pitch_of(r.n_k);
  const int64_t of_q = int64_t(r.n_q) * r.d, of_k = int64_t(r.n_k) * r.d, of_s = int64_t(r.n_q) * pitch;
  // Of `heads` heads from `first` on, rows `columns` long.
  const auto multiply_heads = [&](int first, int heads, int columns) {
    if (heads == 0) return cudaSuccess;
    const auto of_head = [first](const void* all, int64_t elements, int bytes) {
      return static_cast<const char*>(all) + first * elements * bytes;
    };
    void* const c = static_cast<char*>(to) + first * of_s * (wide ? 4 : 2);
    return multiply(r.element,
                    {true, false, columns, r.n_q, r.d, factor, of_head(keys, of_k, 2), of_head(rows, of_q, 2), c, wide,
                     r.d, r.d, pitch, of_k, of_q, of_s, heads},
                    stream);
  };
  // Rows are made as long as they lie apart: what comes after the last key is of the next head's keys, and nobody reads
  // it. The last head has no next one.
  const int exact = int(standard_unpadded_heads(r.heads, r.n_k));
  if (const cudaError_t error = multiply_heads(0, r.heads - exact, pitch)) return error;
  return multiply_heads(r.heads - exact, exact, r.n_k);
}

cudaError_t launch_standard_weights(const Forward& f, cudaStream_t stream) {
  if (const cudaError_t error = multiply_to_scores(f, f.q, f.k, f.scale, f.workspace, f.wide_scores, stream))
    return error;
  return f.element == Element::Half ? softmax<__half>(f, stream) : softmax<__nv_bfloat16>(f, stream);
}

int64_t standard_weights_pitch(const Forward& f) { return int64_t(pitch_of(f.n_k)) * (f.wide_scores ? 2 : 1); }

cudaError_t launch_standard(const Forward& f, cudaStream_t stream) {
  if (const cudaError_t error = launch_standard_weights(f, stream)) return error;
  const int64_t apart = standard_weights_pitch(f), of_q = int64_t(f.n_q) * f.d, of_k = int64_t(f.n_k) * f.d;
  const Product output{false, false, f.d,        f.n_q, f.n_k, 1.f,           f.v,  f.workspace, f.o,
                       false, f.d,   int(apart), f.d,   of_k,  apart * f.n_q, of_q, f.heads};
  return multiply(f.element, output, stream);
}

// No K/V tiles to trace: cuBLAS cuts S in its own way.
extern const Calls kStandardCalls{
    .prepare = prepare_standard, .launch = launch_standard, .workspace_bytes = workspace_bytes_standard};

}  // namespace tilewalk::gpu
