// What a ring needs of a GPU besides attention and merging: two answers compared, and a GPU that fails on purpose.
#pragma once

#include "kernels/forward.h"

#include <cstdint>

namespace tilewalk::gpu {

struct Gap {
  double difference = 0, reference = 0;  // squares of a - b and of b, summed
  float largest = 0;                     // of |a - b|; not less than zero, NaN counts as none
};
// Two tensors of 16-bit elements on the current device. Waits. Throws CudaError.
Gap gap_between(const void* a, const void* b, Element element, int64_t count);

// Queued where a GPU is to fail: a kernel that traps, which costs the GPU its context; and one that does not end until
// `*go_on` (mapped host memory) is not 0.
cudaError_t launch_trap(cudaStream_t stream);
cudaError_t launch_stall(volatile int* go_on, cudaStream_t stream);

}  // namespace tilewalk::gpu
