// Standard attention's part of kernels/forward.h, which says what each function does, and what its backward pass
// shares.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

size_t workspace_bytes_standard(const Forward& f);
bool prepare_standard(const Forward& f, const char** why);
cudaError_t launch_standard(const Forward& f, cudaStream_t stream);

// to[heads, n_q, standard_pitch(n_k)] = factor * rows keys^T: S = Q K^T, or dP = dO V^T. `wide`: in fp32. What lies
// past the last key is anything.
cudaError_t multiply_to_scores(const Request& r, const void* rows, const void* keys, float factor, void* to, bool wide,
                               cudaStream_t stream);
// S and P, without O: the first two of its kernels. P begins where the workspace does; its rows lie so many 16-bit
// elements apart.
cudaError_t launch_standard_weights(const Forward& f, cudaStream_t stream);
int64_t standard_weights_pitch(const Forward& f);

}  // namespace tilewalk::gpu
