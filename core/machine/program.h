// A schedule is a program for a machine with a small fast memory: a function from a problem to a list of steps. It
// computes no numbers, so that the schedule which is animated for N = 16 is counted for N = 131072.
#pragma once

#include "core/attention/problem.h"
#include "core/attention/tiling.h"
#include "core/machine/step.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewalk {

enum class ScheduleId : uint8_t { Standard, Fa1, Fa2, Fa3, StandardBackward, Fa1Backward, Fa2Backward };
// Forward makes O from Q, K and V; backward makes dQ, dK and dV from dO and what the forward pass kept.
enum class Direction : uint8_t { Forward, Backward };
enum class VariantId : uint8_t { Paper, Kernel };

// What the papers leave to the kernel.
struct Variant {
  Format o_between_visits = Format::Float16;   // O in memory before it is final
  Format dq_between_visits = Format::Float32;  // dQ likewise
  bool init_in_memory = false;                 // O = 0, m = -inf, l = 0 are written first and loaded by the first visit
  bool last_to_first = false;                  // order in which the inner loop meets its tiles
  bool conversion_pass = false;                // a last pass rounds O to the output's format and makes L
  bool finish_on_chip = false;                 // or a Q tile's last visit does, before O leaves the chip
  int64_t blocks_of_head = 1;                  // thread blocks that share a head's Q tiles, i % blocks_of_head each
  bool wide_scores = false;                    // S in memory in fp32, whatever the problem's format: kernel_plan()
  bool p_over_s = false;                       // P is written where S lay; to the L2 estimate they are the same bytes
};

struct Plan {
  Problem problem;
  Tiling tiling;
  Variant variant;
};

class StepSink {
 public:
  virtual ~StepSink() = default;
  virtual void take(const Step& step) = 0;
  // The schedule offers to let the steps up to the next call stand for `alike` visits of equal cost. Returns how many
  // the sink takes them for; one that wants every step takes 1.
  virtual int64_t fold(int64_t alike) {
    (void)alike;
    return 1;
  }
};

struct Schedule {
  ScheduleId id;
  std::string_view name;                     // "FA2": short, on screen
  std::string_view key;                      // "fa2": command line and JSON
  std::string_view title;                    // one line: what is special about it
  std::span<const std::string_view> passes;  // kernels launched one after the other
  std::span<const std::string_view> code;    // pseudo-code; a step's `line` points into it
  Variant (*variant)(VariantId, const Problem&);
  // A section is one turn of the outer loop. Sections with equal `shape` take the same steps on tiles of equal sizes.
  int64_t (*sections)(const Plan&);
  uint64_t (*shape)(const Plan&, int64_t section);
  void (*emit)(const Plan&, int64_t section, StepSink&);
  // Whether sections are thread blocks of their own, or one block walks through all sections of a pass.
  bool section_is_block;
  // Whether the outer loop runs over K/V tiles, so that O, m and l make a round trip at every visit.
  bool keys_outside;
  // Whether S and P go through memory: a whole row of scores is there before the weights, which are divided by l before
  // they meet V. No alpha is needed. Backward: P, dP and dS go through memory.
  bool scores_in_memory;
  Direction direction = Direction::Forward;

  bool backward() const { return direction == Direction::Backward; }
};

}  // namespace tilewalk
