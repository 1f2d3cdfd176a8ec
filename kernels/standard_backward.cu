// Standard attention, the backward pass (arXiv:2205.14135, Algorithm 3), as eager mode runs it: what FlashAttention's
// backward pass is measured against.
//
// The idea: the forward pass has kept P, the whole N x N matrix of every head, and five kernels run one after the
// other, with dP and dS in memory between them.
//
//   dV = P^T dO             cuBLAS   reads P
//   dP = dO V^T             cuBLAS   writes dP [n_q, n_k] of every head, in the elements' format
//   dS = P o (dP - D)       here     reads P and dP, writes dS over dP; D = rowsum(P o dP) of a row held in registers
//   dQ = dS K scale         cuBLAS   reads dS
//   dK = dS^T Q scale       cuBLAS   reads dS
//
// So the matrices cross memory seven times, 14 n_q n_k bytes a head, and P takes 2 n_q n_k bytes of memory between the
// passes (4 where S was in fp32: P lies in the same place). A mask spares no work: hidden weights are zeros in P, and
// zeros are multiplied.
#include "kernels/standard_backward.h"

#include "kernels/common/cublas.h"
#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/standard.h"

#include <type_traits>

namespace tilewalk::gpu {
namespace {

constexpr int kVector = 8;  // elements that a thread takes at a time

// P, then dP; both [heads, n_q], rows so many elements apart, 16 bits each. L of the forward pass that made P is kept
// too, since the request's own L is not to be written.
struct Kept {
  uint16_t *p, *dp;
  float* lse;
  int64_t p_pitch, dp_pitch;

  static Kept of(const Request& r) {
    auto* const bytes = static_cast<char*>(r.workspace);
    const size_t of_p = workspace_bytes_standard(r), rows = size_t(r.heads) * r.n_q;
    const int64_t pitch = standard_pitch(r.n_k);
    auto* const dp = reinterpret_cast<uint16_t*>(bytes + of_p);
    return {reinterpret_cast<uint16_t*>(bytes), dp, reinterpret_cast<float*>(dp + rows * pitch),
            standard_weights_pitch(r), pitch};
  }
};

// Eight elements of a row in fp32. Nothing at or beyond n_k is read: it was never written.
template <class T>
__device__ __forceinline__ void load_row(float (&x)[kVector], const uint16_t* row, int column, int n_k) {
  uint32_t words[kVector / 2] = {};
  if (column + kVector <= n_k) {
    *reinterpret_cast<uint4*>(words) = *reinterpret_cast<const uint4*>(row + column);
  } else {
#pragma unroll
    for (int e = 0; e < kVector; ++e)
      if (column + e < n_k) words[e / 2] |= uint32_t(row[column + e]) << (e % 2 * 16);
  }
#pragma unroll
  for (int e = 0; e < kVector; e += 2) {
    float2 both;
    if constexpr (std::is_same_v<T, __half>)
      both = __half22float2(reinterpret_cast<const __half2&>(words[e / 2]));
    else
      both = __bfloat1622float2(reinterpret_cast<const __nv_bfloat162&>(words[e / 2]));
    x[e] = both.x;
    x[e + 1] = both.y;
  }
}

// A row in kThreads threads, one block: kHeld vectors of P and of dP each in registers, or, with kHeld = 0, a row of
// any length that is read again for dS.
template <class T, int kThreads, int kHeld>
__global__ void __launch_bounds__(kThreads) gradient_rows(const Request r, const Kept kept) {
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  __shared__ float parts[32];
  const size_t at = blockIdx.x;  // the row, over all heads
  const uint16_t* const weights = kept.p + at * kept.p_pitch;
  uint16_t* const row = kept.dp + at * kept.dp_pitch;
  const auto column_of = [&](int v) { return (v * kThreads + int(threadIdx.x)) * kVector; };
  const int vectors = kHeld ? kHeld : (r.n_k + kThreads * kVector - 1) / (kThreads * kVector);

  float p[kHeld ? kHeld : 1][kVector], dp[kHeld ? kHeld : 1][kVector];
  const auto load = [&](int v, int held) {
    STEP(LoadP, 0) { load_row<T>(p[held], weights, column_of(v), r.n_k); }
    STEP(LoadDP, 0) { load_row<T>(dp[held], row, column_of(v), r.n_k); }
  };
  if constexpr (kHeld > 0) {
#pragma unroll
    for (int v = 0; v < kHeld; ++v) load(v, v);
  }

  float d = 0.f;
  STEP(DotP, 0) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      if constexpr (kHeld == 0) load(v, 0);
#pragma unroll
      for (int e = 0; e < kVector; ++e) d += p[kHeld ? v : 0][e] * dp[kHeld ? v : 0][e];
    }
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) d += __shfl_xor_sync(~0u, d, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = d;
    __syncthreads();  // every warp's part is there
    d = 0.f;
#pragma unroll
    for (int w = 0; w < kThreads / 32; ++w) d += parts[w];
  }

  STEP(GradientS, 0) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      if constexpr (kHeld == 0) load(v, 0);
      const int held = kHeld ? v : 0;
      float ds[kVector];
#pragma unroll
      for (int e = 0; e < kVector; ++e) ds[e] = p[held][e] * (dp[held][e] - d);
      STEP(StoreDS, 0) {
        if (column_of(v) < r.n_k)
          *reinterpret_cast<uint4*>(row + column_of(v)) = {pack<T>(ds[0], ds[1]), pack<T>(ds[2], ds[3]),
                                                           pack<T>(ds[4], ds[5]), pack<T>(ds[6], ds[7])};
      }
    }
  }
}

template <class T>
cudaError_t gradients_of_scores(const Request& r, const Kept& kept, cudaStream_t stream) {
  const unsigned rows = unsigned(r.heads) * unsigned(r.n_q);
  const auto run = [&](auto kernel, int threads) { kernel<<<rows, threads, 0, stream>>>(r, kept); };
  if (r.n_k <= 1024)
    run(gradient_rows<T, 128, 1>, 128);
  else if (r.n_k <= 2048)
    run(gradient_rows<T, 128, 2>, 128);
  else if (r.n_k <= 4096)
    run(gradient_rows<T, 256, 2>, 256);
  else if (r.n_k <= 8192)
    run(gradient_rows<T, 512, 2>, 512);
  else if (r.n_k <= 16384)
    run(gradient_rows<T, 1024, 2>, 1024);
  else
    run(gradient_rows<T, 1024, 0>, 1024);
  return cudaGetLastError();
}

}  // namespace

size_t workspace_bytes_standard_backward(const Request& r) {
  const size_t rows = size_t(r.heads) * r.n_q;
  return workspace_bytes_standard(r) + rows * standard_pitch(r.n_k) * sizeof(uint16_t) + rows * sizeof(float);
}

bool prepare_standard_backward(const Request& r, const char** why) { return prepare_standard(r, why); }

cudaError_t keep_forward_standard_backward(const Request& r, cudaStream_t stream) {
  Request forward = r;
  forward.direction = Direction::Forward;
  forward.lse = Kept::of(r).lse;
  return launch_standard_weights(forward, stream);
}

cudaError_t launch_standard_backward(const Request& r, cudaStream_t stream) {
  const Kept kept = Kept::of(r);
  const int64_t of_q = int64_t(r.n_q) * r.d, of_k = int64_t(r.n_k) * r.d;
  const int64_t of_p = r.n_q * kept.p_pitch, of_dp = r.n_q * kept.dp_pitch;
  const int p_pitch = int(kept.p_pitch), dp_pitch = int(kept.dp_pitch);

  // Row-major [n_k, d] = scores^T [n_k, n_q] rows [n_q, d].
  const auto over_queries = [&](void* to, const uint16_t* scores, int pitch, int64_t of_scores, const void* rows,
                                float factor) {
    return multiply(r.element,
                    {false, true, r.d, r.n_k, r.n_q, factor, rows, scores, to, false, r.d, pitch, r.d, of_q, of_scores,
                     of_k, r.heads},
                    stream);
  };
  if (const cudaError_t error = over_queries(r.dv, kept.p, p_pitch, of_p, r.d_o, 1.f)) return error;
  if (const cudaError_t error = multiply_to_scores(r, r.d_o, r.v, 1.f, kept.dp, false, stream)) return error;
  const bool half = r.element == Element::Half;
  if (const cudaError_t error =
          half ? gradients_of_scores<__half>(r, kept, stream) : gradients_of_scores<__nv_bfloat16>(r, kept, stream))
    return error;
  const Product to_dq{false, false, r.d,      r.n_q, r.n_k, r.scale, r.k,  kept.dp, r.dq,
                      false, r.d,   dp_pitch, r.d,   of_k,  of_dp,   of_q, r.heads};
  if (const cudaError_t error = multiply(r.element, to_dq, stream)) return error;
  return over_queries(r.dk, kept.dp, dp_pitch, of_dp, r.q, r.scale);
}

}  // namespace tilewalk::gpu
