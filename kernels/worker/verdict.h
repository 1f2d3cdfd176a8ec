// Whether errors against float64 are small enough: the judgement behind Errors::passed, apart from the GPU that found
// them.
#pragma once

#include "core/run/run.h"

#include <span>

namespace tilewalk::gpu {

// One sampled row of O and L beside float64.
struct RowGap {
  double difference, reference;  // squares of O less the reference, and of the reference, summed
  double lse;                    // |L - reference|; 0 where both are -inf
  double lse_reference;
  double widest;  // the largest |s| of the row
};

// By the limits of core/run/tolerance.h. L may be off by 1e-4 of itself, or by 1e-4 where it is small: FA3's fused
// exponent puts it off by 2^-24 of its size at each change of m. `rounded_scores`: standard attention that rounds every
// score to the format before the softmax reads it; half a unit in the last place of a row's largest score moves L by as
// much.
Errors judge(Format format, bool rounded_scores, std::span<const RowGap> rows);

}  // namespace tilewalk::gpu
