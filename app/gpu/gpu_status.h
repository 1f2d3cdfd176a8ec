// What the GPU worker is doing, as plain data: one state, the sentences that go with it, and what it has said.
#pragma once

#include "core/classroom/run_queue.h"
#include "core/run/audit.h"
#include "core/run/protocol.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// What the pill and the panel show. That a kernel does not run on this GPU is no state: it is said of each kernel, in
// Hello::kernels. That a recording is shown is the panel's matter: GpuView::recorded.
enum class GpuState : uint8_t {
  Probing,   // the worker was started and has not said hello
  NoWorker,  // there is no worker program, or it could not be started
  NoDriver,  // NVIDIA's driver is not installed
  NoDevice,  // a driver and no GPU that can be used
  DriverTooOld,
  NotEnoughMemory,  // refused before anything was allocated
  Busy,             // others keep the GPU busy, so times would mean little
  Ready,
  Running,
  Result,
  NoCounters,  // a result with times and, for want of a permission, no bytes
  Failed,      // the run or the worker failed, or the answer was wrong
  Remote,      // ready, in another computer
  RemoteLost,
};
constexpr int kGpuStateCount = int(GpuState::RemoteLost) + 1;

// What a worker said was measured and is not shown as such: as it was said, and why, a sentence each.
struct RefusedRun {
  RunResult said;
  std::vector<std::string> why;
};

struct GpuStatus {
  GpuState state = GpuState::Probing;
  std::string what;    // one sentence, where there is something to say: what happened
  std::string remedy;  // one sentence: what to do about it
  std::shared_ptr<const Hello> hello;
  Progress progress;
  int64_t needed = 0, free = 0, largest_n = 0;  // NotEnoughMemory; bytes, bytes, rows
  bool shared = false;                          // the run was made although others kept the GPU busy
  // The last one that was confirmed by `done` and checked here; while running, the kernels that are done.
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const RefusedRun> refused;  // of the last run; null: all of it is believed
  // The GPU's own roofs, once they were asked for: those that are ready; while they are measured, of how many (else 0).
  std::shared_ptr<const Ceilings> ceilings;
  int measuring = 0;
  // The last program that was run (core/walk), checked here; and whether one is on its way.
  std::shared_ptr<const ProgramRun> program;
  bool running_program = false;
  bool remote = false;
  bool in_class = false;          // it is the GPU of the class that was joined, which several share
  std::optional<RunPlace> place;  // then: of the run that is on, in their queue
  std::string host;               // of a remote worker
  double answer_seconds = 0;      // from the start to the hello
  std::vector<std::string> said;  // the last lines on the worker's standard error, as far as they were looked at
  int64_t changes = 0;            // goes up with every change

  bool usable() const { return hello && hello->trouble == GpuTrouble::None; }
};

}  // namespace tilewalk
