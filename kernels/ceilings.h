// Kernels that each keep one unit of the GPU busy and nothing else, to measure how fast it is: its roof. None has
// anything of attention in it. core/run/ceilings.h names the roofs and says what is counted.
#pragma once

#include "core/run/ceilings.h"

#include <cstdint>
#include <cuda_runtime_api.h>

namespace tilewalk::gpu {

struct Roof {
  void* data = nullptr;  // fp16 numbers of fill_normal(): random bits draw the power that real data draws
  int64_t bytes = 0;     // of data, as roof_bytes() says
  int multiprocessors = 0;
  uint32_t* sink = nullptr;  // where results would go; takes none
};

// What `data` should hold for this roof, where so much memory is free.
int64_t roof_bytes(CeilingId id, int multiprocessors, int64_t l2_bytes, int64_t free);
// Bytes, FLOP or exponentials of one launch, which takes a few milliseconds; of Launch 1, and it takes microseconds.
double roof_amount(CeilingId id, const Roof& roof);

cudaError_t fill_normal(void* data, int64_t bytes, cudaStream_t stream);
// Asynchronous; bytes as roof_bytes() said. The roof must not be beyond this compute capability.
cudaError_t launch_roof(CeilingId id, const Roof& roof, cudaStream_t stream);

// In ceilings_hopper.cu.
double wgmma_flop(int multiprocessors);
cudaError_t launch_wgmma(const Roof& roof, cudaStream_t stream);

}  // namespace tilewalk::gpu
