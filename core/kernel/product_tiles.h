// How cuBLAS cuts a product of standard attention into tiles, a thread block each, and what of its operands each brings
// into its multiprocessor. Read off the names and the byte counters of its kernels (cuBLAS 13.0 on an H100, Nsight
// Compute: nvjet_sm90_hsh_128x256_64x4_2x1_v_bz_coopA_TNN) at d = 32, 64, 96, 128, 192 and 256, where both sequences
// are multiples of 512 tokens, 1,024 at least: there these are the tiles. For other lengths it has others, such as 256
// x 144 or 160 x 256: at 1,000 to 5,000 tokens its first product brought from 12 % less to 4 % more.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tilewalk {

// Of a product [rows, columns], row-major.
struct ProductTile {
  int64_t rows, columns;
};

// S, dP: as many columns as keys. O, dQ, dK, dV: d columns, which one tile holds up to 128 of.
constexpr ProductTile product_tile(int64_t rows, int64_t columns) {
  if (columns <= 64) return {rows < 1024 ? 256 : 512, 64};
  if (columns <= 96) return {rows <= 2048 ? 256 : 384, 96};
  return {256, 128};
}

// Bytes from L2 that the tiles of [rows, columns] = [rows, inner] [inner, columns] bring in, both in 16 bits: each tile
// its rows of the left operand and its columns of the right one. TMA brings inner numbers in panels of 64.
constexpr int64_t product_loads(int64_t rows, int64_t columns, int64_t inner) {
  const ProductTile tile = product_tile(rows, columns);
  const auto tiles = [](int64_t all, int64_t one) { return (all + one - 1) / one; };
  const int64_t deep = tiles(inner, 64) * 64;
  return 2 * deep * (rows * tiles(columns, tile.columns) + columns * tiles(rows, tile.rows));
}

// Whether the tiles above were seen at that length.
constexpr bool product_tiles_known(int64_t n_q, int64_t n_k) {
  return n_q % 512 == 0 && n_k % 512 == 0 && std::min(n_q, n_k) >= 1024;
}

}  // namespace tilewalk
