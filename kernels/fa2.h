// FA2's part of kernels/forward.h, which says what each function does: Fa2 with large tiles, Fa2Small with 16-row ones.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

bool prepare_fa2(KernelId id, const Forward& f, const char** why);
cudaError_t launch_fa2(KernelId id, const Forward& f, cudaStream_t stream);
cudaError_t resident_blocks_fa2(const Forward& f, int* blocks);
cudaError_t launch_traced_fa2(KernelId id, const Forward& f, const Trace& trace, cudaStream_t stream);

}  // namespace tilewalk::gpu
