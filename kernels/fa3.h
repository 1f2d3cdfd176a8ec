// FA3's part of kernels/forward.h, which says what each function does.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

// Launches must not overlap one another: causal ones draw their tiles from one counter on the device.
size_t workspace_bytes_fa3(const Forward& f);
bool prepare_fa3(const Forward& f, const char** why);
cudaError_t launch_fa3(const Forward& f, cudaStream_t stream);
cudaError_t resident_blocks_fa3(const Forward& f, int* blocks);
cudaError_t launch_traced_fa3(const Forward& f, const Trace& trace, cudaStream_t stream);
int lanes_of_fa3(int d);
const char* lane_name_fa3(int lane);

}  // namespace tilewalk::gpu
