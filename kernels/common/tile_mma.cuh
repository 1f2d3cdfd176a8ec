// Tiles in shared memory, by cp.async and ldmatrix, and the two matrix products on them, by mma.sync: what FA1 and FA2
// share (compute capability 8.0 and up). A tile of 16-bit elements lies there as in tile.cuh.
//
// A warp works on kM slabs of 16 rows; accumulators of a slab are float[4 * columns / 8], laid out as in softmax.cuh.
#pragma once

#include "kernels/common/ptx_sm80.cuh"
#include "kernels/common/tile.cuh"

namespace tilewalk::gpu {

// Starts copying a tile of kRows rows, D elements each, to shared memory; the whole block takes part. A checked copy
// reads only the first `real` rows and fills the others with zeros, which cost no traffic.
template <int kRows, int D, int kThreads, bool kChecked>
TILEWALK_PTX void load_tile(uint32_t tile, const uint16_t* from, int real) {
  constexpr int kChunks = D / kChunkColumns, kStep = kThreads / kChunks;
  static_assert(kRows % kStep == 0);
  const int first = int(threadIdx.x) / kChunks, chunk = int(threadIdx.x) % kChunks;
#pragma unroll
  for (int s = 0; s < kRows / kStep; ++s) {
    const int row = first + s * kStep;
    const bool inside = !kChecked || row < real;
    // A row that is not read still needs a valid address.
    const uint16_t* source = kChecked && !inside ? from : from + row * D + chunk * kChunkColumns;
    copy_async(tile + chunk_offset<kRows>(row, chunk), source, inside);
  }
}

// What a lane adds to an address to point ldmatrix at 16 rows and 16 columns: lanes 0-15 at the rows, lanes 16-31 at the
// same rows one chunk on. The next 16 columns of the panel are an exclusive or with 32 bytes away, thanks to the swizzle.
TILEWALK_PTX uint32_t lane_offset() {
  const int lane = int(threadIdx.x) % 32;
  return uint32_t(chunk_offset<16>(lane % 16, lane / 16));
}
constexpr int kStepBytes = 32, kStepsPerPanel = 4;  // 16 columns
constexpr int kSlabBytes = 16 * kPanelRowBytes;     // 16 rows of a panel

// S = Q K^T: kM slabs of Q from `q` on, out of a tile of kQRows rows; all kKeys rows of K. Addresses with lane_offset().
template <class T, int D, int kQRows, int kKeys, int kM>
TILEWALK_PTX void multiply_q_kt(float (&s)[kM][kKeys / 2], uint32_t q, uint32_t k) {
#pragma unroll
  for (int m = 0; m < kM; ++m)
#pragma unroll
    for (int e = 0; e < kKeys / 2; ++e) s[m][e] = 0.f;
#pragma unroll
  for (int step = 0; step < D / 16; ++step) {
    const int panel = step / kStepsPerPanel, within = step % kStepsPerPanel * kStepBytes;
    uint32_t a[kM][4];
#pragma unroll
    for (int m = 0; m < kM; ++m)
      load_matrices(a[m], (q ^ within) + panel * kQRows * kPanelRowBytes + m * kSlabBytes);
#pragma unroll
    for (int keys = 0; keys < kKeys / 16; ++keys) {
      uint32_t b[4];
      load_matrices(b, (k ^ within) + panel * kKeys * kPanelRowBytes + keys * kSlabBytes);
#pragma unroll
      for (int m = 0; m < kM; ++m) {
        mma_m16n8k16<T>(&s[m][8 * keys], a[m], b[0], b[2]);
        mma_m16n8k16<T>(&s[m][8 * keys + 4], a[m], b[1], b[3]);
      }
    }
  }
}

// O += P V: P in 16 bits from registers, as pack_rows() makes it out of S; all kKeys rows of V.
template <class T, int D, int kKeys, int kM>
TILEWALK_PTX void multiply_p_v(float (&o)[kM][D / 2], const uint32_t (&p)[kM][kKeys / 4], uint32_t v) {
#pragma unroll
  for (int keys = 0; keys < kKeys / 16; ++keys) {
    uint32_t a[kM][4];
#pragma unroll
    for (int m = 0; m < kM; ++m)
#pragma unroll
      for (int e = 0; e < 4; ++e) a[m][e] = p[m][4 * keys + e];
#pragma unroll
    for (int step = 0; step < D / 16; ++step) {
      const int panel = step / kStepsPerPanel, within = step % kStepsPerPanel * kStepBytes;
      uint32_t b[4];
      load_matrices_transposed(b, (v ^ within) + panel * kKeys * kPanelRowBytes + keys * kSlabBytes);
#pragma unroll
      for (int m = 0; m < kM; ++m) {
        mma_m16n8k16<T>(&o[m][8 * step], a[m], b[0], b[1]);
        mma_m16n8k16<T>(&o[m][8 * step + 4], a[m], b[2], b[3]);
      }
    }
  }
}

// The rows of one warp, from registers to the output: rounded, put in order through the warp's own rows of a tile in
// shared memory, then 16 bytes a lane. `row` is the warp's first row in the tile; only rows below `real` are written.
template <class T, int D, int kRows, int kM>
TILEWALK_PTX void store_rows(uint16_t* to, const float (&o)[kM][D / 2], uint8_t* tile, int row, int real) {
  const int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int m = 0; m < kM; ++m)
#pragma unroll
    for (int e = 0; e < D / 2; e += 2) {
      const int place = chunk_offset<kRows>(row + 16 * m + e / 2 % 2 * 8 + lane / 4, e / 4) + lane % 4 * 4;
      *reinterpret_cast<uint32_t*>(tile + place) = pack<T>(o[m][e], o[m][e + 1]);
    }
  __syncwarp();  // lanes read what others wrote
  constexpr int kChunks = D / kChunkColumns;
#pragma unroll
  for (int c = 0; c < 16 * kM * kChunks; c += 32) {
    const int r = row + (c + lane) / kChunks, chunk = (c + lane) % kChunks;
    if (r < real)
      *reinterpret_cast<uint4*>(to + r * D + chunk * kChunkColumns) =
          *reinterpret_cast<const uint4*>(tile + chunk_offset<kRows>(r, chunk));
  }
}

}  // namespace tilewalk::gpu
