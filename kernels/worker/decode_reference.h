// Attention of one query a head in float64, heads of K and V shared or not: what split-KV's answer is held against.
#pragma once

#include "kernels/forward.h"

#include <vector>

namespace tilewalk::gpu {

struct DecodeGap {
  double difference, reference;  // squares of O less the reference, and of the reference, summed
  double lse, lse_reference;     // L, and what it is in float64
};
// Every head of a request with n_q = 1 and kv_heads, after its launch; waits until it is done. All pointers of the
// request are device memory; `gaps` too, [heads].
cudaError_t compare_decode(const Forward& f, DecodeGap* gaps);

// Worst over the heads; `passed` by the limits of core/run/tolerance.h. An element that nobody wrote is a NaN.
struct DecodeErrors {
  double row = 0, whole = 0, lse = 0;
  bool passed = true;
};
DecodeErrors judge_decode(const Forward& f, const std::vector<DecodeGap>& gaps);

}  // namespace tilewalk::gpu
