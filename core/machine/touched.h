// Which tensors a step reads and which it writes on chip, whatever asks: what must wait for what, how much is held, what
// the stage outlines.
#pragma once

#include "core/machine/step.h"

#include <array>

namespace tilewalk {

// The rest of each list is kNoTensor. A tensor that is changed in place is in both lists; so are S and P, and dP and dS,
// where one takes the other's registers (share_registers).
struct Touched {
  std::array<Tensor, 3> reads, writes;
};

// A load writes on chip what it fetches, a store reads there what it sends; see moved_tensors for the memory side.
Touched touched_by(const Step& step);

}  // namespace tilewalk
