// FA1's part of kernels/forward.h, which says what each function does: Fa1 with large tiles, Fa1Small with 16-row ones.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

size_t workspace_bytes_fa1(const Forward& f);
bool prepare_fa1(KernelId id, const Forward& f, const char** why);
cudaError_t launch_fa1(KernelId id, const Forward& f, cudaStream_t stream);
cudaError_t resident_blocks_fa1(const Forward& f, int* blocks);
cudaError_t launch_traced_fa1(KernelId id, const Forward& f, const Trace& trace, cudaStream_t stream);

}  // namespace tilewalk::gpu
