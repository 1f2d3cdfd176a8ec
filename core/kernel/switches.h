// Ideas that can be switched, one at a time, in the kernels themselves: FA2 and FA3 are each built once more for
// every switch that they have (kernels/CMakeLists.txt), in fp16, with kSwitch (common/built_switch.h) set to it. The
// kernels as they are have kSwitch = None, and no trace of the others in their machine code.
#pragma once

#include "core/kernel/kernel_shapes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

enum class Switch : uint8_t {
  None,
  Producer,      // FA3: no producer warpgroup; a thread of the first consumer starts the copies
  PingPong,      // FA3: warpgroups take no turns
  Overlap,       // FA3: softmax waits for P V
  OneStage,      // FA3: one buffer for K and one for V
  Skipping,      // causal: tiles that nobody sees are loaded and multiplied all the same
  QTile64,       // Q tiles of 64 rows
  QTile128,      // Q tiles of 128 rows
  LongestFirst,  // causal: the shortest Q tiles are launched first
  Swizzle,       // FA2: chunks lie in shared memory one after the other
  Expf,          // exponentials by expf
  Polynomial,    // FlashAttention-4 (arXiv:2603.05451): every eighth exponential by a polynomial
  Risen,         // FA3, FlashAttention-4: O is rescaled only where a row's max has risen
  Raised,        // FA3, FlashAttention-4: m stays until it would rise by a factor of 2^8, as FA2's does anyway
  AnyRise,       // FA2: m follows, and O is rescaled, wherever a row's max has risen
  EveryTile,     // FA2: at every tile
  // FP8, in how its numbers are rounded; decoding. These are read where a kernel is launched: nothing is built anew.
  TileScales,     // one scale for all of Q, of K and of V
  Rotation,       // Q and K are rotated before
  RotationAlone,  // both
  Splitting,      // one thread block a head of K and V
  // Mistakes.
  NoRescale,   // alpha is taken for 1
  WrongOrder,  // O is rescaled after P V was added to it
  NoMax        // e^s in place of e^(s - m)
};

// The kernel's shape with that switch: its tiles, warps and stages follow from it.
constexpr KernelShape switched_shape(Method kernel, int d, Switch with) {
  KernelShape shape = kernel_shape(kernel, d);
  const int rows = with == Switch::QTile64 ? 64 : with == Switch::QTile128 ? 128 : shape.br;
  if (shape.consumers) shape.consumers = rows / 64, shape.warps = 4 + 4 * shape.consumers;
  shape.br = rows;
  if (with == Switch::OneStage) shape.stages = 1;
  if (with == Switch::Producer) shape.warps -= 4;
  return shape;
}

struct SwitchInfo {
  Switch id;
  Method kernel;
  bool with;               // named by --with, else by --without
  std::string_view key;    // "pingpong"
  int d;                   // the only head dimension (padded) at which it differs; 0: both
  bool causal;             // differs under a causal mask alone
  bool wrong;              // a mistake: its answer need not be attention
  std::string_view words;  // what it does, beginning with a small letter
};
std::span<const SwitchInfo> switches();

// The row of that kernel's switch for a problem of head dimension d and that mask; null where the kernel has none,
// where it changes nothing, or where d is neither 64 nor 128 to the kernel, for which alone switches are built.
const SwitchInfo* switch_of(Method kernel, Switch id, int64_t d, bool causal);
// The same for a recording, which may be of a kernel as it was: until 0.3.0 FA2 had Risen and Raised.
const SwitchInfo* recorded_switch_of(Method kernel, Switch id, int64_t d, bool causal);
std::string_view key_of(Switch id);  // "pingpong": the same for all kernels; None has ""
std::optional<Switch> switch_keyed(std::string_view key);
std::string words_of(const SwitchInfo& info);   // "without pingpong", "with expf"
std::string option_of(const SwitchInfo& info);  // "--without pingpong": the command line's

}  // namespace tilewalk
