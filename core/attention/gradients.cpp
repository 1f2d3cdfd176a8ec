#include "core/attention/gradients.h"

#include "core/attention/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewalk {

Matrix output_gradient(const Problem& p, const Inputs& inputs) {
  if (inputs.d_o.rows == p.n_q && inputs.d_o.cols == p.d) return inputs.d_o;
  Problem generated = p;
  if (p.distribution == Distribution::Custom) generated.distribution = Distribution::Normal;
  Matrix d_o(p.n_q, p.d);
  for (int64_t r = 0; r < p.n_q; ++r)
    for (int64_t c = 0; c < p.d; ++c) d_o.at(r, c) = generated_element(generated, InputTensor::DO, 0, 0, r, c);
  return d_o;
}

Saved saved_by_forward(const Problem& p, const Inputs& in, bool with_p) {
  Saved out{Matrix(p.n_q, p.d), Matrix(p.n_q, 1), Matrix(p.n_q, 1), Matrix(p.n_q, 1, kMinusInfinity), {}};
  if (with_p) out.p = Matrix(p.n_q, p.n_k);
  std::vector<double> weights(static_cast<size_t>(p.n_k));
  for (int64_t r = 0; r < p.n_q; ++r) {
    const RowSoftmax row = reference_weights(p, in, r, weights);
    out.m.at(r, 0) = row.m;
    out.l.at(r, 0) = row.l;
    if (row.l > 0) out.lse.at(r, 0) = row.m + std::log(row.l);
    for (int64_t c = 0; c < p.n_k; ++c)
      for (int64_t e = 0; e < p.d; ++e) out.o.at(r, e) += weights[size_t(c)] * in.v.at(c, e);
    if (with_p) std::copy(weights.begin(), weights.end(), out.p.row(r));
  }
  return out;
}

Gradients reference_gradients(const Problem& p, const Inputs& in, const Matrix& d_o) {
  Gradients out{Matrix(p.n_q, p.d), Matrix(p.n_k, p.d), Matrix(p.n_k, p.d), Matrix(p.n_q, 1)};
  const double scale = p.softmax_scale();
  std::vector<double> weights(static_cast<size_t>(p.n_k)), dp(static_cast<size_t>(p.n_k));
  for (int64_t r = 0; r < p.n_q; ++r) {
    reference_weights(p, in, r, weights);
    double& d = out.d.at(r, 0);
    for (int64_t c = 0; c < p.n_k; ++c) {
      double dot = 0;
      for (int64_t e = 0; e < p.d; ++e) dot += d_o.at(r, e) * in.v.at(c, e);
      d += weights[size_t(c)] * (dp[size_t(c)] = dot);
    }
    for (int64_t c = 0; c < p.n_k; ++c) {
      const double w = weights[size_t(c)];
      if (w == 0) continue;
      const double ds = w * (dp[size_t(c)] - d);
      for (int64_t e = 0; e < p.d; ++e) {
        out.dv.at(c, e) += w * d_o.at(r, e);
        out.dq.at(r, e) += scale * ds * in.k.at(c, e);
        out.dk.at(c, e) += scale * ds * in.q.at(r, e);
      }
    }
  }
  return out;
}

}  // namespace tilewalk
