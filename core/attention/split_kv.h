// Flash-Decoding: few queries, many keys. K and V are cut into splits that thread blocks of their own work on; each
// writes a normalised O and its L, and a second, small kernel merges them. Source: Dao, Haziza, Massa, Sizov,
// "Flash-Decoding for long-context inference" (2023); the choice of splits as in flash-attention's csrc.
#pragma once

#include "core/attention/merge.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

struct Split {
  int64_t first, last;  // keys first .. last - 1
};
// Whole K/V tiles, as evenly as they go; fewer splits where there are fewer tiles.
std::vector<Split> splits_of(const Problem& problem, int64_t splits);

// One query row, split by split and then merged.
struct SplitRow {
  std::vector<Split> splits;
  std::vector<Share> shares;
  Merged merged;
};
SplitRow split_row(const Problem& problem, const Inputs& inputs, int64_t row, int64_t splits);

// Bytes between L2 and the SMs, all heads. K and V are read once for each Q tile however often they are split; every
// split reads its Q tile and writes O in fp32 and L, which the merge reads again.
struct SplitTraffic {
  int64_t split_loads = 0, split_stores = 0;  // the first kernel
  int64_t merge_loads = 0, merge_stores = 0;  // the second; 0 where nothing is split
  int64_t total() const { return split_loads + split_stores + merge_loads + merge_stores; }
};
SplitTraffic split_traffic(const Problem& problem, int64_t splits);

int64_t split_blocks(const Problem& problem, int64_t splits);  // thread blocks of the first kernel

// How many splits flash-attention would take on a GPU of `multiprocessors`: one where the blocks fill 80 % of them,
// else the fewest whose waves are filled to within 85 % of the best.
int64_t chosen_splits(const Problem& problem, int multiprocessors, int64_t most = 128);

}  // namespace tilewalk
