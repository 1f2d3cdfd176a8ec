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

// Panels of a tile with d columns; with 96 half of the second stays unused.
__host__ __device__ constexpr int panels_of(int d) { return (d + kPanelColumns - 1) / kPanelColumns; }
__host__ __device__ constexpr int tile_bytes(int rows, int d) { return rows * panels_of(d) * kPanelRowBytes; }

// Byte offset of the 16-byte chunk that holds columns [8 * chunk, 8 * chunk + 8) of a tile with `rows` rows. With
// panels of 32 columns, for d = 96 without a half-empty one, a row is 64 bytes, and chunk c of row r lies at place
// c ^ (r / 2 % 4): the 64-byte swizzle.
template <int rows, int kColumns = kPanelColumns>
__device__ constexpr int chunk_offset(int row, int chunk) {
  constexpr int kChunks = kColumns / kChunkColumns, kRowBytes = 2 * kColumns;
  const int turned = kColumns == kPanelColumns ? row % kChunks : row / 2 % kChunks;
  const int place = kSwitch == Switch::Swizzle ? chunk % kChunks : (chunk % kChunks) ^ turned;
  return chunk / kChunks * rows * kRowBytes + row * kRowBytes + place * 16;
}

}  // namespace tilewalk::gpu
