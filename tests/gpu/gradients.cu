#include "tests/gpu/gradients.h"

#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

namespace tilewalk::gpu::check {
namespace {

constexpr int kThreads = 128;
constexpr int kLongest = 6000;

template <class T>
__device__ double value(T x) {
  return static_cast<double>(static_cast<float>(x));
}

// The sum, or the largest, of one value of each thread of the block.
template <bool largest>
__device__ double over_block(double x) {
  __shared__ double spare[kThreads];
  __syncthreads();
  spare[threadIdx.x] = x;
  __syncthreads();
  double all = spare[0];
  for (int t = 1; t < kThreads; ++t) all = largest ? fmax(all, spare[t]) : all + spare[t];
  return all;
}

template <class T>
__device__ double dot(const T* a, const T* b, int d) {
  double sum = 0;
  for (int x = 0; x < d; ++x) sum += value(a[x]) * value(b[x]);
  return sum;
}

// A row of the request's tensors.
template <class T>
__device__ const T* row_of(const void* tensor, int64_t row, int d) {
  return static_cast<const T*>(tensor) + row * d;
}

__device__ int keys_seen(const Request& r, int query) {
  return r.causal ? max(0, min(r.n_k, query + r.n_k - r.n_q + 1)) : r.n_k;
}
__device__ int first_query(const Request& r, int key) { return r.causal ? max(0, key - (r.n_k - r.n_q)) : 0; }

// One block a row: O, L and D, all in float64; O and L also as the forward pass stores them.
template <class T>
__global__ void forward_rows(Request r, double* lse, double* d, double* d_size) {
  extern __shared__ double p[];  // [n_k]
  const int64_t row = blockIdx.x, head = row / r.n_q;
  const int seen = keys_seen(r, int(row % r.n_q));
  const T* q = row_of<T>(r.q, row, r.d);
  double m = -INFINITY, l = 0;
  for (int c = threadIdx.x; c < seen; c += kThreads) {
    p[c] = dot(q, row_of<T>(r.k, head * r.n_k + c, r.d), r.d) * double(r.scale);
    m = fmax(m, p[c]);
  }
  m = over_block<true>(m);
  for (int c = threadIdx.x; c < seen; c += kThreads) l += p[c] = exp(p[c] - m);
  l = over_block<false>(l);
  double o = 0, part = 0;
  if (threadIdx.x < r.d) {
    for (int c = 0; c < seen; ++c) o += p[c] * value(row_of<T>(r.v, head * r.n_k + c, r.d)[threadIdx.x]);
    if (seen > 0) o /= l;
    static_cast<T*>(r.o)[row * r.d + threadIdx.x] = static_cast<T>(float(o));
    part = o * value(row_of<T>(r.d_o, row, r.d)[threadIdx.x]);
  }
  const double size = sqrt(over_block<false>(part * part));
  part = over_block<false>(part);
  if (threadIdx.x > 0) return;
  lse[row] = seen > 0 ? m + log(l) : -INFINITY;
  d[row] = part;
  d_size[row] = size;
  r.lse[row] = float(lse[row]);
}

// Of every query.
struct Known {
  const double *lse, *d, *d_size;
};

// P, dP and dS of one query and one key that it sees.
struct Weight {
  double p, ds, p_scale, ds_scale;  // the last: P (|dP| + |D| + size of D)
};
template <class T>
__device__ Weight weight(const Request& r, const Known& known, int64_t query, int64_t key) {
  const double s = dot(row_of<T>(r.q, query, r.d), row_of<T>(r.k, key, r.d), r.d) * double(r.scale);
  const double dp = dot(row_of<T>(r.d_o, query, r.d), row_of<T>(r.v, key, r.d), r.d);
  const double p = exp(s - known.lse[query]), d = known.d[query];
  const double least = r.element == Element::Half ? 0x1p-14 : 0;
  return {p, p * (dp - d), fmax(p, least), fmax(p * (fabs(dp) + fabs(d) + known.d_size[query]), least)};
}

__device__ void report(double got, double want, double scale2, bool here, GradientError* to) {
  const double error2 = over_block<false>(here ? (got - want) * (got - want) : 0);
  const double reference2 = over_block<false>(here ? want * want : 0);
  scale2 = over_block<false>(scale2);
  if (threadIdx.x == 0) *to = {error2, reference2, scale2};
}

template <class T>
__global__ void dq_rows(Request r, const Known known, const int64_t* rows, GradientError* errors) {
  extern __shared__ double ds[];  // [n_k]
  const int64_t row = rows[blockIdx.x], head = row / r.n_q;
  const int seen = keys_seen(r, int(row % r.n_q)), x = threadIdx.x;
  const double scale = r.scale;
  double scale2 = 0;
  for (int c = x; c < seen; c += kThreads) {
    const Weight w = weight<T>(r, known, row, head * r.n_k + c);
    const T* k = row_of<T>(r.k, head * r.n_k + c, r.d);
    ds[c] = w.ds * scale;
    scale2 += w.ds_scale * w.ds_scale * scale * scale * dot(k, k, r.d);
  }
  __syncthreads();
  double want = 0;
  if (x < r.d)
    for (int c = 0; c < seen; ++c) want += ds[c] * value(row_of<T>(r.k, head * r.n_k + c, r.d)[x]);
  report(x < r.d ? value(row_of<T>(r.dq, row, r.d)[x]) : 0, want, scale2, x < r.d, errors + blockIdx.x);
}

template <class T>
__global__ void dk_dv_rows(Request r, const Known known, const int64_t* keys, GradientError* dk, GradientError* dv) {
  extern __shared__ double p[];  // [n_q]
  double* const ds = p + r.n_q;  // [n_q]
  const int64_t key = keys[blockIdx.x], head = key / r.n_k;
  const int first = first_query(r, int(key % r.n_k)), x = threadIdx.x;
  const double scale = r.scale;
  double dk_scale2 = 0, dv_scale2 = 0;
  for (int i = first + x; i < r.n_q; i += kThreads) {
    const int64_t query = head * r.n_q + i;
    const Weight w = weight<T>(r, known, query, key);
    const T *q = row_of<T>(r.q, query, r.d), *d_o = row_of<T>(r.d_o, query, r.d);
    p[i] = w.p;
    ds[i] = w.ds * scale;
    dk_scale2 += w.ds_scale * w.ds_scale * scale * scale * dot(q, q, r.d);
    dv_scale2 += w.p_scale * w.p_scale * dot(d_o, d_o, r.d);
  }
  __syncthreads();
  double want_k = 0, want_v = 0;
  if (x < r.d)
    for (int i = first; i < r.n_q; ++i) {
      want_k += ds[i] * value(row_of<T>(r.q, head * r.n_q + i, r.d)[x]);
      want_v += p[i] * value(row_of<T>(r.d_o, head * r.n_q + i, r.d)[x]);
    }
  const bool here = x < r.d;
  report(here ? value(row_of<T>(r.dk, key, r.d)[x]) : 0, want_k, dk_scale2, here, dk + blockIdx.x);
  report(here ? value(row_of<T>(r.dv, key, r.d)[x]) : 0, want_v, dv_scale2, here, dv + blockIdx.x);
}

// Calls use(T) with the request's element type and waits.
template <class Use>
void with_element(const Request& r, const char* what, Use use) {
  if (r.element == Element::Half)
    use(__half{});
  else
    use(__nv_bfloat16{});
  must(cudaGetLastError(), what);
  must(cudaDeviceSynchronize(), what);
}

}  // namespace

GradientSetup::GradientSetup(const Case& c) : Setup(c, Method::Fa2Backward) {
  const size_t q_size = size_t(rows()) * f.d, k_size = size_t(key_rows()) * f.d;
  d_o_ = device_array<uint16_t>(q_size);
  dq_ = device_array<uint16_t>(q_size + kMargin);
  dk_ = device_array<uint16_t>(k_size + kMargin);
  dv_ = device_array<uint16_t>(k_size + kMargin);
  lse = device_array<double>(size_t(rows()));
  d = device_array<double>(size_t(rows()));
  d_size = device_array<double>(size_t(rows()));
  fill(d_o_.get(), c.element, f.heads, f.n_q, c.d, f.d, c.values, 3 * c.seed + 1000003);
  f.direction = Direction::Backward;
  f.d_o = d_o_.get();
  f.dq = dq_.get();
  f.dk = dk_.get();
  f.dv = dv_.get();
  if (f.n_k > kLongest) return;  // too long to be compared, only timed
  const size_t bytes = sizeof(double) * f.n_k;
  with_element(f, "O and L in float64", [&](auto zero) {
    forward_rows<decltype(zero)><<<unsigned(rows()), kThreads, bytes>>>(f, lse.get(), d.get(), d_size.get());
  });
}

void GradientSetup::poison_gradients() {
  const auto all = [](void* to, int64_t elements) {
    must(cudaMemset(to, 0xFF, size_t(elements + kMargin) * 2), "poisoning the gradients");
  };
  all(f.dq, rows() * f.d);
  all(f.dk, key_rows() * f.d);
  all(f.dv, key_rows() * f.d);
}

bool GradientSetup::gradient_margins_intact() {
  const auto intact = [](const void* of, int64_t elements) {
    std::vector<uint16_t> margin(kMargin);
    must(cudaMemcpy(margin.data(), static_cast<const uint16_t*>(of) + elements, kMargin * 2, cudaMemcpyDeviceToHost),
         "reading a margin");
    for (uint16_t element : margin)
      if (element != 0xFFFF) return false;
    return true;
  };
  return intact(f.dq, rows() * f.d) && intact(f.dk, key_rows() * f.d) && intact(f.dv, key_rows() * f.d);
}

int64_t GradientSetup::unwritten_gradients() {
  return count_nan(f.dq, f.element, rows() * f.d) + count_nan(f.dk, f.element, key_rows() * f.d) +
         count_nan(f.dv, f.element, key_rows() * f.d);
}

void compare_dq(const GradientSetup& s, const int64_t* rows, int count, GradientError* errors) {
  with_element(s.f, "comparing dQ", [&](auto zero) {
    dq_rows<decltype(zero)><<<count, kThreads, sizeof(double) * s.f.n_k>>>(
        s.f, Known{s.lse.get(), s.d.get(), s.d_size.get()}, rows, errors);
  });
}

void compare_dk_dv(const GradientSetup& s, const int64_t* keys, int count, GradientError* dk, GradientError* dv) {
  with_element(s.f, "comparing dK and dV", [&](auto zero) {
    const auto kernel = dk_dv_rows<decltype(zero)>;
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * kLongest * sizeof(double)),
         "cudaFuncSetAttribute");
    kernel<<<count, kThreads, 2 * sizeof(double) * s.f.n_q>>>(s.f, Known{s.lse.get(), s.d.get(), s.d_size.get()}, keys,
                                                              dk, dv);
  });
}

}  // namespace tilewalk::gpu::check
