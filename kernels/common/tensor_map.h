// Tensor maps: how TMA is told where a tensor's tiles are. Needs no libcuda at link time; the driver's encoder is asked
// for at run time.
#pragma once

#include "kernels/forward.h"

#include <cuda.h>

namespace tilewalk::gpu {

// Describes a tensor [heads, n, d] of 16-bit elements, d a multiple of 32, as (column in panel, row, panel, head), so
// that one copy brings `box_rows` (at most 256) rows of one head as swizzled panels [d / 64][box_rows][64], or of 32
// columns where d is no multiple of 64. The tensor is 16-byte aligned device memory. Rows past n read as zeros.
cudaError_t encode_tensor_map(CUtensorMap& map, const void* tensor, Element element, int heads, int n, int d,
                              int box_rows);

// Whether the device in use runs code in Hopper's own instructions; else `why` gets a sentence.
bool is_hopper(const char** why);

}  // namespace tilewalk::gpu
