#include "kernels/worker/method_reference.h"

#include "core/run/tolerance.h"
#include "kernels/worker/buffer.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 128;

__device__ float of_e4m3(uint8_t bits) {
  __nv_fp8_e4m3 x;
  x.__x = bits;
  return float(x);
}

// Where place x of 32 keys comes from, by the accumulator's and the operand's layouts as PTX draws them: found by
// search here, so that a wrong formula in the kernel shows.
__device__ int place_of(int key) {
  for (int lane = 0; lane < 4; ++lane)
    for (int n = 0; n < 4; ++n)
      for (int e = 0; e < 2; ++e)  // accumulator: lane holds columns 8 n + 2 lane + e; its m-th number, in that order
        if (8 * n + 2 * lane + e == key) {
          const int m = 2 * n + e;
          return m < 4 ? 4 * lane + m : 16 + 4 * lane + m - 4;
        }
  return -1;
}

// All of Q, K or V as floats, [heads, n, d].
template <class T>
__global__ void widen(const T* from, float* to, int64_t count) {
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < count; at += int64_t(gridDim.x) * blockDim.x)
    to[at] = float(from[at]);
}
__global__ void widen_rows(const uint8_t* from, const float* scales, int n, int d, int rows, float* to, int64_t count) {
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < count; at += int64_t(gridDim.x) * blockDim.x) {
    const int64_t head = at / d / n;
    const int row = int(at / d % n);
    to[at] = of_e4m3(from[at]) * scales[head * ((n + rows - 1) / rows) + row / rows];
  }
}
__global__ void widen_transposed(const uint8_t* from, const float* scales, int n, int d, int rows, float* to,
                                 int64_t count) {
  const int tiles = (n + rows - 1) / rows;
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < count; at += int64_t(gridDim.x) * blockDim.x) {
    const int64_t head = at / d / n;
    const int key = int(at / d % n), column = int(at % d), in_tile = key % rows;
    const int place = in_tile / 32 * 32 + place_of(in_tile % 32);
    const int64_t tile = head * tiles + key / rows;
    to[at] = of_e4m3(from[tile * rows * d + place / 16 * 16 * d + column * 16 + place % 16]) * scales[tile];
  }
}

__device__ double over_block(double x, bool largest, double* spare) {
  spare[threadIdx.x] = x;
  __syncthreads();
  double all = spare[0];
  for (int t = 1; t < kThreads; ++t) all = largest ? fmax(all, spare[t]) : all + spare[t];
  __syncthreads();
  return all;
}

// One block a row, its threads over the columns of O; the scores of a row lie in `scores`, [count, n_k].
template <class T>
__global__ void attend(Request f, const float* q, const float* k, const float* v, const int64_t* rows, double* scores,
                       MethodGap* gaps) {
  __shared__ double spare[kThreads];
  const int64_t row = rows[blockIdx.x], kv_head = row / f.n_q / group_of(f);
  double* const p = scores + int64_t(blockIdx.x) * f.n_k;
  const int seen = f.causal ? max(0, min(f.n_k, int(row % f.n_q) + f.n_k - f.n_q + 1)) : f.n_k;
  double m = -INFINITY, widest = 0;
  for (int c = threadIdx.x; c < seen; c += kThreads) {
    double s = 0, sizes = 0;
    for (int x = 0; x < f.d; ++x) {
      const double product = double(q[row * f.d + x]) * double(k[(kv_head * f.n_k + c) * f.d + x]);
      s += product;
      sizes += fabs(product);
    }
    p[c] = s * double(f.scale);
    m = fmax(m, p[c]);
    widest = fmax(widest, sizes * double(f.scale));
  }
  m = over_block(m, true, spare);
  widest = over_block(widest, true, spare);
  double l = 0;
  for (int c = threadIdx.x; c < seen; c += kThreads) l += p[c] = exp(p[c] - m);
  l = over_block(l, false, spare);
  double difference = 0, reference = 0;
  for (int x = threadIdx.x; x < f.d; x += kThreads) {
    double o = 0;
    for (int c = 0; c < seen; ++c) o += p[c] * double(v[(kv_head * f.n_k + c) * f.d + x]);
    if (seen > 0) o /= l;
    const double got = double(float(static_cast<const T*>(f.o)[row * f.d + x]));
    difference += (got - o) * (got - o), reference += o * o;
  }
  difference = over_block(difference, false, spare);
  reference = over_block(reference, false, spare);
  if (threadIdx.x == 0)
    gaps[blockIdx.x] = {difference, reference, f.lse[row], seen > 0 ? m + log(l) : -INFINITY, widest};
}

}  // namespace

std::vector<MethodGap> compare_method_rows(const Request& f, std::span<const int64_t> rows, bool rounded) {
  const int64_t queries = int64_t(f.heads) * f.n_q * f.d, keys = int64_t(f.heads / group_of(f)) * f.n_k * f.d;
  Buffer q, k, v, device_rows, scores, gaps;
  for (const auto& [buffer, count] : {std::pair(&q, queries), {&k, keys}, {&v, keys}})
    buffer->hold(size_t(count) * sizeof(float));
  const bool half = f.element == Element::Half;
  if (rounded) {
    const Fp8Tensors in = fp8_tensors(f);
    const int tile = fp8_keys(f.n_k);
    widen_rows<<<512, 256>>>(in.q, in.q_scale, f.n_q, f.d, kFp8Rows, q.as<float>(), queries);
    widen_rows<<<512, 256>>>(in.k, in.k_scale, f.n_k, f.d, tile, k.as<float>(), keys);
    widen_transposed<<<512, 256>>>(in.v, in.v_scale, f.n_k, f.d, tile, v.as<float>(), keys);
  } else {
    const auto all = [&]<class T>(T) {
      widen<<<512, 256>>>(static_cast<const T*>(f.q), q.as<float>(), queries);
      widen<<<512, 256>>>(static_cast<const T*>(f.k), k.as<float>(), keys);
      widen<<<512, 256>>>(static_cast<const T*>(f.v), v.as<float>(), keys);
    };
    half ? all(__half{}) : all(__nv_bfloat16{});
  }
  device_rows.upload(rows);
  scores.hold(rows.size() * size_t(f.n_k) * sizeof(double));
  gaps.hold(rows.size() * sizeof(MethodGap));
  const auto compare = [&]<class T>(T) {
    attend<T><<<unsigned(rows.size()), kThreads>>>(f, q.as<float>(), k.as<float>(), v.as<float>(),
                                                   device_rows.as<int64_t>(), scores.as<double>(),
                                                   gaps.as<MethodGap>());
  };
  half ? compare(__half{}) : compare(__nv_bfloat16{});
  check(cudaGetLastError(), "Comparing with float64");
  return gaps.download<MethodGap>(rows.size());
}

Errors judge_method(Format format, std::span<const MethodGap> gaps) {
  const ErrorLimits limits = error_limits(format);
  Errors out;
  out.rows = int64_t(gaps.size());
  out.passed = true;
  double difference = 0, reference = 0;
  const auto keep = [&](double& worst, double value, double limit) {
    if (!(value <= limit)) out.passed = false;
    if (!(value <= worst)) worst = value;
  };
  for (const MethodGap& gap : gaps) {
    if (gap.lse_reference == -INFINITY) {  // no key is seen
      if (gap.difference != 0 || gap.lse != -INFINITY) out.passed = false;
      continue;
    }
    difference += gap.difference, reference += gap.reference;
    const double size = std::max(1.0, std::fabs(gap.lse_reference));
    const double dropped = format == Format::E4M3 ? kDroppedE4M3 * gap.widest : 0;
    keep(out.worst_row, gap.difference == 0 ? 0 : std::sqrt(gap.difference / gap.reference), limits.row + 2 * dropped);
    keep(out.lse, std::fabs(gap.lse - gap.lse_reference) / size, kMostLseError + dropped / size);
  }
  keep(out.whole, difference == 0 ? 0 : std::sqrt(difference / reference), limits.whole);
  return out;
}

}  // namespace tilewalk::gpu
