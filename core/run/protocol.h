// What goes over the worker's standard input and output: one JSON object a line, UTF-8, at most kMostLine bytes.
// The worker says Hello first. Requests are answered in order; Cancel is heard between launches.
#pragma once

#include "core/run/ceilings.h"
#include "core/run/program_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilewalk {

constexpr int kProtocolVersion = 8;
constexpr size_t kMostLine = size_t{64} << 20;

// ---- worker to app

struct KernelOffer {
  Method kernel = Method::Standard;
  std::string unavailable;  // empty: runs here; else the reason, by compute capability or missing library
};
// Why there is no usable GPU. `code` is what the panel decides by.
enum class GpuTrouble : uint8_t { None, NoDriver, NoDevice, DriverTooOld, Other };
struct Hello {
  int protocol = kProtocolVersion;
  std::string program;  // version
  GpuTrouble trouble = GpuTrouble::None;
  std::string reason;  // one sentence, where there is trouble
  Provenance gpu;      // date empty
  int64_t memory_free = 0;
  double busy = 0;  // share of the time that others kept the GPU busy, 0..1; negative: not known
  std::vector<KernelOffer> kernels;
  std::string no_counters;  // empty: counters work; else why not, with the remedy
};
enum class RunStage : uint8_t { Inputs, Checking, Timing, Counting, Tracing };
struct Progress {
  int64_t id = 0;
  Method kernel = Method::Standard;
  RunStage stage{};
  int done = 0, of = 0;
  Switch with = Switch::None;
};
struct Partial {  // one kernel is ready
  int64_t id = 0;
  KernelResult result;
};
struct Done {
  int64_t id = 0;
  RunResult result;
  bool cancelled = false;
};
// `code`: "memory", "input-hash", "problem", "launch", "busy", "request".
struct Failure {
  int64_t id = 0;
  std::string code, message;
  int64_t needed = 0, free = 0, largest_n = 0;  // "memory"
};
struct CeilingDone {  // one roof is measured, `done` of `of`
  int64_t id = 0;
  int done = 0, of = 0;
  Ceiling ceiling;
};
struct CeilingsDone {
  int64_t id = 0;
  Ceilings result;  // those that are ready, where it was cancelled
  bool cancelled = false;
};
struct ProgramDone {
  int64_t id = 0;
  ProgramRun run;  // as far as it came, where it was cancelled
  bool cancelled = false;
};
using FromWorker = std::variant<Hello, Progress, Partial, Done, Failure, CeilingDone, CeilingsDone, ProgramDone>;

// ---- app to worker

struct RunRequest {
  int64_t id = 0;
  RunSpec spec;
  bool anyway = false;  // also when others keep the GPU busy
};
struct CeilingsRequest {  // the GPU's own roofs: takes some 20 s
  int64_t id = 0;
  bool anyway = false;
};
struct ProgramRequest {  // a program of core/walk: seconds
  int64_t id = 0;
  ProgramSpec spec;
  bool anyway = false;
};
struct CancelRequest {
  int64_t id = 0;
};
struct QuitRequest {};
using ToWorker = std::variant<RunRequest, CeilingsRequest, ProgramRequest, CancelRequest, QuitRequest>;

// One line without its line break.
std::string line_of(const FromWorker& message);
std::string line_of(const ToWorker& message);
// Or what is wrong with the line, as one sentence in `fault`.
std::optional<FromWorker> from_worker(std::string_view line, std::string& fault);
std::optional<ToWorker> to_worker(std::string_view line, std::string& fault);

}  // namespace tilewalk
