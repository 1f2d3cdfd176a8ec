#include "core/attention/reference.h"

#include "core/attention/tiling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {

double reference_score(const Problem& p, const Inputs& in, int64_t row, int64_t col) {
  if (!Tiling(p).visible(row, col)) return kMinusInfinity;
  double dot = 0;
  for (int64_t c = 0; c < p.d; ++c) dot += in.q.at(row, c) * in.k.at(col, c);
  return dot * p.softmax_scale();
}

RowSoftmax reference_weights(const Problem& p, const Inputs& in, int64_t row, std::vector<double>& weights) {
  double m = kMinusInfinity, l = 0;
  for (int64_t c = 0; c < p.n_k; ++c) m = std::max(m, weights[size_t(c)] = reference_score(p, in, row, c));
  for (double& x : weights) l += x = m == kMinusInfinity ? 0 : std::exp(x - m);
  if (l > 0)
    for (double& x : weights) x /= l;
  return {m, l};
}

Reference reference(const Problem& p, const Inputs& in) {
  Reference out{Matrix(p.n_q, p.d), std::vector<double>(size_t(p.n_q), kMinusInfinity)};
  std::vector<double> weights(static_cast<size_t>(p.n_k));
  for (int64_t r = 0; r < p.n_q; ++r) {
    const auto [m, l] = reference_weights(p, in, r, weights);
    if (m == kMinusInfinity) continue;
    for (int64_t c = 0; c < p.n_k; ++c)
      for (int64_t e = 0; e < p.d; ++e) out.o.at(r, e) += weights[size_t(c)] * in.v.at(c, e);
    out.lse[size_t(r)] = m + std::log(l);
  }
  return out;
}

double wider_gap(double worst, double a, double b) {
  const double gap = a == b ? 0 : std::fabs(a - b);
  return std::isnan(gap) || std::isnan(worst) ? std::numeric_limits<double>::quiet_NaN() : std::max(worst, gap);
}

}  // namespace tilewalk
