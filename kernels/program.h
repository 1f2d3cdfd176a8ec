// Runs any program of core/walk on a GPU, as core/kernel/packed.h packs it: slow, and with the bytes that the
// program moves. All pointers are device memory; calls are asynchronous on `stream` and return the first CUDA error.
#pragma once

#include "core/kernel/packed.h"

#include <cuda_runtime_api.h>

namespace tilewalk::gpu {

// Where the tensors of all heads lie: [heads, n, d], [heads, n_q] or [heads, n_q, n_k], null where the program does not
// move it. In 16 bits, statistics in fp32; O and dQ between visits as the plan says.
struct ProgramMemory {
  void* tensor[kTensorCount] = {};
  void *o_between = nullptr, *dq_between = nullptr;  // equal to tensor[O] and tensor[DQ] where formats are
  void* o_parts = nullptr;                           // [heads, splits, n_q, d], as O between visits
  float* lse_parts = nullptr;                        // [heads, splits, n_q]
};

// A program on a device.
struct DeviceProgram {
  const uint16_t* words;
  const uint32_t* begin;
};

cudaError_t launch_program(const PackedProgram& program, const DeviceProgram& on_device, const Plan& plan,
                           const ProgramMemory& memory, cudaStream_t stream);

}  // namespace tilewalk::gpu
