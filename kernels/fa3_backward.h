// FA3's backward pass: its part of kernels/forward.h, which says what each function does.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

size_t workspace_bytes_fa3_backward(const Request& r);
bool prepare_fa3_backward(const Request& r, const char** why);
cudaError_t resident_blocks_fa3_backward(const Request& r, int* blocks);
cudaError_t launch_fa3_backward(const Request& r, cudaStream_t stream);

}  // namespace tilewalk::gpu
