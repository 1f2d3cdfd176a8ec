// What one step costs, as exact integers: bytes over each link, FLOP and exponentials. The same table serves the
// counter, which runs no arithmetic, and the machine, which checks it against the tiles that it really moved.
//
// Conventions (arXiv:2205.14135, 2307.08691): a multiply-add is 2 FLOP; statistics m, l, L and D take 4 bytes; one
// exponential per score computed, hidden ones included, and one per row and visit for alpha. An atomic add to memory
// counts its bytes once, SM -> L2: the old value is read and the new one written inside L2.
#pragma once

#include "core/machine/step.h"
#include "core/machine/program.h"

#include <array>
#include <cstdint>

namespace tilewalk {

// Bytes that cross between L2 and the multiprocessor, per tensor, and work. Everything adds up.
struct Meters {
  std::array<int64_t, kTensorCount> loaded{};  // L2 -> SM
  std::array<int64_t, kTensorCount> stored{};  // SM -> L2
  int64_t paper_loaded = 0, paper_stored = 0;  // two-level count of the papers: re-reads it leaves out are left out
  int64_t operand_bytes = 0;                   // SRAM -> registers and tensor cores: operands of the matrix products
  int64_t matrix_flop = 0;                     // matrix products
  int64_t vector_flop = 0;                     // everything else
  int64_t exponentials = 0;
  int64_t steps = 0;

  int64_t fill_bytes() const;   // L2 -> SM, all tensors
  int64_t drain_bytes() const;  // SM -> L2, all tensors
  int64_t paper_bytes() const { return paper_loaded + paper_stored; }
  Meters& operator+=(const Meters& other);
  Meters times(int64_t count) const;
  bool operator==(const Meters&) const = default;
};

constexpr int kStatisticBytes = 4;  // m, l, L in memory: fp32

// Number format of a tensor in memory. `output`: O or dQ as the output, not as it lies there between visits.
Format memory_format(Tensor tensor, bool output, const Plan& plan);
// Element size of a tensor in memory under the step's flags.
int memory_bytes(Tensor tensor, const Step& step, const Plan& plan);

// Shape of a tensor's tile at (i, j).
struct TileShape {
  int64_t rows, cols;
  int64_t elements() const { return rows * cols; }
};
TileShape shape_of(Tensor tensor, int64_t i, int64_t j, const Tiling& tiling);

Meters cost_of(const Step& step, const Plan& plan);

}  // namespace tilewalk
