// What comes before and after the gradients of fa2_backward.cu and fa3_backward.cu: D and dQ = 0, and dQ in the
// output's format; with what lies in memory between the three launches.
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/common/step.cuh"
#include "kernels/forward.h"

#include <type_traits>

namespace tilewalk::gpu {
namespace {

constexpr int kRowThreads = 256;

constexpr int64_t padded_rows(int64_t n_q, int br) { return (n_q + br - 1) / br * br; }

// In memory between the launches, for all heads and with n_q padded to whole Q tiles: dQ as it adds up, and of each row
// (L log2(e), D). A row that does not exist, or sees no key, has L = +inf, which makes its P = 2^(S - L) = 0.
struct Workspace {
  float* dq;     // [heads, padded, d], 16 rows at a time in the order of an accumulator: fragment_offset()
  float* stats;  // [heads, padded / Br, 2, Br]: L log2(e) of a Q tile, then D
  int64_t padded;

  static Workspace of(const Request& r, int br) {
    const int64_t padded = padded_rows(r.n_q, br), rows = r.heads * padded;
    auto* const dq = static_cast<float*>(r.workspace);
    return {dq, dq + rows * r.d, padded};
  }
};

// Of 16 rows of dQ and columns [8 column8, 8 column8 + 8): the four floats of a lane, one behind the other, so that a
// warp adds 512 bytes in a row.
template <int D>
__host__ __device__ constexpr int fragment_offset(int column8, int lane) {
  return (column8 * 32 + lane) * 4;
}

template <class T>
__device__ __forceinline__ float2 unpack(uint32_t both) {
  if constexpr (std::is_same_v<T, __half>)
    return __half22float2(reinterpret_cast<const __half2&>(both));
  else
    return __bfloat1622float2(reinterpret_cast<const __nv_bfloat162&>(both));
}

// ---- D = rowsum(dO o O), dQ = 0 ------------------------------------------------------------------------------------

// 8 columns a lane.
template <class T, int D, int Br>
__global__ void __launch_bounds__(kRowThreads) dot_rows(const Request r, const Workspace space) {
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  constexpr int kLanes = D / 8;
  const int64_t at = (int64_t(blockIdx.x) * kRowThreads + threadIdx.x) / kLanes;  // the row, over all heads
  const int lane = int(threadIdx.x) % kLanes;
  const int64_t head = at / space.padded;
  const int row = int(at % space.padded);
  const bool real = head < r.heads && row < r.n_q;
  const int64_t from = ((head * r.n_q + row) * D) + lane * 8;
  uint4 o = {}, d_o = {};
  STEP(LoadO, 0) {
    if (real) o = *reinterpret_cast<const uint4*>(static_cast<const uint16_t*>(r.o) + from);
  }
  STEP(LoadDO, 0) {
    if (real) d_o = *reinterpret_cast<const uint4*>(static_cast<const uint16_t*>(r.d_o) + from);
  }
  float dot = 0.f;
  STEP(DotO, 0) {
    const uint32_t a[4] = {o.x, o.y, o.z, o.w}, b[4] = {d_o.x, d_o.y, d_o.z, d_o.w};
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const float2 x = unpack<T>(a[e]), y = unpack<T>(b[e]);
      dot += x.x * y.x + x.y * y.y;
    }
#pragma unroll
    for (int distance = kLanes / 2; distance > 0; distance /= 2) dot += __shfl_xor_sync(~0u, dot, distance);
  }
  if (head >= r.heads) return;
  STEP(StoreD, 0) {
    if (lane == 0) {
      const float lse = real ? r.lse[head * r.n_q + row] : -INFINITY;
      float* const to = space.stats + at / Br * 2 * Br + at % Br;
      to[0] = lse == -INFINITY ? INFINITY : lse * kLog2E;
      to[Br] = dot;
    }
  }
  STEP(InitDQ, 0) {
    // The warp's rows lie one behind the other: 1024 bytes, of which each store writes half, whole sectors.
    const int64_t thread = int64_t(blockIdx.x) * kRowThreads + threadIdx.x;
    auto* const to = reinterpret_cast<float4*>(space.dq) + thread / 32 * 64 + thread % 32;
    STEP(StoreDQ, 0) { to[0] = to[32] = float4{}; }
  }
}

// ---- dQ in the output's format -------------------------------------------------------------------------------------

// A thread takes 8 columns of two rows, 8 apart: four lanes' parts of an accumulator.
template <class T, int D>
__global__ void __launch_bounds__(kRowThreads) convert_dq(const Request r, const Workspace space) {
  constexpr bool kTraced = false;
  Tracer<kTraced> trace(TraceArgs<false>{}, 0, false);
  const int64_t at = int64_t(blockIdx.x) * kRowThreads + threadIdx.x;
  const int column8 = int(at % (D / 8)), quad = int(at / (D / 8) % 8);
  const int64_t slab = at / D, first = slab * 16;  // its first row, over all heads
  if (first >= r.heads * space.padded) return;
  const int64_t head = first / space.padded, row = first % space.padded + quad;
  float x[4][4];
  STEP(LoadDQ, 0) {
    const auto* const from =
        reinterpret_cast<const float4*>(space.dq + slab * 16 * D + fragment_offset<D>(column8, quad * 4));
#pragma unroll
    for (int k = 0; k < 4; ++k) *reinterpret_cast<float4*>(x[k]) = from[k];
  }
  uint4 out[2];
  STEP(ConvertDQ, 0) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const auto both = [&](int k) { return pack<T>(x[k][2 * h] * r.scale, x[k][2 * h + 1] * r.scale); };
      out[h] = {both(0), both(1), both(2), both(3)};
    }
  }
  STEP(StoreDQ, 0) {
#pragma unroll
    for (int h = 0; h < 2; ++h)
      if (row + 8 * h < r.n_q)
        *reinterpret_cast<uint4*>(static_cast<uint16_t*>(r.dq) + (head * r.n_q + row + 8 * h) * D + column8 * 8) =
            out[h];
  }
}

}  // namespace
}  // namespace tilewalk::gpu
