// What is on chip for one query row at one moment, as plain numbers: read by captions, by `tilewalk walk` and by
// panels.
#pragma once

#include "core/machine/machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewalk {

struct RowView {
  std::optional<double> m, alpha, l, lse;  // absent where the chip does not hold it
  std::vector<double> q, o;                // [d] or empty
  std::vector<double> s, p;                // [cols of K/V tile j] or empty
  std::optional<double> d;                 // D, in a backward walk
  std::vector<double> d_o, dq;             // [d] or empty
  std::vector<double> dp, ds;              // [cols of K/V tile j] or empty
  std::vector<double> dk, dv;              // [d] or empty: of the key key_row_of() of K/V tile j
};

// Row `row` (from 0 within the tile) of Q tile i, with S and P of K/V tile j.
RowView view_row(const MachineState& state, int32_t i, int32_t j, int64_t row);

// The same for tiles in memory: m, l, L, O, and S and P where the schedule stores them.
RowView view_row_in_memory(const MachineState& state, const Plan& plan, int32_t i, int32_t j, int64_t row);

// The key whose dK and dV go with row `row` of a Q tile: the one at its place in the K/V tile, or the tile's last.
inline int64_t key_row_of(int64_t row, int64_t keys) { return row < keys ? row : keys - 1; }

// The tile of `tensor` on chip that belongs to Q tile i and K/V tile j, or null.
const Resident* resident_of(const MachineState& state, Tensor tensor, int32_t i, int32_t j);

}  // namespace tilewalk
