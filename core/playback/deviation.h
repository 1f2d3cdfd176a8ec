// How far what a finished walk leaves in memory lies from attention in float64: O and L of a forward schedule
// (core/attention/reference.h), dQ, dK and dV of a backward one (core/attention/gradients.h).
#pragma once

#include "core/playback/replay.h"

#include <vector>

namespace tilewalk {

struct Deviation {
  struct Of {
    Tensor tensor;
    double largest;  // absolute difference over all elements; NaN where one is NaN
  };
  std::vector<Of> tensors;  // O and, where the schedule stores it, L; or dQ, dK and dV

  // Of the results: O, or the widest of dQ, dK and dV. NaN where one is NaN.
  double of_results() const;
};

// `inputs` are those of the replay. Takes the replay to its end. Computes the reference: N_q N_k d multiply-adds and
// more.
Deviation deviation(Replay& replay, const Inputs& inputs);

// The largest difference of one tile from the rows of `expected` that it stands for, which begin at `first`.
double tile_difference(const Matrix& tile, const Matrix& expected, int64_t first);

}  // namespace tilewalk
