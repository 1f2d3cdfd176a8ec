#include "kernels/worker/decode_reference.h"

#include "core/run/tolerance.h"
#include "kernels/worker/over_block.cuh"

#include <math_constants.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr int kWidest = 128;  // d

// One block a head, keys in chunks of kThreads, one a thread; O's columns over the threads, several keys apart.
template <class T>
__global__ void attend_and_compare(const Forward f, DecodeGap* gaps) {
  __shared__ double q_row[kWidest], p[kThreads], parts[kThreads];
  const int head = int(blockIdx.x), kv_head = head / (f.heads / f.kv_heads), t = int(threadIdx.x), d = f.d;
  const T* const q = static_cast<const T*>(f.q) + size_t(head) * d;
  const T* const k = static_cast<const T*>(f.k) + size_t(kv_head) * f.n_k * d;
  const T* const v = static_cast<const T*>(f.v) + size_t(kv_head) * f.n_k * d;
  if (t < d) q_row[t] = widened(q[t]);
  __syncthreads();
  const int column = t % d, group = t / d, groups = kThreads / d;
  double m = -CUDART_INF, l = 0, sum = 0;
  for (int first = 0; first < f.n_k; first += kThreads) {
    const int key = first + t;
    double s = -CUDART_INF;
    if (key < f.n_k) {
      s = 0;
      for (int c = 0; c < d; ++c) s += q_row[c] * widened(k[size_t(key) * d + c]);
      s *= f.scale;
    }
    const double risen = fmax(m, over_block(s, true)), alpha = exp(m - risen);
    p[t] = exp(s - risen);
    l = l * alpha + over_block(p[t], false);
    m = risen;
    sum *= alpha;
    for (int c = group; c < min(kThreads, f.n_k - first); c += groups)
      sum += p[c] * widened(v[size_t(first + c) * d + column]);
    __syncthreads();
  }
  parts[t] = sum;
  __syncthreads();
  double difference = 0, reference = 0;
  if (t < d) {
    double want = 0;
    for (int g = 0; g < groups; ++g) want += parts[g * d + t];
    want /= l;
    const double got = widened(static_cast<const T*>(f.o)[size_t(head) * d + t]);
    difference = (got - want) * (got - want), reference = want * want;
  }
  difference = over_block(difference, false);
  reference = over_block(reference, false);
  if (t == 0) gaps[head] = {difference, reference, f.lse[head], m + log(l)};
}

}  // namespace

cudaError_t compare_decode(const Forward& f, DecodeGap* gaps) {
  if (f.element == Element::Half)
    attend_and_compare<__half><<<unsigned(f.heads), kThreads>>>(f, gaps);
  else
    attend_and_compare<__nv_bfloat16><<<unsigned(f.heads), kThreads>>>(f, gaps);
  if (const cudaError_t error = cudaGetLastError()) return error;
  return cudaDeviceSynchronize();
}

DecodeErrors judge_decode(const Forward& f, const std::vector<DecodeGap>& gaps) {
  const ErrorLimits limits = error_limits(f.element == Element::Half ? Format::Float16 : Format::BFloat16);
  DecodeErrors errors;
  double difference = 0, reference = 0;
  const auto keep = [&](double& worst, double value, double limit) {
    if (!(value <= limit)) errors.passed = false;
    if (!(value <= worst)) worst = value;
  };
  for (const DecodeGap& gap : gaps) {
    difference += gap.difference, reference += gap.reference;
    keep(errors.row, gap.difference == 0 ? 0 : std::sqrt(gap.difference / gap.reference), limits.row);
    keep(errors.lse, std::fabs(gap.lse - gap.lse_reference) / std::max(1.0, std::fabs(gap.lse_reference)),
         kMostLseError);
  }
  keep(errors.whole, difference == 0 ? 0 : std::sqrt(difference / reference), limits.whole);
  return errors;
}

}  // namespace tilewalk::gpu
