// How much one multiprocessor does in one clock cycle: the rates that turn a step's cost into ticks. One tick of the
// timing pass is one clock cycle of this model, never a measured one.
//
// With 16 exponentials a clock, the exponentials of a visit take (tensor FLOP a clock / 16) / 4d of the time of its two
// matrix products: 256 / 4d on Hopper in fp16, half at d = 128 (arXiv:2407.08608 section 3.1).
#pragma once

#include "core/attention/format.h"
#include "core/machine/machine_spec.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewalk {

struct Rates {
  int64_t tensor_flop;   // FLOP of matrix products a clock
  int64_t exponentials;  // a clock
  int64_t vector;        // other FLOP a clock; 0: they take no time
  int64_t copy_bytes;    // between L2 and the multiprocessor, a clock
  std::string_view source;
};

// None for machines without published rates, and for a format that the machine's tensor cores lack. The vector unit is
// left out, as in the papers' reckoning, which sets exponentials against matrix products; see with_vector_unit.
std::optional<Rates> rates_of(const MachineSpec& machine, Format format);
// The same with one operation a clock from each fp32 lane.
std::optional<Rates> with_vector_unit(const MachineSpec& machine, Format format);

}  // namespace tilewalk
