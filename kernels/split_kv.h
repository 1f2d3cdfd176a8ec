// Flash-Decoding (Dao, Haziza, Massa, Sizov, 2023): one query against many keys, cut into splits that thread blocks of
// their own work on. All pointers are device memory; every call is asynchronous on `stream`.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

// The rows of a Q tile: the queries of all heads that share one of K and V. A K/V tile has as many keys as make 16 KB.
constexpr int kSplitRows = kernel_shape(Method::SplitKv, 128).br;
constexpr int split_keys(int d) { return kernel_shape(Method::SplitKv, d).bc; }
constexpr int kSplitResident = kernel_shape(Method::SplitKv, 128).resident;
constexpr int kMostSplits = 128;

// How many splits there are when `asked` are asked for: whole K/V tiles, as evenly as they go.
constexpr int splits_made(int n_k, int d, int asked) {
  const int tiles = (n_k + split_keys(d) - 1) / split_keys(d), each = (tiles + asked - 1) / asked;
  return (tiles + each - 1) / each;
}

// Forward with n_q = 1; K and V have f.kv_heads heads, f.heads is that times 1 to 16. `why` gets a sentence on failure.
bool prepare_split_kv(const Forward& f, const char** why);
// Of f.workspace: the splits' O in fp32 and L. 0 for one split.
size_t workspace_bytes_split_kv(const Forward& f, int splits);
// 1 to kMostSplits splits; the combine step follows where there are more than one.
cudaError_t launch_split_kv(const Forward& f, int splits, cudaStream_t stream);
cudaError_t resident_blocks_split_kv(const Forward& f, int* blocks);

}  // namespace tilewalk::gpu
