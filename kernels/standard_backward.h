// Standard attention's backward pass: its part of kernels/forward.h, which says what each function does.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

size_t workspace_bytes_standard_backward(const Request& r);
bool prepare_standard_backward(const Request& r, const char** why);
cudaError_t keep_forward_standard_backward(const Request& r, cudaStream_t stream);
cudaError_t launch_standard_backward(const Request& r, cudaStream_t stream);

}  // namespace tilewalk::gpu
