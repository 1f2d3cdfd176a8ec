// How the kernels with tensor cores keep a tile of 16-bit elements in shared memory: panels of 64 columns,
// [panel][row][64]. A row of a panel is 128 bytes, all 32 banks, as 8 chunks of 16 bytes; chunk c of row r lies at
// place c ^ (r % 8), the swizzle:
//
//   place   0   1   2   3   4   5   6   7
//   row 0   c0  c1  c2  c3  c4  c5  c6  c7      ldmatrix reads the same chunk of 8 rows: 8 different places,
//   row 1   c1  c0  c3  c2  c5  c4  c7  c6      and so all 32 banks once. Without the swizzle it is one place,
//   row 2   c2  c3  c0  c1  c6  c7  c4  c5      4 banks eight times.
//   ...
//   row 7   c7  c6  c5  c4  c3  c2  c1  c0      row 8 is as row 0
//
// TMA and wgmma do the same to addresses (128-byte swizzle): bits 4-6, the place, are xored with bits 7-9, the row.
// That is why a panel must begin on a 1024-byte boundary, where bits 7-9 are 0.
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
  const int flipped = kColumns == kPanelColumns ? row % kChunks : row / 2 % kChunks;
  const int place = kSwitch == Switch::Swizzle ? chunk % kChunks : (chunk % kChunks) ^ flipped;
  return chunk / kChunks * rows * kRowBytes + row * kRowBytes + place * 16;
}

}  // namespace tilewalk::gpu
