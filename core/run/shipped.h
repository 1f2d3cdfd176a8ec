// The recordings that are part of the program.
#pragma once

#include "core/run/program_run.h"
#include "core/run/relative_run.h"
#include "core/run/ring_run.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewalk {

// The GPUs that have recordings in the program; the first is meant where none is named.
enum class RecordedGpu : uint8_t { H200, H100 };
inline constexpr std::array kRecordedGpus{RecordedGpu::H200, RecordedGpu::H100};
constexpr std::string_view id_of(RecordedGpu gpu) { return gpu == RecordedGpu::H200 ? "h200" : "h100"; }
enum class RecordedSet : uint8_t { Runs, Beside, Ladder, Lessons };

// The benchmark's shapes, ours first, then PyTorch's.
const std::vector<RunResult>& shipped_recordings(RecordedGpu gpu = RecordedGpu::H200);
// FP8 and decoding, each kernel's switches beside it, and FA2 and FA3 with grouped queries.
const std::vector<RunResult>& shipped_beside(RecordedGpu gpu = RecordedGpu::H200);
// The rungs of the ladder, and FA2 and FA3 with each of their switches (`tilewalk-gpu record --set ladder`).
const std::vector<RunResult>& shipped_ladder(RecordedGpu gpu = RecordedGpu::H200);
// What the lessons put on the stage; with outputs and traces: the large files (core/io/embedded.h).
const std::vector<RunResult>& shipped_lesson_runs(RecordedGpu gpu = RecordedGpu::H200);
bool read_shipped_ahead();  // one kernel of them all, before they are asked for; false: none was left

struct ShippedRun {
  const RunResult* run = nullptr;
  std::string_view file;  // its name, without folders
  RecordedGpu gpu{};
};
std::vector<ShippedRun> shipped_runs();                         // all of them, GPU by GPU
std::optional<RecordedGpu> shipped_gpu(std::string_view file);  // of a file with that name; nothing: it is none of them

// How many times as long the kernel took with that switch as without, in one run of that N; nothing where it is not
// recorded. d is 64 or 128.
struct SwitchedTime {
  double times = 0;
  int64_t n = 0;
  std::string_view gpu, file;
};
std::optional<SwitchedTime> shipped_switch(Method kernel, Switch with, int64_t d, Mask mask);

const std::vector<RingResult>& shipped_rings();
// The one of as many GPUs and tokens, d, mask and split, whose K and V travel so, with multiprocessors left free or
// none; null: there is none.
const RingResult* shipped_ring(const RingSpec& wanted);
// Of an H200: sparse, latent and differential attention, each beside what it replaces.
const std::vector<RelativeResult>& shipped_relatives(RecordedGpu gpu = RecordedGpu::H200);
// The one of that form, as many sequences and keys, and mask, that was timed; null: there is none.
const RelativeResult* shipped_relative(RelativeForm form, int64_t batch, int64_t n_k, Mask mask);

// Shipped texts and puzzles' solutions, as kernels/program.cu runs them. Read once, which takes milliseconds.
const std::vector<ProgramRun>& shipped_program_runs(RecordedGpu gpu = RecordedGpu::H200);

// Whether a file of that name holds runs (core/run/run_json.h), and not roofs, rings, relatives or programs.
bool names_runs(std::string_view file);
// Whether a file's text is that of one of them.
bool is_shipped(std::string_view text);

}  // namespace tilewalk
