#include "tests/gpu/device_arrays.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu::check {
namespace {

__device__ uint64_t mix(uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

template <class T>
__device__ T from_float(float x) {
  return static_cast<T>(x);
}
template <class T>
__device__ double value(T x) {
  return static_cast<double>(static_cast<float>(x));
}

template <class T>
__global__ void fill_kernel(T* to, int64_t n, int d, int padded_d, Values values, uint64_t seed) {
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < n; at += int64_t(gridDim.x) * blockDim.x) {
    const uint64_t bits = mix(seed * 0x2545F4914F6CDD1Dull + at);
    const float u = (float(bits >> 40) + 0.5f) / 16777216.f, phase = float(bits & 0xFFFFFF) / 16777216.f;
    float x = sqrtf(-2.f * logf(u)) * cospif(2.f * phase);
    if (values != Values::Normal && mix(bits) % (values == Values::Outliers ? 1000 : 8) == 0) x *= 10.f;
    if (values == Values::Above) x = fabsf(x);
    if (values == Values::Below) x = -fabsf(x);
    to[at] = from_float<T>(at % padded_d < d ? x : 0.f);
  }
}

// The sum, or the largest, of one value of each of the block's 128 threads; `spare` is shared.
template <bool largest>
__device__ double over_block(double x, double* spare) {
  spare[threadIdx.x] = x;
  __syncthreads();
  double all = spare[0];
  for (int t = 1; t < 128; ++t) all = largest ? fmax(all, spare[t]) : all + spare[t];
  __syncthreads();
  return all;
}

// One block a row. The textbook's order, all in float64: every score, their max, their exponentials, O.
template <class T>
__global__ void compare_kernel(Forward f, const int64_t* rows, RowError* errors) {
  extern __shared__ double p[];  // [n_k]
  __shared__ double spare[128];
  const int64_t row = rows[blockIdx.x];
  const int64_t kv_head = row / f.n_q / (f.kv_heads > 0 ? f.heads / f.kv_heads : 1);
  const int query = int(row % f.n_q);
  const T* q = static_cast<const T*>(f.q) + row * f.d;
  const T* k = static_cast<const T*>(f.k) + kv_head * f.n_k * f.d;
  const T* v = static_cast<const T*>(f.v) + kv_head * f.n_k * f.d;
  const int seen = f.causal ? max(0, min(f.n_k, query + f.n_k - f.n_q + 1)) : f.n_k;

  double m = -INFINITY, widest = 0;
  for (int c = threadIdx.x; c < seen; c += 128) {
    double s = 0;
    for (int x = 0; x < f.d; ++x) s += value(q[x]) * value(k[int64_t(c) * f.d + x]);
    p[c] = s * double(f.scale);
    m = fmax(m, p[c]);
    widest = fmax(widest, fabs(p[c]));
  }
  m = over_block<true>(m, spare);
  widest = over_block<true>(widest, spare);
  double l = 0;
  for (int c = threadIdx.x; c < seen; c += 128) l += p[c] = exp(p[c] - m);
  l = over_block<false>(l, spare);

  double error2 = 0, reference2 = 0;
  for (int x = threadIdx.x; x < f.d; x += 128) {
    double o = 0;
    for (int c = 0; c < seen; ++c) o += p[c] * value(v[int64_t(c) * f.d + x]);
    if (seen > 0) o /= l;
    const double got = value(static_cast<const T*>(f.o)[row * f.d + x]);
    error2 += (got - o) * (got - o);
    reference2 += o * o;
  }
  error2 = over_block<false>(error2, spare);
  reference2 = over_block<false>(reference2, spare);
  if (threadIdx.x == 0)
    errors[blockIdx.x] = {error2, reference2, f.lse[row], seen > 0 ? m + log(l) : -INFINITY, widest};
}

template <class T>
__global__ void count_nan_kernel(const T* x, int64_t n, unsigned long long* count) {
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < n; at += int64_t(gridDim.x) * blockDim.x)
    if (isnan(value(x[at]))) atomicAdd(count, 1);
}

void finish(const char* what) {
  must(cudaGetLastError(), what);
  must(cudaDeviceSynchronize(), what);
}
}  // namespace

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("kernel_check: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void fill(void* to, Element element, int heads, int n, int d, int padded_d, Values values, uint64_t seed) {
  const int64_t all = int64_t(heads) * n * padded_d;
  if (element == Element::Half) {
    fill_kernel<<<512, 256>>>(static_cast<__half*>(to), all, d, padded_d, values, seed);
  } else {
    fill_kernel<<<512, 256>>>(static_cast<__nv_bfloat16*>(to), all, d, padded_d, values, seed);
  }
  finish("filling the inputs");
}

void compare_rows(const Forward& f, const int64_t* rows, int count, RowError* errors) {
  const size_t bytes = sizeof(double) * f.n_k;
  if (f.element == Element::Half) {
    compare_kernel<__half><<<count, 128, bytes>>>(f, rows, errors);
  } else {
    compare_kernel<__nv_bfloat16><<<count, 128, bytes>>>(f, rows, errors);
  }
  finish("comparing with the reference");
}

int64_t count_nan(const void* elements, Element element, int64_t n) {
  const auto count = device_array<unsigned long long>(1);
  must(cudaMemset(count.get(), 0, sizeof(unsigned long long)), "cudaMemset");
  if (element == Element::Half) {
    count_nan_kernel<<<512, 256>>>(static_cast<const __half*>(elements), n, count.get());
  } else {
    count_nan_kernel<<<512, 256>>>(static_cast<const __nv_bfloat16*>(elements), n, count.get());
  }
  unsigned long long out = 0;
  must(cudaMemcpy(&out, count.get(), sizeof out, cudaMemcpyDeviceToHost), "counting NaNs");
  return int64_t(out);
}

}  // namespace tilewalk::gpu::check
