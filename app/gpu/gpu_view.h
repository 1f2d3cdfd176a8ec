// What the GPU panel shows, as plain data: the worker's status, and for the chosen problem each kernel's measured or
// recorded result beside what the model predicts and the simulator computes.
#pragma once

#include "app/gpu/gpu_status.h"
#include "app/gpu/ladder.h"
#include "app/gpu/program_card.h"
#include "app/gpu/recordings.h"
#include "core/run/shipped.h"
#include "core/run/prediction.h"
#include "core/run/simulated.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// The simulator's numbers for one kernel, and how far the GPU's lie from them; absolute differences, the largest.
struct AgainstSimulator {
  std::shared_ptr<const SimulatedRun> simulated;
  std::optional<double> o, lse, m, l;
};

struct GpuRow {
  Method kernel = Method::Standard;
  Switch with = Switch::None;
  std::string name;
  std::string unavailable;               // why it does not run on this GPU
  std::string refused;                   // why what was said of it is not shown as measured, or as recorded
  const KernelResult* result = nullptr;  // its time and errors; lives in GpuBoard::live, ::recorded or ::beside
  const RunResult* run = nullptr;        // that the result is of
  bool recorded = false;
  const KernelResult* bytes = nullptr;  // where the counters are from: the same, or a recording where live has none
  bool bytes_recorded = false;
  const RunResult* bytes_run = nullptr;    // that the bytes are of
  std::optional<RunPrediction> predicted;  // of those bytes; without it: still being computed, or too large
  int64_t matrix_flop = 0;                 // of the result's run; 0: likewise
  bool dram_done = false;                  // the L2 model was asked too
  bool dram_known = false;                 // and could follow it
  bool comparable = false;                 // the result is of the inputs that were asked about, as the simulator's is
  std::optional<AgainstSimulator> simulator;
};

struct GpuBoard {
  RunSpec spec;       // of the problem that is asked about
  std::string fault;  // why no kernel runs it
  std::shared_ptr<const RunResult> live, recorded;
  Serves recorded_serves = Serves::No;
  std::string recorded_file;
  // FP8 in a recording without FA3 in 16 bits beside it: the run of the same shape on that GPU which has it.
  std::shared_ptr<const RunResult> beside;
  std::vector<GpuRow> rows;
  // Other programs' kernels that were recorded at this shape, on inputs of their own.
  std::shared_ptr<const RunResult> peers_recorded;
  std::vector<GpuRow> peers;
  std::vector<SwitchRow> switches;  // of the chosen kernel, on the ladder
  bool shows_recorded() const {
    for (const GpuRow& row : rows)
      if (row.result && row.recorded) return true;
    return false;
  }
  // The run that is shown as measured; null: all that is shown was recorded, or nothing is.
  std::shared_ptr<const RunResult> shows_measured() const {
    for (const GpuRow& row : rows)
      if (row.result && !row.recorded) return live;
    for (const SwitchRow& row : switches)
      if (row.run && !row.recorded) return row.run;
    return nullptr;
  }
  // Whether the row's time may be held against the others': all of one GPU, the live one where it has timed any.
  bool timed_together(const GpuRow& row) const {
    const auto timed = [](const GpuRow& r) { return r.result && r.result->timing; };
    bool live_ones = false;
    for (const GpuRow& each : rows) live_ones |= timed(each) && !each.recorded;
    return timed(row) && row.recorded != live_ones;
  }
  // What the others are held against.
  const GpuRow* standard() const {
    const GpuRow* forward = row(Method::Standard);
    return forward ? forward : row(Method::StandardBackward);
  }
  const GpuRow* row(Method kernel, Switch with = Switch::None) const {
    for (const GpuRow& row : rows)
      if (row.kernel == kernel && row.with == with) return &row;
    return nullptr;
  }
};

enum class GpuShape : uint8_t { Stage, Benchmark, Backward, Fp8, Decode, Ladder };
// At one of the benchmark's sizes.
constexpr bool has_sizes(GpuShape shape) {
  return shape == GpuShape::Benchmark || shape == GpuShape::Backward || shape == GpuShape::Fp8;
}
// Heads of Q may share those of K and V.
constexpr bool has_groups(GpuShape shape) { return shape == GpuShape::Benchmark || shape == GpuShape::Decode; }
// Of kernels that leave no m, l or stamps: times and bytes alone.
constexpr bool compares_alone(GpuShape shape) { return shape >= GpuShape::Backward && shape <= GpuShape::Decode; }
enum class GpuChart : uint8_t { Compare, Statistics, Difference, Waiting };

inline constexpr size_t kMeasured = 32;

// What "Begin again" keeps.
struct LastingGpu {
  GpuStatus status;
};

// What a person has chosen to see. A stop of a talk and a link keep it.
struct GpuChoice {
  GpuShape shape = GpuShape::Stage;
  int64_t benchmark_n = 4096;
  int64_t decode_n = 131072;  // keys
  int64_t group = 1;          // heads of Q that share one of K and V
  int64_t ladder_d = 128;
  Mask ladder_mask = Mask::Full;
  Switch with = Switch::None;   // of the ladder's switches the chosen one, which a run then takes; of FP8 and decoding
                                // the row whose details are shown
  Method kernel = Method::Fa2;  // whose details are shown
  bool kernel_chosen = false;   // by a person; else 16-row tiles are shown where the stage has them
  GpuChart chart = GpuChart::Compare;
  int64_t tile = -1;          // the K/V tile that the chart of stamps is zoomed to; -1: all
  bool enlarged = false;      // the charts take the stage's place
  bool recorded = false;      // a recording was asked for
  RecordedGpu recorded_on{};  // whose shipped recordings are meant
};

struct GpuView : LastingGpu, GpuChoice {
  std::shared_ptr<const GpuBoard> board;  // null until the tab was open once
  std::shared_ptr<const RunResult>
      fa3_stamps;  // the recorded run with the most clock stamps of FA3, for the board of lanes
  std::shared_ptr<const Recordings> recordings;  // all that were read; null until they are
  std::vector<std::shared_ptr<const RunResult>>
      measured;             // since the program began, the last kMeasured, the last behind
  std::string asked_at;     // when Run was pressed last; UTC, ISO 8601
  bool rows_shown = false;  // the board is of what is asked about now: somebody looks at it
  // Whose numbers the rows show as measured, or would if somebody looked; null: nobody's. Unset: the status's.
  std::optional<std::shared_ptr<const RunResult>> shown;
  std::string unread;  // why the file that was to be opened holds none that can be shown; empty: it does
  // What is written, as it is run; nothing outside Write, or while it cannot be read. And what is known of it.
  std::optional<ProgramSpec> program;
  std::shared_ptr<const ProgramCard> program_card;

  // Carried out once by the desk.
  struct Wishes {
    std::filesystem::path open;  // a recording to read; empty: none
    bool run = false, anyway = false, cancel = false, reconnect = false, save = false;
    bool program = false;   // runs it
    bool ceilings = false;  // the GPU's own roofs, which come as GpuStatus::ceilings
  } wishes;
};

}  // namespace tilewalk
