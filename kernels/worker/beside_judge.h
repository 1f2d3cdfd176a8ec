// Is the answer right, of kernels beside the ladder and of grouped queries; and what eight bits cost.
#pragma once

#include "core/run/run.h"
#include "kernels/forward.h"
#include "kernels/worker/nvml.h"

namespace tilewalk::gpu {

// After a launch of the request: FP8 against float64 on the rounded inputs, which is what the kernel was given,
// split-KV and grouped queries on Q, K and V. Of sampled rows. Throws CudaError.
Errors judge_beside(Method kernel, Format format, const Request& request);

// Of FP8's pass that rounds, after a launch: its time, and how far O lies from that on the inputs before.
RoundingCost rounding_cost(const Request& request, cudaStream_t stream, const Nvml& nvml);

}  // namespace tilewalk::gpu
