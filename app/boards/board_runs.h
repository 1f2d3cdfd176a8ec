// Every run that a board may set beside the model: the recordings that are part of the program, a person's own, and what
// was measured since the program began. Whose each is goes with it, and is said wherever it is shown.
#pragma once

#include "app/gpu/gpu_view.h"
#include "core/lesson/quantity.h"

#include <string>
#include <vector>

namespace tilewalk {

struct BoardRun {
  const RunResult* run;  // lives as long as the view's recordings and runs
  Origin origin;         // Recorded, or Measured in this session
  bool own = false;      // from a file of the person's
  std::string file;      // its name, then
};
// Shipped ones, a person's own, those of this session; in each the later one behind.
std::vector<BoardRun> board_runs(const GpuView& gpu);

// "NVIDIA H200, 2026-11-21"; of a person's own with its file, of this session's that it was measured just now.
std::string words_of(const BoardRun& run);

}  // namespace tilewalk
