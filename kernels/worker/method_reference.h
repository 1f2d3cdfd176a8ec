// Attention in float64 for what is not in the runner's grid: grouped queries, and e4m3 from two sides. On the numbers
// that the kernel was given, as they are after rounding, which says whether it is right; and on those before, which
// says what eight bits cost.
#pragma once

#include "core/run/run.h"
#include "kernels/fa3_fp8.h"

#include <span>
#include <vector>

namespace tilewalk::gpu {

struct MethodGap {
  double difference, reference;  // squares of O less the reference, and of the reference, summed over a row
  double lse, lse_reference;     // L, and what it is in float64
  double widest;                 // the largest sum of |scale q k| over d of a score that the row sees
};
// After the request's launch; rows are head * n_q + row. d is 64 or 128. `rounded`: on what round_to_fp8() left in the
// workspace, else on Q, K and V. Waits until it is done; throws CudaError.
std::vector<MethodGap> compare_method_rows(const Request& f, std::span<const int64_t> rows, bool rounded);

// By the limits of core/run/tolerance.h.
Errors judge_method(Format format, std::span<const MethodGap> gaps);

}  // namespace tilewalk::gpu
