// The tiles of FA3's kernel in e4m3 (kernels/fa3_fp8.cu), which are also what shares a scale, and what they move.
#pragma once

#include "core/attention/problem.h"

#include <cstdint>

namespace tilewalk {

// Rows of a Q tile and of a K/V tile. Long tiles meet the softmax's fixed costs less often, but of few keys the last
// one is part empty.
constexpr int kFp8Rows = 128;
constexpr int fp8_keys(int64_t n_k) { return n_k <= 2048 ? 128 : 192; }
constexpr int kFp8D = 128;  // smaller d is padded with zeros

// Bytes between L2 and the SMs of one launch, all heads: e4m3 in, 16 bits and L out. Tiles of K and V move whole, Q in
// boxes of 64 rows: TMA asks for the rows behind the last key, and V is padded with zeros in memory. With each K/V tile
// come two scales, with each Q tile one.
struct Fp8Traffic {
  int64_t loads = 0, stores = 0;
};
Fp8Traffic fp8_traffic(const Problem& problem);

}  // namespace tilewalk
