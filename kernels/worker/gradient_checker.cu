#include "kernels/worker/gradient_checker.h"

#include "core/attention/input_bits.h"
#include "core/run/tolerance.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tilewalk::gpu {
namespace {

constexpr int kThreads = 256;
constexpr int kWidest = 128;                  // d
constexpr int64_t kPairs = int64_t{1} << 29;  // of query and key, whose L and D are computed
constexpr int64_t kFewestHeads = 2;           // the first and the last at least

template <class T>
__device__ double widened(T x) {
  return double(float(x));
}

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

template <class T>
struct Tensors {
  const T *q, *k, *v, *d_o;
  int64_t n_q, n_k;
  int d;
  bool causal;
  double scale;

  __device__ int64_t keys_seen(int64_t query) const {
    return causal ? max(int64_t(0), min(n_k, query + n_k - n_q + 1)) : n_k;
  }
  __device__ int64_t first_query(int64_t key) const { return causal ? max(int64_t(0), key - (n_k - n_q)) : 0; }
  __device__ double dot(const double* row, const T* other) const {
    double sum = 0;
    for (int c = 0; c < d; ++c) sum += row[c] * widened(other[c]);
    return sum;
  }
};

// Of each row of the chosen heads: L, D, and sqrt(sum of (dO O)^2), by which D is off where O is off by all of itself.
struct Statistics {
  double lse, dot, size;
};

// One block a row, keys in chunks of kThreads.
template <class T>
__global__ void row_statistics(const Tensors<T> t, const int64_t* heads, Statistics* out) {
  __shared__ double q_row[kWidest], p[kThreads], parts[kThreads];
  const int64_t head = heads[blockIdx.x / t.n_q], query = blockIdx.x % t.n_q, row = head * t.n_q + query;
  const int at = threadIdx.x, d = t.d, col = at % d, group = at / d, groups = kThreads / d;
  if (at < d) q_row[at] = widened(t.q[row * d + at]);
  const int64_t seen = t.keys_seen(query);
  double m = -CUDART_INF, l = 0, sum = 0;
  __syncthreads();
  for (int64_t first = 0; first < seen; first += kThreads) {
    const int64_t key = first + at;
    const double s = key < seen ? t.dot(q_row, t.k + (head * t.n_k + key) * d) * t.scale : -CUDART_INF;
    const double m_new = fmax(m, over_block(s, Largest{}));
    p[at] = exp(s - m_new);
    const double alpha = exp(m - m_new);  // 0 in the first chunk
    l = l * alpha + over_block(p[at], Sum{});
    m = m_new;
    sum *= alpha;
    const int count = int(min(int64_t(kThreads), seen - first));
    for (int c = group; c < count; c += groups) sum += p[c] * widened(t.v[(head * t.n_k + first + c) * d + col]);
  }
  parts[at] = sum;
  __syncthreads();
  double product = 0;
  if (at < d && seen) {
    for (int g = 0; g < groups; ++g) product += parts[g * d + at];
    product *= widened(t.d_o[row * d + at]) / l;
  }
  const double dot = over_block(product, Sum{}), size = sqrt(over_block(product * product, Sum{}));
  if (at == 0) out[blockIdx.x] = {seen ? m + log(l) : -CUDART_INF, dot, size};
}

// One block a sampled row of dQ, or a sampled key of dK and dV, in chunks of kThreads of the other side. rows: head *
// n + row; `place` of a head is its index among the chosen ones, whose L and D are known.
template <class T, bool kOfKeys>
__global__ void gradients(const Tensors<T> t, const int64_t* rows, const int64_t* places, const Statistics* known,
                          double* first_out, double* first_scale2, double* dv, double* dv_scale2) {
  __shared__ double a_row[kWidest], b_row[kWidest], p[kThreads], ds[kThreads], parts[2][kThreads];
  const int64_t n = kOfKeys ? t.n_k : t.n_q, row = rows[blockIdx.x], head = row / n, own = row % n;
  const int at = threadIdx.x, d = t.d, col = at % d, group = at / d, groups = kThreads / d;
  if (at < d) {
    a_row[at] = widened((kOfKeys ? t.k : t.q)[row * d + at]);
    b_row[at] = widened((kOfKeys ? t.v : t.d_o)[row * d + at]);
  }
  const int64_t begin = kOfKeys ? t.first_query(own) : 0, end = kOfKeys ? t.n_q : t.keys_seen(own);
  const int64_t others = head * (kOfKeys ? t.n_q : t.n_k), of_head = places[blockIdx.x] * t.n_q;
  const T* const a = (kOfKeys ? t.q : t.k) + others * d;    // what dS multiplies
  const T* const b = (kOfKeys ? t.d_o : t.v) + others * d;  // what makes dP; of dV, what P multiplies
  double scale2 = 0, scale2_v = 0, sum = 0, sum_v = 0;
  __syncthreads();
  for (int64_t first = begin; first < end; first += kThreads) {
    const int64_t other = first + at;
    p[at] = ds[at] = 0;
    if (other < end) {
      const int64_t query = of_head + (kOfKeys ? other : own);
      const Statistics of_query = known[query];
      const double dp = t.dot(b_row, b + other * d);
      p[at] = exp(t.dot(a_row, a + other * d) * t.scale - of_query.lse);
      ds[at] = p[at] * (dp - of_query.dot) * t.scale;
      const double least = std::is_same_v<T, __half> ? 0x1p-14 : 0;
      const double size = fmax(p[at] * (fabs(dp) + fabs(of_query.dot) + of_query.size), least) * t.scale;
      const double weight = fmax(p[at], least);
      double length2 = 0, length2_v = 0;
      for (int c = 0; c < d; ++c) {
        const double x = widened(a[other * d + c]), y = widened(b[other * d + c]);
        length2 += x * x;
        length2_v += y * y;
      }
      scale2 += size * size * length2;
      scale2_v += weight * weight * length2_v;
    }
    __syncthreads();
    const int count = int(min(int64_t(kThreads), end - first));
    for (int c = group; c < count; c += groups) {
      sum += ds[c] * widened(a[(first + c) * d + col]);
      if (kOfKeys) sum_v += p[c] * widened(b[(first + c) * d + col]);
    }
    __syncthreads();
  }
  scale2 = over_block(scale2, Sum{});
  scale2_v = over_block(scale2_v, Sum{});
  parts[0][at] = sum;
  parts[1][at] = sum_v;
  __syncthreads();
  if (at < d) {
    double total = 0, total_v = 0;
    for (int g = 0; g < groups; ++g) total += parts[0][g * d + at], total_v += parts[1][g * d + at];
    first_out[int64_t(blockIdx.x) * d + at] = total;
    if (kOfKeys) dv[int64_t(blockIdx.x) * d + at] = total_v;
  }
  if (at > 0) return;
  first_scale2[blockIdx.x] = scale2;
  if (kOfKeys) dv_scale2[blockIdx.x] = scale2_v;
}

struct Gap {
  double difference, size;  // squares summed; size: of the reference and of the scale
};
template <class T>
__global__ void compare_rows(const T* got, int d, const int64_t* rows, const double* want, const double* scale2,
                             Gap* gaps) {
  const int at = threadIdx.x;
  double difference = 0, reference = 0;
  if (at < d) {
    const double x = want[int64_t(blockIdx.x) * d + at], y = widened(got[rows[blockIdx.x] * d + at]);
    difference = (y - x) * (y - x);
    reference = x * x;
  }
  difference = over_block(difference, Sum{});
  reference = over_block(reference, Sum{});
  if (at == 0) gaps[blockIdx.x] = {difference, reference + scale2[blockIdx.x]};
}

template <class T>
__global__ void count_unwritten(const T* values, int64_t count, unsigned long long* found) {
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < count; at += int64_t(gridDim.x) * kThreads)
    if (const float value = float(values[at]); value != value) atomicAdd(found, 1ull);
}

int64_t all_heads(const Problem& p) { return p.batch * p.heads; }

// Those whose L and D are computed, evenly, first and last among them.
std::vector<int64_t> chosen_heads(const Problem& p) {
  const int64_t all = all_heads(p), most = std::clamp(kPairs / (p.n_q * p.n_k), kFewestHeads, all < 2 ? 2 : all);
  std::vector<int64_t> heads;
  if (all <= most) {
    for (int64_t head = 0; head < all; ++head) heads.push_back(head);
    return heads;
  }
  for (int64_t k = 0; k < most; ++k) heads.push_back(k * (all - 1) / (most - 1));
  return heads;
}

// Of the chosen heads' n rows each: every one where that is cheap, else one out of each of as many equal stretches, and
// both ends.
struct Sampled {
  std::vector<int64_t> rows, places;  // head * n + row, and the head's index among the chosen
};
int64_t most_rows(const Problem& p, int64_t n, int64_t heads) { return std::min(heads * n, compared_rows(p)); }
Sampled sample(const Problem& p, int64_t n, const std::vector<int64_t>& heads) {
  const int64_t all = int64_t(heads.size()) * n, most = most_rows(p, n, int64_t(heads.size()));
  Sampled out;
  for (int64_t k = 0; k < most; ++k) {
    const int64_t from = k * all / most, to = (k + 1) * all / most;
    int64_t at = from + int64_t(input_bits::scatter(p.seed ^ uint64_t(k)) % uint64_t(to - from));
    if (k == 0) at = 0;
    if (k == most - 1) at = all - 1;
    out.rows.push_back(heads[size_t(at / n)] * n + at % n);
    out.places.push_back(at / n);
  }
  return out;
}

// Calls use(T) with the problem's element type.
template <class Use>
void with_element(const Problem& p, Use use) {
  if (element_of(p.format) == Element::BFloat16)
    use(__nv_bfloat16{});
  else
    use(__half{});
}

}  // namespace

void GradientChecker::prepare(const Problem& p, const DeviceInputs& inputs, const void* d_o) {
  if (made_ && p == problem_) return;
  made_ = false;
  const int64_t d = padded_d(p.d);
  const std::vector<int64_t> heads = chosen_heads(p);
  const int64_t known = int64_t(heads.size()) * p.n_q;
  Buffer of_heads, statistics, query_places, key_places;
  of_heads.upload(std::span<const int64_t>(heads));
  statistics.hold(size_t(known) * sizeof(Statistics));
  const auto take = [&](Reference& to, const Sampled& from) {
    to.samples = int64_t(from.rows.size());
    to.rows.upload(std::span<const int64_t>(from.rows));
    to.gradient.hold(size_t(to.samples * d) * sizeof(double));
    to.scale2.hold(size_t(to.samples) * sizeof(double));
  };
  const Sampled queries = sample(p, p.n_q, heads), keys = sample(p, p.n_k, heads);
  take(dq_, queries);
  take(dk_, keys);
  take(dv_, keys);
  query_places.upload(std::span<const int64_t>(queries.places));
  key_places.upload(std::span<const int64_t>(keys.places));
  with_element(p, [&](auto zero) {
    using T = decltype(zero);
    const auto tensor = [](const void* of) { return static_cast<const T*>(of); };
    const Tensors<T> t{
        tensor(inputs.q()),     tensor(inputs.k()), tensor(inputs.v()), tensor(d_o), p.n_q, p.n_k, int(d),
        p.mask == Mask::Causal, p.softmax_scale()};
    row_statistics<T><<<unsigned(known), kThreads>>>(t, of_heads.as<int64_t>(), statistics.as<Statistics>());
    gradients<T, false><<<unsigned(dq_.samples), kThreads>>>(t, dq_.rows.as<int64_t>(), query_places.as<int64_t>(),
                                                             statistics.as<Statistics>(), dq_.gradient.as<double>(),
                                                             dq_.scale2.as<double>(), nullptr, nullptr);
    gradients<T, true><<<unsigned(dk_.samples), kThreads>>>(
        t, dk_.rows.as<int64_t>(), key_places.as<int64_t>(), statistics.as<Statistics>(), dk_.gradient.as<double>(),
        dk_.scale2.as<double>(), dv_.gradient.as<double>(), dv_.scale2.as<double>());
  });
  check(cudaGetLastError(), "Computing the float64 gradients");
  check(cudaDeviceSynchronize(), "Computing the float64 gradients");
  problem_ = p;
  made_ = true;
}

void GradientChecker::poison(const Request& r) const {
  const size_t of_q = size_t(r.heads) * r.n_q * r.d * 2, of_k = size_t(r.heads) * r.n_k * r.d * 2;
  check(cudaMemset(r.dq, 0xFF, of_q), "Overwriting dQ");
  check(cudaMemset(r.dk, 0xFF, of_k), "Overwriting dK");
  check(cudaMemset(r.dv, 0xFF, of_k), "Overwriting dV");
}

Errors GradientChecker::compare(const Request& r) const {
  Errors errors{.rows = dq_.samples, .passed = true};
  const ErrorLimits limits = error_limits(problem_.format);
  Buffer gaps_buffer, unwritten_buffer;
  auto* const unwritten = static_cast<unsigned long long*>(unwritten_buffer.hold(sizeof(unsigned long long)));
  check(cudaMemset(unwritten, 0, sizeof *unwritten), "Comparing with the reference");
  const auto compare_one = [&](const void* gradient, int64_t rows, const Reference& reference) {
    gaps_buffer.hold(size_t(reference.samples) * sizeof(Gap));
    with_element(problem_, [&](auto zero) {
      using T = decltype(zero);
      const T* const got = static_cast<const T*>(gradient);
      compare_rows<T><<<unsigned(reference.samples), kThreads>>>(got, r.d, reference.rows.as<int64_t>(),
                                                                 reference.gradient.as<double>(),
                                                                 reference.scale2.as<double>(), gaps_buffer.as<Gap>());
      count_unwritten<T><<<1024, kThreads>>>(got, rows * r.d, unwritten);
    });
    check(cudaGetLastError(), "Comparing with the reference");
    double difference = 0, size = 0;
    for (const Gap& gap : gaps_buffer.download<Gap>(size_t(reference.samples))) {
      const double row = gap.difference == 0 ? 0 : std::sqrt(gap.difference / gap.size);
      if (!(row <= limits.row)) errors.passed = false;
      if (!std::isnan(errors.worst_row) && !(row <= errors.worst_row)) errors.worst_row = row;
      difference += gap.difference;
      size += gap.size;
    }
    const double whole = difference == 0 ? 0 : std::sqrt(difference / size);
    if (!(whole <= limits.whole)) errors.passed = false;
    if (!std::isnan(errors.whole) && !(whole <= errors.whole)) errors.whole = whole;
  };
  compare_one(r.dq, int64_t(r.heads) * r.n_q, dq_);
  compare_one(r.dk, int64_t(r.heads) * r.n_k, dk_);
  compare_one(r.dv, int64_t(r.heads) * r.n_k, dv_);
  if (unwritten_buffer.download<unsigned long long>(1)[0]) errors.passed = false;
  return errors;
}

size_t GradientChecker::held() const {
  size_t bytes = 0;
  for (const Reference* r : {&dq_, &dk_, &dv_}) bytes += r->rows.bytes() + r->gradient.bytes() + r->scale2.bytes();
  return bytes;
}

size_t GradientChecker::bytes(const Problem& p) {
  const int64_t heads = int64_t(chosen_heads(p).size());
  const size_t of_row = size_t(padded_d(p.d)) * sizeof(double) + 2 * sizeof(double) + sizeof(Gap);
  return size_t(most_rows(p, p.n_q, heads) + 2 * most_rows(p, p.n_k, heads)) * of_row +
         size_t(heads * p.n_q) * sizeof(Statistics);
}

}  // namespace tilewalk::gpu
