// Standard attention's part of kernels/forward.h, which says what each function does.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

size_t workspace_bytes_standard(const Forward& f);
bool prepare_standard(const Forward& f, const char** why);  // false without cuBLAS
cudaError_t launch_standard(const Forward& f, cudaStream_t stream);

}  // namespace tilewalk::gpu
