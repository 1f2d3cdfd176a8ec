// A schedule is a program for a machine with a small fast memory: a text of pseudo-code (core/schedules/*.walk) that an
// interpreter (core/walk/) turns into a list of steps for a problem. It computes no numbers, so that the schedule which
// is animated for N = 16 is counted for N = 131072.
#pragma once

#include "core/attention/problem.h"
#include "core/attention/tiling.h"
#include "core/machine/step.h"
#include "core/method/method.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct WalkProgram;  // core/walk/program.h

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

// One text of a schedule, and its lines as they are shown, in either order of its tiles.
struct ScheduleForm {
  std::shared_ptr<const WalkProgram> program{};
  std::vector<std::string> first_to_last{}, last_to_first{};
};

struct Schedule {
  Method id;
  std::string_view name;                   // "FA2": short, on screen
  std::string_view key;                    // "fa2": command line and JSON
  std::string_view title;                  // one line: what is special about it
  std::vector<std::string_view> passes{};  // kernels launched one after the other
  std::vector<ScheduleForm> forms{};       // the paper's, and others where the kernel's loops differ
  Way way{};

  Variant variant(VariantId id, const Problem& problem) const;
  // Pseudo-code; a step's `line` points into it.
  std::span<const std::string> code(const Variant& variant) const;
  // A section is one turn of an outermost loop. Sections with equal `shape` take the same steps on tiles of equal
  // sizes.
  // Into how many splits a row's keys are cut, where thread blocks share a row; else 0.
  int64_t splits(const Plan&) const;
  int64_t sections(const Plan&) const;
  uint64_t shape(const Plan&, int64_t section) const;
  void emit(const Plan&, int64_t section, StepSink&) const;

  // Whether sections are thread blocks of their own, or one block walks through all sections of a pass.
  bool section_is_block = false;
  // Whether the outer loop runs over K/V tiles, so that O, m and l make a round trip at every visit.
  bool keys_outside = false;
  // Whether S and P go through memory: a whole row of scores is there before the weights, which are divided by l before
  // they meet V. No alpha is needed. Backward: P, dP and dS go through memory.
  bool scores_in_memory = false;
  Direction direction = Direction::Forward;

  bool backward() const { return direction == Direction::Backward; }
};

}  // namespace tilewalk
