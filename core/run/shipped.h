// The recordings that are part of the program.
#pragma once

#include "core/run/ring_run.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilewalk {

const std::vector<RunResult>& shipped_recordings();  // ours first, then PyTorch's
std::string_view shipped_file(size_t index);         // the name of the file that holds that one of them

// FP8 and decoding, each kernel's switches beside it, and FA2 and FA3 with grouped queries.
const std::vector<RunResult>& shipped_beside();
std::string_view shipped_beside_file(size_t index);

// The rungs of the ladder, and FA2 and FA3 with each of their switches (`tilewalk-gpu record --set ladder`).
inline constexpr std::string_view kShippedLadder = "h200-ladder.json";
const std::vector<RunResult>& shipped_ladder();
// How many times as long the kernel took with that switch as without, in one run at N = 4096; nothing where it is not
// recorded. d is 64 or 128.
struct SwitchedTime {
  double times = 0;
  std::string_view gpu;
};
std::optional<SwitchedTime> shipped_switch(KernelId kernel, Switch with, int64_t d, Mask mask);

const std::vector<RingResult>& shipped_rings();
// The one of as many GPUs and tokens, d, mask and split, whose K and V travel so, with multiprocessors left free or
// none; null: there is none.
const RingResult* shipped_ring(const RingSpec& wanted);
// Whether a file's text is that of one of them.
bool is_shipped(std::string_view text);

}  // namespace tilewalk
