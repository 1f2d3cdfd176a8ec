#include "kernels/worker/checker.h"

#include "core/attention/format.h"
#include "core/attention/input_bits.h"
#include "core/run/tolerance.h"
#include "kernels/worker/verdict.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 256;
constexpr int kWidest = 256;  // d

__device__ float widened(float x) { return x; }
__device__ float widened(__half x) { return __half2float(x); }
__device__ float widened(__nv_bfloat16 x) { return __bfloat162float(x); }

// Largest or sum over the block; every thread gets it.
template <class Op>
__device__ double over_block(double value, Op op) {
  __shared__ double partial[kThreads];
  __syncthreads();
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int half = kThreads / 2; half; half /= 2) {
    if (int(threadIdx.x) < half) partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  return partial[0];
}
struct Largest {
  __device__ double operator()(double a, double b) const { return fmax(a, b); }
};
struct Sum {
  __device__ double operator()(double a, double b) const { return a + b; }
};

// One block a sampled row: keys in chunks of kThreads, one a thread; O's columns over the threads, several keys apart.
template <class T>
__global__ void attend(const T* q, const T* k, const T* v, int64_t n_q, int64_t n_k, int d, bool causal, double scale,
                       const int64_t* rows, double* o, double* lse, double* widest) {
  __shared__ double q_row[kWidest], p[kThreads], parts[kThreads];
  const int64_t head = rows[blockIdx.x] / n_q, row = rows[blockIdx.x] % n_q;
  const int t = threadIdx.x;
  if (t < d) q_row[t] = widened(q[(head * n_q + row) * d + t]);
  const int64_t visible = causal ? max(int64_t(0), min(n_k, row + n_k - n_q + 1)) : n_k;
  const T* const keys = k + head * n_k * d;
  const T* const values = v + head * n_k * d;
  const int col = t % d, group = t / d, groups = kThreads / d;
  double m = -CUDART_INF, l = 0, sum = 0, largest = 0;
  __syncthreads();
  for (int64_t first = 0; first < visible; first += kThreads) {
    const int64_t key = first + t;
    double s = -CUDART_INF;
    if (key < visible) {
      s = 0;
      for (int c = 0; c < d; ++c) s += q_row[c] * double(widened(keys[key * d + c]));
      s *= scale;
      largest = fmax(largest, fabs(s));
    }
    const double m_new = fmax(m, over_block(s, Largest{}));
    p[t] = exp(s - m_new);
    const double alpha = exp(m - m_new);  // 0 in the first chunk
    l = l * alpha + over_block(p[t], Sum{});
    m = m_new;
    sum *= alpha;
    const int count = int(min(int64_t(kThreads), visible - first));
    for (int c = group; c < count; c += groups) sum += p[c] * double(widened(values[(first + c) * d + col]));
  }
  largest = over_block(largest, Largest{});
  parts[t] = sum;
  __syncthreads();
  if (t < d) {
    double total = 0;
    for (int g = 0; g < groups; ++g) total += parts[g * d + t];
    o[int64_t(blockIdx.x) * d + t] = visible ? total / l : 0;
  }
  if (t == 0) {
    lse[blockIdx.x] = visible ? m + log(l) : -CUDART_INF;
    widest[blockIdx.x] = largest;
  }
}

// O is d wide, and its reference `known`; both hold zeros beyond the problem's own d.
template <class T>
__global__ void compare_rows(const T* o, const float* lse, int d, int known, const int64_t* rows,
                             const double* o_reference, const double* lse_reference, const double* widest,
                             RowGap* gaps) {
  const int t = threadIdx.x;
  double difference = 0, reference = 0;
  if (t < d) {
    const double want = t < known ? o_reference[int64_t(blockIdx.x) * known + t] : 0;
    const double got = widened(o[rows[blockIdx.x] * d + t]);
    difference = (got - want) * (got - want);
    reference = want * want;
  }
  difference = over_block(difference, Sum{});
  reference = over_block(reference, Sum{});
  if (t == 0) {
    const double want = lse_reference[blockIdx.x], got = lse[rows[blockIdx.x]];
    gaps[blockIdx.x] = {difference, reference, want == got ? 0 : fabs(got - want), want, widest[blockIdx.x]};
  }
}

template <class T>
__global__ void count_unwritten(const T* values, int64_t count, unsigned long long* found) {
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < count; at += int64_t(gridDim.x) * kThreads) {
    const float value = widened(values[at]);
    if (value != value) atomicAdd(found, 1ull);
  }
}

// Every row where that is cheap; else one row out of each of as many equal stretches of all heads' rows, and both ends.
std::vector<int64_t> sampled_rows(const Problem& p) {
  const int64_t all = p.batch * p.heads * p.n_q, most = compared_rows(p);
  std::vector<int64_t> rows;
  if (all <= most) {
    for (int64_t r = 0; r < all; ++r) rows.push_back(r);
    return rows;
  }
  for (int64_t k = 0; k < most; ++k) {
    const int64_t from = k * all / most, to = (k + 1) * all / most;
    rows.push_back(from + int64_t(input_bits::scatter(p.seed ^ uint64_t(k)) % uint64_t(to - from)));
  }
  rows.front() = 0;
  rows.back() = all - 1;
  return rows;
}

template <class T>
void attend_rows(const Problem& p, const DeviceInputs& in, int64_t samples, const Buffer& rows, Buffer& o, Buffer& lse,
                 Buffer& widest) {
  attend<T><<<unsigned(samples), kThreads>>>(static_cast<const T*>(in.q()), static_cast<const T*>(in.k()),
                                             static_cast<const T*>(in.v()), p.n_q, p.n_k, int(in.width()),
                                             p.mask == Mask::Causal, p.softmax_scale(), rows.as<int64_t>(),
                                             o.as<double>(), lse.as<double>(), widest.as<double>());
}

template <class T>
void launch_comparison(const void* o, const float* lse, const Problem& p, int d, int64_t known, int64_t samples,
                       const Buffer& rows, const Buffer& o_reference, const Buffer& lse_reference, const Buffer& widest,
                       RowGap* gaps, unsigned long long* unwritten) {
  const int64_t all = p.batch * p.heads * p.n_q;
  compare_rows<T><<<unsigned(samples), kThreads>>>(static_cast<const T*>(o), lse, d, int(known), rows.as<int64_t>(),
                                                   o_reference.as<double>(), lse_reference.as<double>(),
                                                   widest.as<double>(), gaps);
  count_unwritten<T><<<1024, kThreads>>>(static_cast<const T*>(o), all * d, unwritten);
  count_unwritten<float><<<1024, kThreads>>>(lse, all, unwritten);
}

}  // namespace

void Checker::prepare(const Problem& problem, const DeviceInputs& inputs) {
  if (made_ && problem == problem_) return;
  made_ = false;
  const std::vector<int64_t> rows = sampled_rows(problem);
  samples_ = int64_t(rows.size());
  rows_.upload(std::span<const int64_t>(rows));
  width_ = inputs.width();
  o_.hold(rows.size() * size_t(width_) * sizeof(double));
  lse_.hold(rows.size() * sizeof(double));
  widest_.hold(rows.size() * sizeof(double));
  if (element_of(problem.format) == Element::BFloat16)
    attend_rows<__nv_bfloat16>(problem, inputs, samples_, rows_, o_, lse_, widest_);
  else
    attend_rows<__half>(problem, inputs, samples_, rows_, o_, lse_, widest_);
  check(cudaGetLastError(), "Computing the float64 reference");
  check(cudaDeviceSynchronize(), "Computing the float64 reference");
  problem_ = problem;
  made_ = true;
}

void Checker::poison(void* o, float* lse, int64_t width) const {
  const size_t rows = size_t(problem_.batch * problem_.heads * problem_.n_q);
  check(cudaMemset(o, 0xFF, rows * size_t(width) * 2), "Overwriting O");
  check(cudaMemset(lse, 0xFF, rows * sizeof(float)), "Overwriting L");
}

Errors Checker::compare(Method kernel, const void* o, const float* lse, int64_t width) const {
  Buffer gaps_buffer, unwritten_buffer;
  gaps_buffer.hold(size_t(samples_) * sizeof(RowGap));
  auto* const unwritten = static_cast<unsigned long long*>(unwritten_buffer.hold(sizeof(unsigned long long)));
  check(cudaMemset(unwritten, 0, sizeof *unwritten), "Comparing with the reference");
  if (element_of(problem_.format) == Element::BFloat16)
    launch_comparison<__nv_bfloat16>(o, lse, problem_, int(width), width_, samples_, rows_, o_, lse_, widest_,
                                     gaps_buffer.as<RowGap>(), unwritten);
  else
    launch_comparison<__half>(o, lse, problem_, int(width), width_, samples_, rows_, o_, lse_, widest_,
                              gaps_buffer.as<RowGap>(), unwritten);
  check(cudaGetLastError(), "Comparing with the reference");
  const std::vector<RowGap> gaps = gaps_buffer.download<RowGap>(size_t(samples_));
  const bool rounded_scores = kernel == Method::Standard && !keeps_wide_scores(problem_);
  Errors errors = judge(problem_.format, rounded_scores, gaps);
  if (unwritten_buffer.download<unsigned long long>(1)[0]) errors.passed = false;
  return errors;
}

std::optional<WrongRow> Checker::first_wrong(const void* o, const float* lse, int64_t width) const {
  constexpr size_t kShown = 4;
  const size_t d = size_t(problem_.d), pitch = size_t(width), known = size_t(width_);
  const auto rows = rows_.download<int64_t>(size_t(samples_));
  const auto o_wanted = o_.download<double>(size_t(samples_) * known),
             lse_wanted = lse_.download<double>(size_t(samples_));
  std::vector<uint16_t> bits(d);
  for (size_t k = 0; k < rows.size(); ++k) {
    float got_lse = 0;
    check(cudaMemcpy(bits.data(), static_cast<const uint16_t*>(o) + size_t(rows[k]) * pitch, d * sizeof(uint16_t),
                     cudaMemcpyDeviceToHost),
          "Reading a row of O");
    check(cudaMemcpy(&got_lse, lse + rows[k], sizeof got_lse, cudaMemcpyDeviceToHost), "Reading a row of L");
    std::vector<double> got(d);
    double difference = 0, reference = 0;
    for (size_t c = 0; c < d; ++c) {
      got[c] = problem_.format == Format::BFloat16 ? bfloat16_to_double(bits[c]) : half_to_double(bits[c]);
      const double want = o_wanted[k * known + c];
      difference += (got[c] - want) * (got[c] - want);
      reference += want * want;
    }
    const double error = difference == 0 ? 0 : std::sqrt(difference / reference), want = lse_wanted[k];
    const double lse_error = double(got_lse) == want ? 0 : std::fabs(got_lse - want) / std::max(1.0, std::fabs(want));
    if (error <= error_limits(problem_.format).row && lse_error <= kMostLseError) continue;
    WrongRow wrong{rows[k] / problem_.n_q, rows[k] % problem_.n_q, error, got_lse, want, {}, {}};
    const size_t shown = std::min(d, kShown);
    wrong.o.assign(got.begin(), got.begin() + ptrdiff_t(shown));
    wrong.o_wanted.assign(o_wanted.begin() + ptrdiff_t(k * known), o_wanted.begin() + ptrdiff_t(k * known + shown));
    return wrong;
  }
  return std::nullopt;
}

size_t Checker::bytes(const Problem& p) {
  const size_t rows = sampled_rows(p).size();
  return rows * (size_t(widest_d(p.d)) * sizeof(double) + 3 * sizeof(double) + sizeof(RowGap));
}

}  // namespace tilewalk::gpu
