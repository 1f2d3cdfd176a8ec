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
// its weight too much; keeps_wide_scores() in core/schedules/kernel_shapes.h says when S is in fp32 for that. cuBLAS
// picks its own tiles. A mask does not spare it any work: it multiplies the hidden half too, and softmax reads it,
// takes it for -inf and writes zeros.
//
// cuBLAS is opened when it is first needed; nothing links to it.
#include "kernels/common/calls.h"
#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"

#include <cublas_v2.h>  // types alone
#include <dlfcn.h>
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

// ---- cuBLAS --------------------------------------------------------------------------------------------------------

// cublasGemmStridedBatchedEx, which the header overloads.
using Gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                const void* alpha, const void* a, cudaDataType, int lda, long long next_a,
                                const void* b, cudaDataType, int ldb, long long next_b, const void* beta, void* c,
                                cudaDataType, int ldc, long long next_c, int count, cublasComputeType_t,
                                cublasGemmAlgo_t);

struct Cublas {
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  Gemm gemm = nullptr;
  cublasHandle_t handle = nullptr;
  const char* why = nullptr;  // it cannot be used

  Cublas() {
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so.13",
                             "/usr/local/cuda/lib64/libcublas.so.12"})
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      why =
          "Standard attention needs cuBLAS: libcublas.so.13 or .12 was not found. Install it, or put its folder into "
          "LD_LIBRARY_PATH.";
      return;
    }
    const auto create = reinterpret_cast<decltype(&cublasCreate_v2)>(dlsym(library, "cublasCreate_v2"));
    set_stream = reinterpret_cast<decltype(set_stream)>(dlsym(library, "cublasSetStream_v2"));
    gemm = reinterpret_cast<Gemm>(dlsym(library, "cublasGemmStridedBatchedEx"));
    if (!create || !set_stream || !gemm)
      why =
          "Standard attention needs cuBLAS, and the one found lacks cublasGemmStridedBatchedEx. Install version 12 or "
          "13.";
    else if (create(&handle) != CUBLAS_STATUS_SUCCESS)
      why = "cuBLAS could not start on this GPU. Free some of its memory, or update the driver.";
  }
};
// Once for the process; the handle lives as long as it does.
Cublas& cublas() {
  static Cublas only;
  return only;
}

// C[m, n] = factor * op(A) B for every head, in cuBLAS's column-major words: a row-major [rows, columns] is a
// column-major [columns, rows].
struct Product {
  cublasOperation_t op_a;
  int m, n, k;
  float factor;
  const void *a, *b;
  void* c;
  bool wide_c;                     // fp32, else as a and b
  int lda, ldb, ldc;               // elements from one column to the next
  int64_t next_a, next_b, next_c;  // elements from one head to the next
  int heads;
};
cudaError_t multiply(const Forward& f, const Product& p, cudaStream_t stream) {
  const Cublas& blas = cublas();
  if (blas.why) return cudaErrorSharedObjectInitFailed;
  const cudaDataType_t type = f.element == Element::Half ? CUDA_R_16F : CUDA_R_16BF;
  const cudaDataType_t type_c = p.wide_c ? CUDA_R_32F : type;
  const float zero = 0.f;
  if (blas.set_stream(blas.handle, stream) != CUBLAS_STATUS_SUCCESS) return cudaErrorUnknown;
  const cublasStatus_t status =
      blas.gemm(blas.handle, p.op_a, CUBLAS_OP_N, p.m, p.n, p.k, &p.factor, p.a, type, p.lda, p.next_a, p.b, type,
                p.ldb, p.next_b, &zero, p.c, type_c, p.ldc, p.next_c, p.heads, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

size_t bytes_of_scores(const Forward& f) {
  return size_t(f.heads) * f.n_q * pitch_of(f.n_k) * (f.wide_scores ? sizeof(float) : sizeof(uint16_t));
}

// False without cuBLAS.
bool open_cublas(const Forward&, const char** why) {
  if (cublas().why) *why = cublas().why;
  return !cublas().why;
}

cudaError_t launch_passes(const Forward& f, cudaStream_t stream) {
  const int pitch = pitch_of(f.n_k);
  const int64_t of_q = int64_t(f.n_q) * f.d, of_k = int64_t(f.n_k) * f.d, of_s = int64_t(f.n_q) * pitch;
  void* const s = f.workspace;

  // S of `heads` heads from `first` on, its rows `columns` long.
  const auto multiply_scores = [&](int first, int heads, int columns) {
    if (heads == 0) return cudaSuccess;
    const auto of_head = [first](const void* all, int64_t elements, int bytes) {
      return static_cast<const char*>(all) + first * elements * bytes;
    };
    void* const c = static_cast<char*>(s) + first * of_s * (f.wide_scores ? 4 : 2);
    return multiply(f,
                    {CUBLAS_OP_T, columns, f.n_q, f.d, f.scale, of_head(f.k, of_k, 2), of_head(f.q, of_q, 2), c,
                     f.wide_scores, f.d, f.d, pitch, of_k, of_q, of_s, heads},
                    stream);
  };
  // Rows are made as long as they lie apart: what comes after the last key is of the next head's keys, and nobody reads
  // it. The last head has no next one.
  const int exact = int(standard_unpadded_heads(f.heads, f.n_k));
  if (const cudaError_t error = multiply_scores(0, f.heads - exact, pitch)) return error;
  if (const cudaError_t error = multiply_scores(f.heads - exact, exact, f.n_k)) return error;

  const bool half = f.element == Element::Half;
  if (const cudaError_t error = half ? softmax<__half>(f, stream) : softmax<__nv_bfloat16>(f, stream)) return error;

  const int apart = f.wide_scores ? 2 : 1;  // rows of P lie as far apart as those of S, in bytes
  const Product output{CUBLAS_OP_N, f.d, f.n_q,         f.n_k, 1.f,  f.v,          s,    f.o,
                       false,       f.d, apart * pitch, f.d,   of_k, apart * of_s, of_q, f.heads};
  return multiply(f, output, stream);
}

}  // namespace

// No K/V tiles to trace: cuBLAS cuts S in its own way.
extern const Calls kStandardCalls{.prepare = open_cublas, .launch = launch_passes, .workspace_bytes = bytes_of_scores};

}  // namespace tilewalk::gpu
