// Merges what attention computed apart over different keys, by L (core/attention/merge.h has the rule): parts of K/V
// on other GPUs of a ring. All pointers are device memory; asynchronous on `stream`.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

// The rows of `part` go into `whole`: L = log(e^L_whole + e^L_part), O = e^(L_whole - L) O_whole + e^(L_part - L)
// O_part. O is kept in fp32 between merges; a row's whole starts as a kernel's own 16-bit O, and ends as one.
struct Merge {
  void* o = nullptr;           // [rows, d], 16 bits: read if `first`, written if `last`
  float* sum = nullptr;        // [rows, d]: read unless `first`, written unless `last`
  float* lse = nullptr;        // [rows], of the whole: read and written
  const void* part = nullptr;  // [rows, d], 16 bits
  const float* part_lse = nullptr;
  int64_t rows = 0;
  int d = 64;  // 64 or 128
  Element element = Element::Half;
  bool first = false, last = false;
};
cudaError_t launch_merge(const Merge& merge, cudaStream_t stream);

}  // namespace tilewalk::gpu
