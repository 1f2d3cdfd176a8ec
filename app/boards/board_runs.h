// Every run that a board may set beside the model: the recordings that are part of the program, a person's own, and
// what was measured since the program began. Whose each is goes with it, and is said wherever it is shown.
#pragma once

#include "app/gpu/gpu_view.h"
#include "core/quantity/quantity.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Whose it is. The kinds are never drawn alike: a full diamond, a hollow one, a square.
enum class RunKind : uint8_t { Shipped, Own, Measured };
constexpr std::array<RunKind, 3> kRunKinds{RunKind::Shipped, RunKind::Own, RunKind::Measured};
std::string_view words_of(RunKind kind);  // "recorded", "recorded by you", "measured"
std::string_view glyph_of(RunKind kind);  // "◆"
constexpr Origin origin_of(RunKind kind) { return kind == RunKind::Measured ? Origin::Measured : Origin::Recorded; }

struct BoardRun {
  const RunResult* run;  // lives as long as the view's recordings and runs
  RunKind kind = RunKind::Shipped;
  std::string file;  // of a person's own: its name
};
// Shipped ones, a person's own, those of this session; in each the later one behind.
std::vector<BoardRun> board_runs(const GpuView& gpu);

// "NVIDIA H200, 2026-11-21"; of a person's own with its file, of this session's that it was measured just now.
std::string words_of(const BoardRun& run);

}  // namespace tilewalk
