// What the window asks of the GPU worker and what the worker answers; saved, the answer is a recording. Plain data: the
// JSON is in run_json.h, the messages of the pipe in protocol.h.
//
// Times are milliseconds, bytes are exact counts, clocks are MHz. Heads are numbered b * H + h; rows, tiles and heads
// count from 0. All statistics are natural: m in units of scaled scores, l = sum of e^(s - m), L = m + ln l.
#pragma once

#include "core/attention/problem.h"
#include "core/method/table.h"
#include "core/kernel/switches.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// Where Q, K and V come from. Generated inputs are remade from Problem::seed and ::distribution. Values are carried in
// the request, one head for all heads to share, in float32, row by row: small problems that were typed or opened.
struct RunInputs {
  enum class Kind : uint8_t { Generated, Values } kind = Kind::Generated;
  std::vector<float> q, k, v;  // Values only: [n_q, d], [n_k, d], [n_k, d]
  std::string source;          // words for people: "induction-head.safetensors, layer 1, head 3"
  uint64_t hash = 0;           // hash_of() of head 0, as the asker has it; the worker refuses when its own differs
};

struct RunSpec {
  Problem problem;  // br and bc are the stage's; each kernel uses its own
  RunInputs inputs;
  std::vector<Method> kernels;
  // Each kernel that has one of them for this problem (switch_of) runs with it too, after it ran as it is.
  std::vector<Switch> switches;
  int64_t kv_heads = 0;  // of K and V, of a sequence: each for heads / kv_heads of Q; 0: as many as of Q
  int64_t splits = 0;    // split-KV: of the keys, at most; 0: as many as the rule gives (core/attention/split_kv.h)
  int warmups = 10, launches = 30;  // at least; up to 300 ms of launches are made, 2 s at most
  bool flush_l2 = false;            // read more than L2 holds before every timed launch
  bool counters = false;            // hardware counters, L2 flushed before the launch
  bool trace = false;               // the traced build: m and l per tile of trace_head, and clock stamps
  int64_t trace_head = 0;
  std::vector<int64_t> trace_rows;  // of that head, ascending; empty: all
  bool outputs = false;             // O and L of trace_head in the result
};

// A kernel as it is, or with a switch.
struct Answer {
  Method kernel = Method::Standard;
  Switch with = Switch::None;
  bool operator==(const Answer&) const = default;
};
// What a run answers with, in that order.
std::vector<Answer> answers_of(const RunSpec& spec);
// Heads of Q that share a head of K and V.
inline int64_t group_of(const RunSpec& spec) { return spec.kv_heads > 0 ? spec.problem.heads / spec.kv_heads : 1; }
// Of K and V of a run in 16 bits, read once: what a decoding step cannot do without.
double kv_bytes(const RunSpec& spec);

struct Provenance {
  std::string gpu;           // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int64_t memory_bytes = 0, l2_bytes = 0;
  int driver = 0, cuda = 0;    // the CUDA version that the driver supports, and the program's: 13000 is 13.0
  std::string driver_version;  // the driver's own: "580.159.04"; empty: not known
  // L2 as reads and writes of plain data find it (`tilewalk-gpu l2`); 0: not measured.
  int64_t l2_shared = 0;  // bytes of which half stay when all multiprocessors read them again and again
  int64_t l2_dirty = 0;   // bytes that were written and have not reached DRAM, at most
  std::string date;       // UTC, ISO 8601: "2026-11-21T14:03:00Z"
  std::string program;    // Tilewalk's version
  std::string note;       // anything else: "PyTorch 2.11, times by triton.testing.do_bench"
};

struct Timing {
  double median = 0, p10 = 0, p90 = 0, best = 0;
  int count = 0, warmups = 0;
  double back_to_back = 0;  // mean of launches queued one behind the other; 0: not taken
  int queued = 0;           // launches in that mean
  int unheld = 0;           // timed launches that may have waited for the processor; see kernels/worker/timing.h
  bool flushed = false;     // L2 before every launch; else it holds what the launch before left there
  double clock = 0;         // SM clock, as the SMs counted their cycles over each burst: median; 0: not known
  int clock_before = 0, clock_after = 0;  // as NVML has it when the first and the last burst begin; 0: not known
};

// The SM clock in MHz that the launches ran at, as well as it is known; 0: not known.
inline double clock_of(const Timing& timing) { return timing.clock > 0 ? timing.clock : timing.clock_after; }

// Sums over one launch of all the kernel's parts. Missing where the GPU has no such counter.
struct Counters {
  std::optional<double> dram_read, dram_written;  // bytes
  std::optional<double> l2_to_sm, sm_to_l2;       // bytes
  std::optional<double> shared_wavefronts;        // of 128 bytes at most
  std::optional<double> bank_conflicts;           // wavefronts of loads and stores beyond those that their bytes need
  std::optional<double> exponentials;             // instructions of the XU pipe, counted per warp
  std::optional<double> tensor_instructions;
  std::optional<double> instructions;  // of warps, all pipes: what took an issue slot
};

// Against float64, on `rows` sampled rows. Of a backward kernel: the largest of dQ, dK and dV, relative to a row's
// length and to what a relative error of one in each P and dS would make of it; `rows` are those of dQ.
struct Errors {
  int64_t rows = 0;
  double worst_row = 0;  // largest relative L2 error of one row of O
  double whole = 0;      // relative L2 error of all sampled rows together
  double lse = 0;        // largest error of L, of max(1, |L|); backward 0
  bool passed = false;
};

// m and l of every row of the traced head after every K/V tile, in the order of the visits: visit[v] is the tile index
// j. A row that skips the tile keeps NaN; one that is not traced, in all tiles.
struct RowStatistics {
  int64_t tiles = 0, rows = 0;
  std::vector<float> m, l;  // [tiles j, rows]
};

// One clock stamp: the step named by `step` (a StepKind's name, or "Wait") of tile j runs from `begin` to `end`, in SM
// clock cycles since the block began.
struct Stamp {
  int lane = 0;  // index into KernelTrace::lanes
  std::string step;
  int64_t tile = 0;
  int64_t begin = 0, end = 0;
};
struct KernelTrace {
  RowStatistics statistics;
  std::vector<std::string> lanes;      // "producer", "warpgroup 1", ...
  std::vector<Stamp> stamps;           // of one thread block
  int64_t block_row_tile = 0;          // which Q tile the stamped block worked on first
  double traced_ms = 0, plain_ms = 0;  // of single launches, medians, taken alike
};

// What eight bits cost: O against float64 on the inputs before they were rounded.
struct RoundingCost {
  double whole = 0;    // relative L2 error, all compared rows
  double rmse = 0;     // root of the mean squared error of an element
  double lse = 0;      // largest error of L
  double seconds = 0;  // median time of the pass that rounds Q, K and V and transposes V, which no launch contains
};

// A row of O that is not attention, beside what it should be.
struct WrongRow {
  int64_t head = 0, row = 0;
  double error = 0;                // of O's row, relative to its length; may be infinite or NaN
  double lse = 0, lse_wanted = 0;  // L, and what it is in float64
  std::vector<float> o, o_wanted;  // the first columns
};

struct KernelResult {
  Method kernel = Method::Standard;
  Switch with = Switch::None;
  std::string label;                  // for recordings of other programs: "PyTorch cuDNN"; else empty
  std::vector<std::string> launched;  // names of the CUDA kernels, where known
  std::string refused;                // why it did not run; then all that follows is empty
  // Why what it said is not shown as measured (core/run/audit.h); then all else is gone. Not in the JSON.
  std::string disbelieved;
  std::optional<Errors> errors;
  std::optional<WrongRow> wrong;         // with a switch: the first wrong row of those compared
  std::optional<RoundingCost> rounding;  // FP8, whose errors are on the rounded inputs: what the kernel was given
  int64_t splits = 0;                    // split-KV: as many as were made
  std::optional<Timing> timing;          // only after the errors passed
  std::optional<Counters> counters;
  std::string no_counters;  // why there are none, where they were asked for
  std::optional<KernelTrace> trace;
  std::vector<float> o, lse;  // of trace_head: [n_q, d] and [n_q]; where asked for
};

struct RunResult {
  static constexpr int kSchemaMajor = 1, kSchemaMinor = 6;  // 1.6: FP8, split-KV; 1.5: switches; 1.4: backward
  Provenance provenance;
  RunSpec spec;  // as run; its hash is the worker's own
  std::vector<KernelResult> kernels;
};

}  // namespace tilewalk
