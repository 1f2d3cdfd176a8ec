// FA1's part of kernels/forward.h, which says what each function does: Fa1 as released, Fa1Paper its Algorithm 1 to the
// letter, Fa1Small that with 16-row tiles.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

size_t workspace_bytes_fa1(KernelId id, const Forward& f);
bool prepare_fa1(KernelId id, const Forward& f, const char** why);
cudaError_t launch_fa1(KernelId id, const Forward& f, cudaStream_t stream);
cudaError_t resident_blocks_fa1(KernelId id, const Forward& f, int* blocks);
cudaError_t launch_traced_fa1(KernelId id, const Forward& f, const Trace& trace, cudaStream_t stream);

}  // namespace tilewalk::gpu
