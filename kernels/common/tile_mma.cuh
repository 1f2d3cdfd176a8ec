// Tiles in shared memory, by cp.async and ldmatrix, and the two matrix products on them, by mma.sync: what FA1 and FA2
// share (compute capability 8.0 and up). A tile of 16-bit elements lies there as in tile.cuh.
//
// A warp works on kM slabs of 16 rows, x = 0 ... kM - 1; accumulators of a slab are float[4 * columns / 8], laid out as
// in softmax.cuh.
#pragma once

#include "kernels/common/ptx_sm80.cuh"
#include "kernels/common/tile.cuh"

namespace tilewalk::gpu {

// Starts copying a tile of kRows rows, D elements each, to shared memory; the whole block takes part. A checked copy
// reads only the first `real` rows and fills the others with zeros, which cost no traffic.
template <int kRows, int D, int kThreads, bool kChecked>
TILEWALK_PTX void load_tile(uint32_t tile, const uint16_t* from, int real) {
  // Threads stand beside one another on as many chunks of a row as a power of two allows: 4 of the 12 of d = 96, which
  // are taken in three parts.
  constexpr int kAll = D / kChunkColumns, kChunks = kAll & -kAll, kStep = kThreads / kChunks;
  static_assert(kRows % kStep == 0);
  int thread = int(threadIdx.x);
  pin(thread);  // addresses made of it before a loop would be kept in registers that S and O need
  const unsigned first = unsigned(thread) / kChunks, chunk = unsigned(thread) % kChunks;
  const uint16_t* source = from + first * D + chunk * kChunkColumns;
#pragma unroll
  for (int part = 0; part < kAll; part += kChunks)
#pragma unroll
    for (int s = 0; s < kRows / kStep; ++s) {
      // Where a step is a multiple of 8 rows, the swizzle stays the same and all addresses are one plus a constant.
      const uint32_t place = kStep % 8 ? chunk_offset<kRows>(first + s * kStep, chunk + part)
                                       : chunk_offset<kRows>(first, chunk + part) + s * kStep * kPanelRowBytes;
      const bool inside = !kChecked || int(first) + s * kStep < real;
      // A row that is not read still needs a valid address.
      copy_async(tile + place, inside ? source + s * kStep * D + part * kChunkColumns : from, inside);
    }
}

// How a lane points ldmatrix at 16 rows and 16 columns, two chunks, of a tile. ldmatrix brings four pieces of 8 x 8
// into the registers r[0] to r[3]; lanes 8 x to 8 x + 7 point at the rows of piece x. Which piece is which:
//
//   in memory       Q: RowsFirst         K: ColumnsFirst       V: RowsFirst, each piece transposed
//   chunk           0      1             0      1              0      1
//   rows 0-7        r[0]   r[2]          r[0]   r[1]           r[0]   r[2]
//   rows 8-15       r[1]   r[3]          r[2]   r[3]           r[1]   r[3]
//   mma takes it    A: a[0] ... a[3]     B: b0, b1 = r[0],     B: b0, b1 = r[0], r[1] for the columns of chunk 0,
//                   (softmax.cuh)        r[1] for keys 0-7,    r[2], r[3] for those of chunk 1
//                                        r[2], r[3] for 8-15
//
// A register of B holds two neighbours along the dimension that is summed. For Q K^T that is d: neighbours lie in a row
// of K. For P V it is the keys: they lie in two rows of V, so ldmatrix transposes each piece on the way.
//
// address[s] is the one for step s, of four, of 16 columns in a panel. The swizzle makes the steps differ by an
// exclusive or alone, so one register is kept and not four: S and O need them. Panels, rows and tiles further on are a
// constant away.
enum class Pieces { RowsFirst, ColumnsFirst };
template <Pieces kPieces>
struct LaneAddress {
  static constexpr int kSteps = 4;
  uint32_t first;  // of step 0

  TILEWALK_PTX explicit LaneAddress(uint32_t rows) : first(at(rows, 0)) {}
  TILEWALK_PTX uint32_t operator[](int s) const { return first ^ unsigned(s) * 32; }
  // One address alone, where a warp's columns are its own.
  static TILEWALK_PTX uint32_t at(uint32_t rows, int step) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned row = kPieces == Pieces::RowsFirst ? lane % 16 : lane / 16 * 8 + lane % 8;
    const unsigned chunk = kPieces == Pieces::RowsFirst ? lane / 16 : lane / 8 % 2;
    return rows + uint32_t(chunk_offset<16>(row, 2 * step + chunk));
  }
  TILEWALK_PTX LaneAddress moved(uint32_t bytes) const {
    LaneAddress all = *this;
    all.first += bytes;
    return all;
  }
};
// The same with all four kept: FA2's way to V, where it is faster than an exclusive or in each step.
template <Pieces kPieces>
struct LaneAddresses {
  static constexpr int kSteps = LaneAddress<kPieces>::kSteps;
  uint32_t step[kSteps];

  TILEWALK_PTX explicit LaneAddresses(uint32_t rows) {
#pragma unroll
    for (int s = 0; s < kSteps; ++s) step[s] = LaneAddress<kPieces>::at(rows, s);
  }
  TILEWALK_PTX uint32_t operator[](int s) const { return step[s]; }
};
using QAddress = LaneAddress<Pieces::RowsFirst>;
using KAddress = LaneAddress<Pieces::ColumnsFirst>;
using VAddress = LaneAddress<Pieces::RowsFirst>;
using VAddresses = LaneAddresses<Pieces::RowsFirst>;
constexpr int kSlabBytes = 16 * kPanelRowBytes;  // 16 rows of a panel

// S = Q K^T: kM slabs of Q from `q` on, out of a tile of kQRows rows; kKeys rows of K from `k` on, out of a tile of
// kTileKeys. Ahead: what a step of 16 columns multiplies is brought while the tensor cores have the step before.
enum class Bring { AsNeeded, Ahead };
template <class T, int D, int kQRows, int kTileKeys, int kM, int kKeys = kTileKeys, Bring kBring = Bring::AsNeeded>
TILEWALK_PTX void multiply_q_kt(float (&s)[kM][kKeys / 2], const QAddress& q, const KAddress& k) {
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int e = 0; e < kKeys / 2; ++e) s[x][e] = 0.f;
  // A step's fragments of Q, and of 16 keys.
  const auto bring_q = [&](int step, uint32_t(&a)[kM][4]) __attribute__((always_inline)) {
    const int panel = step / QAddress::kSteps, within = step % QAddress::kSteps;
#pragma unroll
    for (int x = 0; x < kM; ++x) load_matrices(a[x], q[within] + panel * kQRows * kPanelRowBytes + x * kSlabBytes);
  };
  const auto bring_k = [&](int step, int keys, uint32_t(&b)[4]) __attribute__((always_inline)) {
    const int panel = step / QAddress::kSteps, within = step % QAddress::kSteps;
    load_matrices(b, k[within] + panel * kTileKeys * kPanelRowBytes + keys * kSlabBytes);
  };
  const auto multiply = [&](const uint32_t(&a)[kM][4], const uint32_t(&b)[4], int keys) __attribute__((always_inline)) {
#pragma unroll
    for (int x = 0; x < kM; ++x) {
      mma_m16n8k16<T>(&s[x][8 * keys], a[x], b[0], b[1]);
      mma_m16n8k16<T>(&s[x][8 * keys + 4], a[x], b[2], b[3]);
    }
  };
  if constexpr (kBring == Bring::Ahead) {
    uint32_t a[2][kM][4], b[2][kKeys / 16][4];
#pragma unroll
    for (int step = -1; step < D / 16; ++step) {
      const int next = step + 1;
      if (next < D / 16) {
        bring_q(next, a[next % 2]);
#pragma unroll
        for (int keys = 0; keys < kKeys / 16; ++keys) bring_k(next, keys, b[next % 2][keys]);
      }
#pragma unroll
      for (int keys = 0; step >= 0 && keys < kKeys / 16; ++keys) multiply(a[step % 2], b[step % 2][keys], keys);
    }
  } else {
#pragma unroll
    for (int step = 0; step < D / 16; ++step) {
      uint32_t a[kM][4];
      bring_q(step, a);
#pragma unroll
      for (int keys = 0; keys < kKeys / 16; ++keys) {
        uint32_t b[4];
        bring_k(step, keys, b);
        multiply(a, b, keys);
      }
    }
  }
}

// O += P V: P in 16 bits from registers, as pack_rows() makes it out of S; kKeys rows of V from `v` on, out of a tile
// of kTileKeys. `v` is a VAddress or VAddresses.
template <class T, int D, int kTileKeys, int kM, int kKeys = kTileKeys, class Address>
TILEWALK_PTX void multiply_p_v(float (&o)[kM][D / 2], const uint32_t (&p)[kM][kKeys / 4], const Address& v) {
#pragma unroll
  for (int keys = 0; keys < kKeys / 16; ++keys) {
    uint32_t a[kM][4];
#pragma unroll
    for (int x = 0; x < kM; ++x)
#pragma unroll
      for (int e = 0; e < 4; ++e) a[x][e] = p[x][4 * keys + e];
#pragma unroll
    for (int step = 0; step < D / 16; ++step) {
      const int panel = step / Address::kSteps, within = step % Address::kSteps;
      uint32_t b[4];
      load_matrices_transposed(b, v[within] + panel * kTileKeys * kPanelRowBytes + keys * kSlabBytes);
#pragma unroll
      for (int x = 0; x < kM; ++x) {
        mma_m16n8k16<T>(&o[x][8 * step], a[x], b[0], b[1]);
        mma_m16n8k16<T>(&o[x][8 * step + 4], a[x], b[2], b[3]);
      }
    }
  }
}

// The rows of one warp, from registers to the output: rounded, put in order through the warp's own rows of a tile in
// shared memory, then 16 bytes a lane. `row` is the warp's first row in the tile; only rows below `real` are written.
// Rows lie kPitch elements apart in the output.
template <class T, int D, int kRows, int kPitch = D, int kM>
TILEWALK_PTX void store_rows(uint16_t* to, const float (&o)[kM][D / 2], uint8_t* tile, int row, int real) {
  int lane = int(threadIdx.x) % 32;
  pin(lane);  // as in load_tile()
#pragma unroll
  for (int x = 0; x < kM; ++x)
#pragma unroll
    for (int e = 0; e < D / 2; e += 2) {
      const int place = chunk_offset<kRows>(row + 16 * x + e / 2 % 2 * 8 + lane / 4, e / 4) + lane % 4 * 4;
      *reinterpret_cast<uint32_t*>(tile + place) = pack<T>(o[x][e], o[x][e + 1]);
    }
  __syncwarp();  // lanes read what others wrote
  constexpr int kChunks = D / kChunkColumns;
#pragma unroll
  for (int c = 0; c < 16 * kM * kChunks; c += 32) {
    const int r = row + (c + lane) / kChunks, chunk = (c + lane) % kChunks;
    if (r < real)
      *reinterpret_cast<uint4*>(to + r * kPitch + chunk * kChunkColumns) =
          *reinterpret_cast<const uint4*>(tile + chunk_offset<kRows>(r, chunk));
  }
}

}  // namespace tilewalk::gpu
