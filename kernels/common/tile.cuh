// How every kernel here keeps a tile of 16-bit elements in shared memory: panels of 64 columns, [panel][row][64]. A row
// of a panel is 128 bytes, all 32 banks, as 8 chunks of 16 bytes; chunk c of row r lies at place c ^ (r % 8). So 8 rows
// read at the same column hit 8 different groups of banks. It is the 128-byte swizzle of TMA and wgmma, which wants
// every panel on a 1024-byte boundary; kernels that swizzle by hand use the same picture.
#pragma once

#include "kernels/common/built_switch.h"

#include <cstdint>

namespace tilewalk::gpu {

constexpr int kPanelColumns = 64;
constexpr int kPanelRowBytes = 128;
constexpr int kChunkColumns = 8;  // 16 bytes

// Byte offset of the 16-byte chunk that holds columns [8 * chunk, 8 * chunk + 8) of a tile with `rows` rows.
template <int rows>
__device__ constexpr int chunk_offset(int row, int chunk) {
  const int place = kSwitch == Switch::Swizzle ? chunk % 8 : (chunk % 8) ^ (row % 8);
  return chunk / 8 * rows * kPanelRowBytes + row * kPanelRowBytes + place * 16;
}

}  // namespace tilewalk::gpu
