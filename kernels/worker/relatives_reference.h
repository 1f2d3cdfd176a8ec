// Sparse, latent and differential attention in float64: what the kernels' answers are held against.
#pragma once

#include "kernels/relatives.h"
#include "kernels/worker/decode_reference.h"

namespace tilewalk::gpu {

// One gap for each of `rows`, which count head * n_q + query; all pointers are device memory, the answers of a launch
// that is done. They wait until they are done. Rows that see no key have O = 0 and L = -inf.
//
// Of `blocks`, those that the head of each row sees; without lists every key that the mask leaves.
cudaError_t compare_sparse(const Forward& f, const SelectedBlocks* blocks, const int64_t* rows, int count,
                           DecodeGap* gaps);
cudaError_t compare_latent(const Forward& f, const int64_t* rows, int count, DecodeGap* gaps);
// The difference is held against the lengths of what is subtracted; of L the worse of both maps.
cudaError_t compare_differential(const Forward& f, float lambda, const int64_t* rows, int count, DecodeGap* gaps);

}  // namespace tilewalk::gpu
