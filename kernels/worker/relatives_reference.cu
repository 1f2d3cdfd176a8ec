#include "kernels/worker/relatives_reference.h"

#include "kernels/worker/over_block.cuh"

#include <math_constants.h>

namespace tilewalk::gpu {
namespace {

constexpr int kWidest = kLatentRow, kWidestV = kLatent, kColumns = kWidestV / kThreads;

// Attention of one row, by one block: `width` columns of Q and K, `width_v` of V, keys in chunks of one a thread. A
// thread gets its columns of O, threadIdx.x and every kThreads on; every thread gets L.
template <class T>
struct Row {
  const T *q, *k, *v;
  int width, width_v, pitch_k, pitch_v, keys;
  double scale;
};
template <class T, class Sees>
__device__ double attend(const Row<T>& row, const Sees& sees, double (&o)[kColumns]) {
  __shared__ double q[kWidest], p[kThreads];
  const int t = int(threadIdx.x);
  __syncthreads();
  for (int c = t; c < row.width; c += kThreads) q[c] = widened(row.q[c]);
  __syncthreads();
  double m = -CUDART_INF, l = 0;
  for (double& x : o) x = 0;
  for (int first = 0; first < row.keys; first += kThreads) {
    const int key = first + t;
    double s = -CUDART_INF;
    if (key < row.keys && sees(key)) {
      s = 0;
      for (int c = 0; c < row.width; ++c) s += q[c] * widened(row.k[size_t(key) * row.pitch_k + c]);
      s *= row.scale;
    }
    const double risen = fmax(m, over_block(s, true));
    if (risen == -CUDART_INF) continue;  // the same for every thread
    const double alpha = exp(m - risen);
    p[t] = exp(s - risen);
    l = l * alpha + over_block(p[t], false);
    m = risen;
    for (int c = 0; c < kColumns; ++c) {
      o[c] *= alpha;
      if (const int column = t + c * kThreads; column < row.width_v)
        for (int x = 0; x < min(kThreads, row.keys - first); ++x)
          if (p[x] > 0) o[c] += p[x] * widened(row.v[size_t(first + x) * row.pitch_v + column]);
    }
    __syncthreads();
  }
  for (double& x : o) x = l > 0 ? x / l : 0;
  return m + log(l);  // -inf where no key is seen
}

// The block's gap from its columns of what was got and what was wanted.
template <class T>
__device__ void leave_gap(const T* got, const double (&want)[kColumns], int width, double length, float lse,
                          double lse_want, DecodeGap& gap) {
  double difference = 0;
  for (int c = 0; c < kColumns; ++c)
    if (const int column = int(threadIdx.x) + c * kThreads; column < width) {
      const double off = widened(got[column]) - want[c];
      difference += off * off;
    }
  difference = over_block(difference, false);
  if (threadIdx.x) return;
  const bool both_hidden = lse == -CUDART_INF_F && lse_want == -CUDART_INF;
  gap = {difference, length, both_hidden ? 0.f : lse, both_hidden ? 0. : lse_want};
}
__device__ double length_of(const double (&o)[kColumns]) {
  double sum = 0;
  for (const double x : o) sum += x * x;
  return over_block(sum, false);
}

__device__ int keys_of(const Forward& f, int query) {
  return f.causal ? max(0, min(f.n_k, query + f.n_k - f.n_q + 1)) : f.n_k;
}

template <class T>
__global__ void sparse_gaps(const Forward f, const SelectedBlocks blocks, const int64_t* rows, DecodeGap* gaps) {
  const int64_t at = rows[blockIdx.x];
  const int head = int(at / f.n_q), query = int(at % f.n_q), group = f.heads / f.kv_heads, kv_head = head / group;
  const int64_t list = int64_t(kv_head) * f.n_q + query;
  const T* const k = static_cast<const T*>(f.k) + size_t(kv_head) * f.n_k * f.d;
  const T* const v = static_cast<const T*>(f.v) + size_t(kv_head) * f.n_k * f.d;
  const auto sees = [&](int key) {
    if (!blocks.first) return true;
    for (int e = blocks.first[list]; e < blocks.first[list + 1]; ++e)
      if (int(blocks.entries[e] & 0xFFFF) == key / kSelectedBlock)
        return (blocks.entries[e] >> 16 >> head % group & 1) != 0;
    return false;
  };
  double o[kColumns];
  const double lse = attend(
      Row<T>{static_cast<const T*>(f.q) + at * f.d, k, v, f.d, f.d, f.d, f.d, keys_of(f, query), f.scale}, sees, o);
  leave_gap(static_cast<const T*>(f.o) + at * f.d, o, f.d, length_of(o), f.lse[at], lse, gaps[blockIdx.x]);
}

template <class T>
__global__ void latent_gaps(const Forward f, const int64_t* rows, DecodeGap* gaps) {
  const int64_t head = rows[blockIdx.x];
  const T* const cache = static_cast<const T*>(f.k) + size_t(head / (f.heads / f.kv_heads)) * f.n_k * kLatentRow;
  double o[kColumns];
  const double lse = attend(
      Row<T>{static_cast<const T*>(f.q) + head * kLatentRow, cache, cache, kLatentRow, kLatent, kLatentRow, kLatentRow,
             f.n_k, f.scale},
      [](int) { return true; }, o);
  leave_gap(static_cast<const T*>(f.o) + head * kLatent, o, kLatent, length_of(o), f.lse[head], lse, gaps[blockIdx.x]);
}

template <class T>
__global__ void differential_gaps(const Forward f, float lambda, const int64_t* rows, DecodeGap* gaps) {
  constexpr int D = kDifferentialWidth, kWide = 2 * D;
  const int64_t at = rows[blockIdx.x], all = int64_t(f.heads) * f.n_q;
  const int head = int(at / f.n_q), query = int(at % f.n_q);
  const T* const v = static_cast<const T*>(f.v) + size_t(head) * f.n_k * kWide;
  double o[2][kColumns], lse[2];
  for (int map = 0; map < 2; ++map) {
    const T* const q = static_cast<const T*>(f.q) + (map * all + at) * D;
    const T* const k = static_cast<const T*>(f.k) + size_t(map * f.heads + head) * f.n_k * D;
    lse[map] = attend(
        Row<T>{q, k, v, D, kWide, D, kWide, keys_of(f, query), f.scale}, [](int) { return true; }, o[map]);
  }
  const double length = length_of(o[0]) + double(lambda) * double(lambda) * length_of(o[1]);
  for (int c = 0; c < kColumns; ++c) o[0][c] -= double(lambda) * o[1][c];
  const auto off = [&](int map) { return fabs(double(f.lse[map * all + at]) - lse[map]); };
  const int worse = off(1) <= off(0) ? 0 : 1;  // a NaN of the second is taken
  leave_gap(static_cast<const T*>(f.o) + at * kWide, o[0], kWide, length, f.lse[worse * all + at], lse[worse],
            gaps[blockIdx.x]);
}

template <class Half, class BFloat>
cudaError_t launched(const Forward& f, const Half& half, const BFloat& bfloat) {
  if (f.element == Element::Half)
    half();
  else
    bfloat();
  if (const cudaError_t error = cudaGetLastError()) return error;
  return cudaDeviceSynchronize();
}

}  // namespace

cudaError_t compare_sparse(const Forward& f, const SelectedBlocks* blocks, const int64_t* rows, int count,
                           DecodeGap* gaps) {
  const SelectedBlocks all = blocks ? *blocks : SelectedBlocks{};
  return launched(
      f, [&] { sparse_gaps<__half><<<unsigned(count), kThreads>>>(f, all, rows, gaps); },
      [&] { sparse_gaps<__nv_bfloat16><<<unsigned(count), kThreads>>>(f, all, rows, gaps); });
}
cudaError_t compare_latent(const Forward& f, const int64_t* rows, int count, DecodeGap* gaps) {
  return launched(
      f, [&] { latent_gaps<__half><<<unsigned(count), kThreads>>>(f, rows, gaps); },
      [&] { latent_gaps<__nv_bfloat16><<<unsigned(count), kThreads>>>(f, rows, gaps); });
}
cudaError_t compare_differential(const Forward& f, float lambda, const int64_t* rows, int count, DecodeGap* gaps) {
  return launched(
      f, [&] { differential_gaps<__half><<<unsigned(count), kThreads>>>(f, lambda, rows, gaps); },
      [&] { differential_gaps<__nv_bfloat16><<<unsigned(count), kThreads>>>(f, lambda, rows, gaps); });
}

}  // namespace tilewalk::gpu
