// The backward pass in float64: what it starts from, and the gradients that every backward schedule must reach. With a
// loss whose gradient at O is dO: D = rowsum(dO * O), dP = dO V^T, dS = P * (dP - D), dQ = scale dS K,
// dK = scale dS^T Q, dV = P^T dO (arXiv:2205.14135 appendix B.2).
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/matrix.h"
#include "core/attention/problem.h"

namespace tilewalk {

// dO [N_q, d]: the inputs' own where they have one, else made from the seed (nearly normal, rounded to the format).
Matrix output_gradient(const Problem& problem, const Inputs& inputs);

// What a forward pass leaves for the backward one, in float64.
struct Saved {
  Matrix o;          // [N_q, d]
  Matrix m, l, lse;  // [N_q, 1]; -inf, 0 and -inf in a row whose keys are all masked
  Matrix p;          // [N_q, N_k], where it is asked for
};
Saved saved_by_forward(const Problem& problem, const Inputs& inputs, bool with_p);

struct Gradients {
  Matrix dq, dk, dv;  // [N_q, d], [N_k, d], [N_k, d]
  Matrix d;           // D, [N_q, 1]
};
// One row of S at a time; D is taken as rowsum(P * dP), not as the schedules take it.
Gradients reference_gradients(const Problem& problem, const Inputs& inputs, const Matrix& d_o);

}  // namespace tilewalk
