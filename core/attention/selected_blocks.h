// Which blocks of keys each query sees under Native Sparse Attention's selection (arXiv:2502.11089, section 3.3.2): the
// first, the latest two, and as many others as make 16 of 64 keys. A trained score would choose the others; here they
// are made up from a seed, every earlier block as likely as any other.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewalk {

constexpr int64_t kBlockKeys = 64, kChosenBlocks = 16;

// The list of (kv_head, query) lies from entries[first[kv_head * n_q + query]] up to where the next one begins, last
// block first. An entry: the block in its lower 16 bits, above them a bit for each head of the group that sees it.
struct BlockLists {
  std::vector<int32_t> first;
  std::vector<uint32_t> entries;
};

struct BlockChoice {
  int64_t kv_heads = 1, n_q = 1, n_k = 1;  // n_k up to 2^22
  int group = 16;                          // heads of Q for each of K and V, up to 16
  bool causal = true;                      // query r sees key c iff c <= r + n_k - n_q
  bool apart = false;                      // each head chooses for itself, not the group as one
  uint64_t seed = 4;
};
BlockLists choose_blocks(const BlockChoice& choice);

// Keys that query r may see.
int64_t keys_seen(const BlockChoice& choice, int64_t query);
// Keys that are loaded for all queries, and would be without a choice.
struct KeysLoaded {
  int64_t chosen = 0, all = 0;
};
KeysLoaded keys_loaded(const BlockChoice& choice, const BlockLists& lists);

}  // namespace tilewalk
