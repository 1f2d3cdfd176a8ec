// The answer every schedule must reach: softmax(scale * Q K^T + mask) V in float64, one row at a time, two passes.
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/matrix.h"
#include "core/attention/problem.h"

#include <vector>

namespace tilewalk {

struct Reference {
  Matrix o;                 // [N_q, d]; 0 in a row whose keys are all masked
  std::vector<double> lse;  // L = m + log l, [N_q]; -inf in such a row
};

// scale * q_r . k_c, or -inf where the mask hides key c from row r.
double reference_score(const Problem& problem, const Inputs& inputs, int64_t row, int64_t col);
// One row of P = softmax(S) into `weights`, [n_k], with the m and l it was made from: -inf, 0 and weights of 0 in a row
// whose keys are all masked.
struct RowSoftmax {
  double m, l;
};
RowSoftmax reference_weights(const Problem& problem, const Inputs& inputs, int64_t row, std::vector<double>& weights);
Reference reference(const Problem& problem, const Inputs& inputs);

// The larger of `worst` and |a - b|. Equal infinities agree; once a NaN is met, the result is NaN.
double wider_gap(double worst, double a, double b);

}  // namespace tilewalk
