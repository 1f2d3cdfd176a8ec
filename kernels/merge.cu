// Two parts of a row's attention become one: each part knows its O, divided by its own l, and its L = m + log l. No
// score is needed again, so parts that were computed by other launches, or on other GPUs' keys, merge in any order.
//
//   L = log(e^La + e^Lb),   O = e^(La - L) Oa + e^(Lb - L) Ob
//
// One warp works on 4 rows at d = 64, on 2 at d = 128: each lane on 8 neighbouring columns, a load of 16 bytes from
// 16-bit numbers and two from fp32. Memory sets its time: at most 2 + 4 + 4 bytes an element.
#include "kernels/merge.h"

#include "kernels/common/ptx_sm80.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr int kColumns = 8;  // of a lane
constexpr int kThreads = 256;

__device__ float2 widened(__half2 x) { return __half22float2(x); }
__device__ float2 widened(__nv_bfloat162 x) { return __bfloat1622float2(x); }
template <class T>
struct PairOf;
template <>
struct PairOf<__half> {
  using Type = __half2;
};
template <>
struct PairOf<__nv_bfloat16> {
  using Type = __nv_bfloat162;
};

template <class T>
__device__ void load(float (&out)[kColumns], const T* from) {
  const uint4 bits = *reinterpret_cast<const uint4*>(from);
  const auto* pairs = reinterpret_cast<const typename PairOf<T>::Type*>(&bits);
#pragma unroll
  for (int c = 0; c < kColumns; c += 2) {
    const float2 two = widened(pairs[c / 2]);
    out[c] = two.x;
    out[c + 1] = two.y;
  }
}
__device__ void load(float (&out)[kColumns], const float* from) {
#pragma unroll
  for (int c = 0; c < kColumns; c += 4)
    *reinterpret_cast<float4*>(out + c) = *reinterpret_cast<const float4*>(from + c);
}
template <class T>
__device__ void store(T* to, const float (&o)[kColumns]) {
  uint4 bits;
  bits.x = pack<T>(o[0], o[1]);
  bits.y = pack<T>(o[2], o[3]);
  bits.z = pack<T>(o[4], o[5]);
  bits.w = pack<T>(o[6], o[7]);
  *reinterpret_cast<uint4*>(to) = bits;
}
__device__ void store(float* to, const float (&o)[kColumns]) {
#pragma unroll
  for (int c = 0; c < kColumns; c += 4)
    *reinterpret_cast<float4*>(to + c) = make_float4(o[c], o[c + 1], o[c + 2], o[c + 3]);
}

// `from` and `to` may be the same memory: a lane reads its columns before it writes them.
template <class T, class From, class To, int D>
__global__ void __launch_bounds__(kThreads)
    merge_rows(const From* from, To* to, float* lse, const T* part, const float* part_lse, int64_t rows) {
  constexpr int kLanes = D / kColumns;  // of a row: 8 or 16, so that a row stays within a warp
  const int64_t row = (int64_t(blockIdx.x) * kThreads + threadIdx.x) / kLanes;
  const int lane = threadIdx.x % kLanes;
  const bool here = row < rows;
  const float a = here ? lse[row] : 0.f, b = here ? part_lse[row] : 0.f;
  __syncwarp();  // every lane of the row has read L
  if (!here) return;

  const float m = fmaxf(a, b);
  const float alpha = m == -INFINITY ? 0.f : expf(a - m), beta = m == -INFINITY ? 0.f : expf(b - m);
  const float sum = alpha + beta, scale = sum == 0.f ? 0.f : 1.f / sum;
  const int64_t at = row * D + lane * kColumns;
  float o[kColumns], added[kColumns];
  load(o, from + at);
  load(added, part + at);
#pragma unroll
  for (int c = 0; c < kColumns; ++c) o[c] = alpha * scale * o[c] + beta * scale * added[c];
  store(to + at, o);
  if (lane == 0) lse[row] = sum == 0.f ? -INFINITY : m + logf(sum);
}

template <class T, int D>
cudaError_t launch(const Merge& m, cudaStream_t stream) {
  const int64_t lanes = m.rows * (D / kColumns), blocks = (lanes + kThreads - 1) / kThreads;
  if (blocks > INT32_MAX) return cudaErrorInvalidValue;
  T* const o = static_cast<T*>(m.o);
  const T* const part = static_cast<const T*>(m.part);
  const auto run = [&](auto from, auto to) {
    merge_rows<T, std::remove_const_t<std::remove_pointer_t<decltype(from)>>, std::remove_pointer_t<decltype(to)>, D>
        <<<unsigned(blocks), kThreads, 0, stream>>>(from, to, m.lse, part, m.part_lse, m.rows);
  };
  if (m.first)
    m.last ? run(o, o) : run(o, m.sum);
  else
    m.last ? run(m.sum, o) : run(m.sum, m.sum);
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_merge(const Merge& m, cudaStream_t stream) {
  if ((m.d != 64 && m.d != 128) || m.rows < 1) return cudaErrorInvalidValue;
  if (m.element == Element::Half) return m.d == 64 ? launch<__half, 64>(m, stream) : launch<__half, 128>(m, stream);
  return m.d == 64 ? launch<__nv_bfloat16, 64>(m, stream) : launch<__nv_bfloat16, 128>(m, stream);
}

}  // namespace tilewalk::gpu
