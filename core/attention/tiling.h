// How a problem is cut into tiles: Tr x Tc tiles of S, of which a causal mask skips some and cuts through others.
// Tile and row indices count from 0. Source: FlashAttention-2 (arXiv:2307.08691) section 3.1.1.
#pragma once

#include "core/attention/problem.h"

#include <algorithm>
#include <cstdint>

namespace tilewalk {

enum class TileKind : uint8_t { Skipped, Masked, Full };

struct Tiling {
  int64_t n_q, n_k, d, br, bc;
  int64_t tr, tc;  // tiles along the queries and along the keys
  bool causal;
  int64_t offset;   // row r may see key c iff c <= r + offset (causal only)
  bool early_exit;  // tiles without a visible key are skipped (causal only)
  // Rows that the first Q tile has fewer than Br. 0 but in the plans of kernels that begin with a short tile
  // (kernel_plan()); then the last is as long as the queries leave it.
  int64_t fewer = 0;

  explicit Tiling(const Problem& p)
      : n_q(p.n_q),
        n_k(p.n_k),
        d(p.d),
        br(p.br),
        bc(p.bc),
        tr((n_q + br - 1) / br),
        tc((n_k + bc - 1) / bc),
        causal(p.mask == Mask::Causal),
        offset(p.align == CausalAlign::BottomRight ? n_k - n_q : 0),
        early_exit(p.mistake != Mistake::NoEarlyExit) {}

  int64_t first_row(int64_t i) const { return std::max(int64_t{0}, i * br - fewer); }  // of Q tile i
  int64_t rows(int64_t i) const { return std::min(n_q, (i + 1) * br - fewer) - first_row(i); }
  int64_t cols(int64_t j) const { return std::min(bc, n_k - j * bc); }  // of K/V tile j
  bool visible(int64_t r, int64_t c) const { return !causal || c <= r + offset; }

  // K/V tiles that Q tile i visits are 0 .. visits(i) - 1; 0 when every key is masked for every row.
  int64_t visits(int64_t i) const {
    if (!causal || !early_exit) return tc;
    const int64_t last_key = first_row(i) + rows(i) - 1 + offset;
    return last_key < 0 ? 0 : std::min(tc, last_key / bc + 1);
  }
  // How many leading K/V tiles Q tile i meets whole: not masked, not ragged.
  int64_t whole_tiles(int64_t i) const {
    const int64_t whole = n_k / bc;
    return causal ? std::clamp((first_row(i) + offset + 1) / bc, int64_t{0}, whole) : whole;
  }
  // Q tiles that K/V tile j visits are first_row_tile(j) .. Tr - 1.
  int64_t first_row_tile(int64_t j) const {
    if (!causal || !early_exit) return 0;
    const int64_t row = j * bc - offset;  // the first that sees it
    return row <= 0 ? 0 : row >= n_q ? tr : (row + fewer) / br;
  }
  TileKind kind(int64_t i, int64_t j) const {
    if (!causal) return TileKind::Full;
    if (j >= visits(i)) return TileKind::Skipped;
    const int64_t last_col = j * bc + cols(j) - 1;
    return last_col <= first_row(i) + offset ? TileKind::Full : TileKind::Masked;
  }
};

}  // namespace tilewalk
