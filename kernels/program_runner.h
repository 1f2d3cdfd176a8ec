// A program on one GPU with inputs of its own: what it reads is there, what it writes is poisoned before each launch
// and held against float64 behind it.
#pragma once

#include "core/attention/inputs.h"
#include "kernels/program.h"

#include <memory>
#include <string>
#include <vector>

namespace tilewalk::gpu {

// One result against float64, all rows of all heads. A row is right within core/run/tolerance.h, a gradient's within
// twice that.
struct ProgramResult {
  Tensor tensor = Tensor::O;
  double worst_row = 0;         // largest relative L2 error of a row; L: of max(1, |L|)
  int64_t wrong_rows = 0;       // NaN, and so unwritten, included
  int64_t head = 0, first = 0;  // of the first wrong one, where there is one
};

class ProgramRunner {
 public:
  // `program` and `plan` outlive this. Throws std::runtime_error where CUDA reports an error.
  ProgramRunner(const PackedProgram& program, const Schedule& schedule, const Plan& plan);
  ~ProgramRunner();
  ProgramRunner(const ProgramRunner&) = delete;

  void poison();
  void queue(cudaStream_t stream);
  void launch();     // and waits
  float timed_ms();  // of one launch, between two events
  // Of what the schedule makes, of this many heads; L only where it is stored.
  std::vector<ProgramResult> results(int64_t heads) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewalk::gpu
