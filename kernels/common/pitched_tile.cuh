// Tiles whose rows do not lie one behind the other in memory: of one query the heads, of a cache a part of each row.
#pragma once

#include "kernels/common/tile_mma.cuh"

namespace tilewalk::gpu {

// As load_tile(), of rows that lie `pitch` elements apart; any number of whole panels, any number of threads.
template <int kRows, int kColumns, int kThreads>
TILEWALK_PTX void load_pitched(uint32_t tile, const uint16_t* from, size_t pitch, int real) {
  constexpr int kChunks = kColumns / kChunkColumns;
  static_assert(kRows * kChunks % kThreads == 0 && kColumns % kPanelColumns == 0);
#pragma unroll 4
  for (int c = int(threadIdx.x); c < kRows * kChunks; c += kThreads) {
    const int row = c / kChunks, chunk = c % kChunks;
    const bool inside = row < real;
    copy_async(tile + chunk_offset<kRows>(row, chunk), inside ? from + row * pitch + chunk * kChunkColumns : from,
               inside);
  }
}

}  // namespace tilewalk::gpu
