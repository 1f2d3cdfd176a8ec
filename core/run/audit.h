// Whether what is said to have been measured can have been: a worker's answer held against what it was asked, and that
// of a file against itself. Nothing that a worker or a file says is shown as measured or recorded before it went
// through here. Rates are held against the chip's roofs, bytes against what must be read once, O against float64.
//
// No screen, no clock. A true answer of an odd GPU passes: the walls (core/run/chip_limits.h) have room, and of a GPU
// that nobody has heard of they are four times as far.
#pragma once

#include "core/run/ceilings.h"
#include "core/run/run.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

struct RunFault {
  // Run: nothing of the answer is shown. Kernel: nothing of that kernel. Inputs: it is not known that they are those
  // that the seed says, so the run counts as one of other inputs.
  enum class Of : uint8_t { Run, Kernel, Inputs } of = Of::Run;
  int kernel = -1;   // index into RunResult::kernels
  std::string what;  // one sentence
};

struct AskedRun {
  const RunSpec* spec = nullptr;    // what went to the worker, with the hash of its inputs as computed here
  const Provenance* gpu = nullptr;  // of the worker's hello
};

struct ComparedRows;

// What the answers to one request, or the runs of one file, may take of this machine to be checked: about two seconds.
struct AuditBudget {
  double elements = 0x1p26;                  // of Q, K and V that are made again
  double flop = 2e9;                         // of rows of O in float64
  std::shared_ptr<const ComparedRows> rows;  // those made last, for the next answer to the same request
};

// Every reason not to show it, or none.
std::vector<RunFault> run_faults(const RunResult& said, const AskedRun& asked, AuditBudget& budget);
// The same of launches that take longer together than went by between the request and the answer.
std::vector<RunFault> elapsed_faults(const RunResult& said, double seconds);

// What is left of it to be shown: a kernel at fault keeps its name and the sentence (KernelResult::disbelieved), one
// whose answer was wrong, as its errors say, keeps no time and no bytes.
RunResult believed(RunResult said, const std::vector<RunFault>& faults);
// The faults as sentences, first to last.
std::vector<std::string> sentences_of(const std::vector<RunFault>& faults);

// Roofs: every reason not to show them, one sentence each. `hello` is of the worker that measured them; null of a file.
std::vector<std::string> ceiling_faults(const Ceilings& said, const Provenance* hello);

// Runs of a file, as they may be shown; a sentence for each that is not, or not whole, goes to `refused`.
std::vector<RunResult> believed_file(std::vector<RunResult> said, std::vector<std::string>& refused);
// IoError: the file cannot be read. What is part of the program is believed: a test checks it.
// `left_out` as read_recording (core/run/run_json.h) has it.
std::vector<RunResult> load_believed(const std::filesystem::path& file, std::vector<std::string>& refused,
                                     std::string* left_out = nullptr);

}  // namespace tilewalk
