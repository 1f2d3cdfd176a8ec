// Attention's relatives: sparse, latent and differential attention, forward. A request is a Forward with what the
// relative adds. All pointers are device memory, 16-byte aligned; every call is asynchronous on `stream`.
#pragma once

#include "kernels/forward.h"

namespace tilewalk::gpu {

// ---- Sparse: the selected blocks of Native Sparse Attention (arXiv:2502.11089, section 3.3.2 and 3.4)
// ----------------

// Blocks of K and V that a query's heads see, for each head of K and V and each query a list, the list of (kv_head,
// query) from entries[first[kv_head * n_q + query]] up to where the next one begins. An entry: the block in its lower
// 16 bits, above them a bit for each head of the group that sees it.
struct SelectedBlocks {
  const int* first;         // [kv_heads * n_q + 1]
  const uint32_t* entries;  // [first.back()]
};
constexpr int kSelectedBlock = 64;  // keys in a block
constexpr int kSelectedGroup = 16;  // heads of Q for one of K and V, at most

// f: q, o [heads, n_q, 128], k, v [kv_heads, n_k, 128], lse [heads, n_q].
bool prepare_sparse(const Forward& f, const char** why);
cudaError_t launch_sparse(const Forward& f, const SelectedBlocks& blocks, cudaStream_t stream);

// ---- Latent: decoding of DeepSeek-V2 on its compressed cache (arXiv:2405.04434, section 2.1)
// -------------------------

constexpr int kLatent = 512, kLatentRope = 64, kLatentRow = kLatent + kLatentRope;
constexpr int kLatentHeads = 64;  // of a block
constexpr int kLatentKeys = 64;   // of a tile

// One query a sequence. f: q [heads, 576], the weights of K already on its side; k the cache [kv_heads, n_k, 576], a
// sequence each, a latent and the RoPE key; o [heads, 512], before the weights of V; lse [heads]; d = 512. f.heads is a
// multiple of f.kv_heads. v is not used.
bool prepare_latent(const Forward& f, const char** why);
int splits_made_latent(int n_k, int asked);
size_t workspace_bytes_latent(const Forward& f, int splits);
cudaError_t launch_latent(const Forward& f, int splits, cudaStream_t stream);

// ---- Differential: O = softmax(Q1 K1^T) V - lambda softmax(Q2 K2^T) V (arXiv:2410.05258)
// -----------------------------

constexpr int kDifferentialWidth = 64;  // of a query and a key of a map; V's rows have twice that
constexpr int kDifferentialRows = 128, kDifferentialKeys = 64;  // of a tile
constexpr int kDifferentialGroup = 4;                           // heads that work side by side under a causal mask

// f: q [2, heads, n_q, 64], k [2, heads, n_k, 64], v [heads, n_k, 128], o [heads, n_q, 128], lse [2, heads, n_q].
bool prepare_differential(const Forward& f, const char** why);
cudaError_t launch_differential(const Forward& f, float lambda, cudaStream_t stream);
// The same by a call for each map and a subtraction: f.workspace holds both maps' O, [2, heads, n_q, 128].
size_t workspace_bytes_two_calls(const Forward& f);
cudaError_t launch_two_calls(const Forward& f, float lambda, cudaStream_t stream);

}  // namespace tilewalk::gpu
