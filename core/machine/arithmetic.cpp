#include "core/machine/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

// The inner loops run over contiguous columns, so that the compiler can put them side by side; a second copy for wider
// vector units is chosen at start-up. Neither changes the order of any sum.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TILEWALK_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TILEWALK_WIDE
#endif

namespace tilewalk::arithmetic {
namespace {

// c[r, :] += a[r, k] * b[k, :], k ascending. Shapes: a [rows, inner], b [inner, cols], c [rows, cols], row-major.
template <class Number>
inline __attribute__((always_inline)) void multiply(Number* c, const Number* a, const Number* b, int64_t rows,
                                                    int64_t inner, int64_t cols) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 0; k < inner; ++k) {
      const Number factor = a[r * inner + k];
      const Number* b_row = b + k * cols;
      Number* c_row = c + r * cols;
      for (int64_t e = 0; e < cols; ++e) c_row[e] += factor * b_row[e];
    }
}

TILEWALK_WIDE void multiply_double(double* c, const double* a, const double* b, int64_t rows, int64_t inner,
                                   int64_t cols) {
  multiply(c, a, b, rows, inner, cols);
}
TILEWALK_WIDE void multiply_float(float* c, const float* a, const float* b, int64_t rows, int64_t inner, int64_t cols) {
  multiply(c, a, b, rows, inner, cols);
}

double kept(double x, Arithmetic kind) { return kind == Arithmetic::Exact ? x : static_cast<float>(x); }

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

Matrix transposed(const Matrix& x) {
  Matrix t(x.cols, x.rows);
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.cols; ++c) t.at(c, r) = x.at(r, c);
  return t;
}

}  // namespace

Matrix score(const Matrix& q, const Matrix& k, double scale, Arithmetic kind) {
  Matrix s(q.rows, k.rows);
  const Matrix kt = transposed(k);
  if (kind == Arithmetic::Exact) {
    multiply_double(s.values.data(), q.values.data(), kt.values.data(), q.rows, q.cols, k.rows);
    for (double& x : s.values) x *= scale;
    return s;
  }
  std::vector<float> sums(s.values.size());
  multiply_float(sums.data(), as_floats(q.values).data(), as_floats(kt.values).data(), q.rows, q.cols, k.rows);
  for (size_t e = 0; e < sums.size(); ++e) s.values[e] = sums[e] * static_cast<float>(scale);
  return s;
}

void hide_future(Matrix& s, int64_t i, int64_t j, const Tiling& t) {
  for (int64_t r = 0; r < s.rows; ++r)
    for (int64_t c = 0; c < s.cols; ++c)
      if (!t.visible(t.first_row(i) + r, j * t.bc + c)) s.at(r, c) = kMinusInfinity;
}

Matrix row_max(Matrix& m, const Matrix& s, Arithmetic kind, Mistake mistake) {
  Matrix alpha(m.rows, 1, 1.0);
  if (mistake == Mistake::NoMax) {
    m.values.assign(m.values.size(), 0);
    return alpha;
  }
  for (int64_t r = 0; r < s.rows; ++r) {
    const double old = m.at(r, 0);
    double largest = old;
    for (int64_t c = 0; c < s.cols; ++c) largest = std::max(largest, s.at(r, c));
    m.at(r, 0) = largest;
    if (largest != old && mistake != Mistake::NoRescale) alpha.at(r, 0) = kept(std::exp(old - largest), kind);
  }
  return alpha;
}

void exponentiate(Matrix& s, const Matrix& m, Arithmetic kind) {
  for (int64_t r = 0; r < s.rows; ++r) {
    const double largest = m.at(r, 0);
    double* row = s.row(r);
    for (int64_t c = 0; c < s.cols; ++c)
      row[c] = largest == kMinusInfinity ? 0 : kept(std::exp(kept(row[c] - largest, kind)), kind);
  }
}

void row_sum(Matrix& l, const Matrix* alpha, const Matrix& p, Arithmetic kind) {
  for (int64_t r = 0; r < p.rows; ++r) {
    double sum = 0;
    for (int64_t c = 0; c < p.cols; ++c) sum = kept(sum + p.at(r, c), kind);
    l.at(r, 0) = kept(kept((alpha ? alpha->at(r, 0) : 1.0) * l.at(r, 0), kind) + sum, kind);
  }
}

void scale_rows(Matrix& o, const Matrix& factor, Arithmetic kind) {
  for (int64_t r = 0; r < o.rows; ++r)
    for (int64_t c = 0; c < o.cols; ++c) o.at(r, c) = kept(o.at(r, c) * factor.at(r, 0), kind);
}

void divide_rows(Matrix& o, const Matrix& l, Arithmetic kind) {
  for (int64_t r = 0; r < o.rows; ++r)
    for (int64_t c = 0; c < o.cols; ++c) o.at(r, c) = l.at(r, 0) == 0 ? 0 : kept(o.at(r, c) / l.at(r, 0), kind);
}

void accumulate(Matrix& o, const Matrix& p, const Matrix& v, Format format, Arithmetic kind) {
  if (kind == Arithmetic::Exact) {
    multiply_double(o.values.data(), p.values.data(), v.values.data(), p.rows, p.cols, v.cols);
    return;
  }
  std::vector<float> weights(p.values.size());
  for (size_t e = 0; e < weights.size(); ++e) weights[e] = static_cast<float>(round_to(format, p.values[e]));
  std::vector<float> sums = as_floats(o.values);
  multiply_float(sums.data(), weights.data(), as_floats(v.values).data(), p.rows, p.cols, v.cols);
  o.values.assign(sums.begin(), sums.end());
}

void accumulate_scaled(Matrix& o, const Matrix& p, const Matrix& x, double factor, Format format, Arithmetic kind) {
  if (factor == 1) return accumulate(o, p, x, format, kind);
  Matrix sum(o.rows, o.cols);
  accumulate(sum, p, x, format, kind);
  for (double& value : sum.values) value = kept(value * kept(factor, kind), kind);
  add(o, sum, kind);
}

void accumulate_transposed(Matrix& o, const Matrix& p, const Matrix& x, double factor, Format format, Arithmetic kind) {
  accumulate_scaled(o, transposed(p), x, factor, format, kind);
}

Matrix dot_rows(const Matrix& a, const Matrix& b, Arithmetic kind) {
  Matrix out(a.rows, 1);
  for (int64_t r = 0; r < a.rows; ++r)
    for (int64_t c = 0; c < a.cols; ++c) out.at(r, 0) = kept(out.at(r, 0) + kept(a.at(r, c) * b.at(r, c), kind), kind);
  return out;
}

void add(Matrix& x, const Matrix& y, Arithmetic kind) {
  for (size_t e = 0; e < x.values.size(); ++e) x.values[e] = kept(x.values[e] + y.values[e], kind);
}

void through_softmax(Matrix& dp, const Matrix& p, const Matrix& d, Arithmetic kind) {
  for (int64_t r = 0; r < dp.rows; ++r)
    for (int64_t c = 0; c < dp.cols; ++c) dp.at(r, c) = kept(p.at(r, c) * kept(dp.at(r, c) - d.at(r, 0), kind), kind);
}

Matrix log_sum_exp(const Matrix& m, const Matrix& l, Arithmetic kind) {
  Matrix out(m.rows, 1, kMinusInfinity);
  for (int64_t r = 0; r < m.rows; ++r)
    if (l.at(r, 0) != 0) out.at(r, 0) = kept(m.at(r, 0) + std::log(l.at(r, 0)), kind);
  return out;
}

void round_all(Matrix& x, Format format) {
  for (double& value : x.values) value = round_to(format, value);
}

}  // namespace tilewalk::arithmetic
