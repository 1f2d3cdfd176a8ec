// A method is one way to compute attention: a walk on the stage, a kernel on a GPU, an estimate under its roofs, or all
// three. What is said of it is a row of core/method/table.h.
#pragma once

#include "core/attention/format.h"

#include <cstdint>

namespace tilewalk {

// Each group is shown in this order.
enum class Method : uint8_t {
  // Whose time is estimated: sheets and knobs index by them. Eager is what a framework runs where nothing is fused;
  // Fa1 is FlashAttention-1 as it was released; Fa4 is estimated alone.
  Eager,
  Standard,
  Fa1,
  Fa2,
  Fa3,
  Fa4,
  // Other kernels: small tiles; Algorithm 1 to the letter; and the rungs below, without tensor cores: one thread a row,
  // and that with K and V in tiles.
  Fa1Small,
  Fa2Small,
  Fa1Paper,
  Naive,
  Tiled,
  StandardBackward,
  Fa1Backward,
  Fa2Backward,
  Fa3Backward,
  // Beside the ladder: FA3 in e4m3, and decoding, one query a head against many keys.
  Fa3Fp8,
  SplitKv,
  // Retired: what recordings of format 1.2 and older call "fa1", smaller tiles and a last pass that rounded O.
  Fa1First,
  // A person's: none of the shipped texts.
  Own
};
constexpr int kMethods = int(Method::Own) + 1, kEstimatedMethods = int(Method::Fa4) + 1;

// Forward makes O from Q, K and V; backward makes dQ, dK and dV from dO and what the forward pass kept.
enum class Direction : uint8_t { Forward, Backward };
enum class VariantId : uint8_t { Paper, Kernel };

// What the papers leave to the kernel.
struct Variant {
  Format o_between_visits = Format::Float16;   // O in memory before it is final
  Format dq_between_visits = Format::Float32;  // dQ likewise
  bool last_to_first = false;                  // order of a loop that may take its tiles "in any order"
  uint8_t form = 0;                            // which of the schedule's texts: index into Schedule::forms
  int64_t blocks_of_head = 1;                  // thread blocks that share a head's Q tiles, i % blocks_of_head each
  bool wide_scores = false;                    // S in memory in fp32, whatever the problem's format: kernel_plan()
  bool p_over_s = false;                       // P is written where S lay; to the L2 estimate they are the same bytes
};
// A method's own of it: what its kernel does otherwise than the paper, but for dQ.
struct Way {
  bool last_to_first = false, wide_o = false, p_over_s = false;  // wide_o: O in fp32 between visits
  uint8_t form = 0;
  bool rounds_dq = false;  // dQ in memory is in the problem's format, as nothing is added to it there
};

// Of FA1's texts: Algorithm 1, the kernel as it was released, and as Tilewalk 0.1 had it.
constexpr uint8_t kFa1KernelForm = 1, kFa1FirstForm = 2;

}  // namespace tilewalk
