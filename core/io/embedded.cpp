// The list of the data files in the program. A new one is one row here; the build file finds it by itself. What is
// larger than all others together stands apart (large_file_*.cpp).
#include "core/io/embedded.h"

#include "core/io/embed.h"

// Symbol and path. TILEWALK_TREE is the root of the source tree.
#define TILEWALK_EMBEDDED_FILES(ROW)                                         \
  ROW(boards, "lessons/data/boards.md")                                      \
  ROW(fa1_backward_walk, "core/schedules/fa1-backward.walk")                 \
  ROW(fa1_first_walk, "core/schedules/fa1-0.1.walk")                         \
  ROW(fa1_kernel_walk, "core/schedules/fa1-kernel.walk")                     \
  ROW(fa1_walk, "core/schedules/fa1.walk")                                   \
  ROW(fa2_backward_walk, "core/schedules/fa2-backward.walk")                 \
  ROW(fa2_walk, "core/schedules/fa2.walk")                                   \
  ROW(fa3_walk, "core/schedules/fa3.walk")                                   \
  ROW(split_kv_walk, "core/schedules/split-kv.walk")                         \
  ROW(family, "lessons/data/family.toml")                                    \
  ROW(glossary, "lessons/data/glossary.toml")                                \
  ROW(gpus, "assets/gpus.toml")                                              \
  ROW(h100_backward, "assets/recordings/h100-backward.json")                 \
  ROW(h100_ceilings, "assets/recordings/h100-ceilings.json")                 \
  ROW(h100_decode, "assets/recordings/h100-decode.json")                     \
  ROW(h100_fp8, "assets/recordings/h100-fp8.json")                           \
  ROW(h100_groups, "assets/recordings/h100-groups.json")                     \
  ROW(h100_ladder, "assets/recordings/h100-ladder.json")                     \
  ROW(h100_pytorch, "assets/recordings/h100-pytorch.json")                   \
  ROW(h100_pytorch_backward, "assets/recordings/h100-pytorch-backward.json") \
  ROW(h100_pytorch_widths, "assets/recordings/h100-pytorch-widths.json")     \
  ROW(h100_programs, "assets/recordings/h100-programs.json")                 \
  ROW(h100_relatives, "assets/recordings/h100-relatives.json")               \
  ROW(h100_ring, "assets/recordings/h100-ring.json")                         \
  ROW(h100_runs, "assets/recordings/h100.json")                              \
  ROW(h100_widths, "assets/recordings/h100-widths.json")                     \
  ROW(h200_backward, "assets/recordings/h200-backward.json")                 \
  ROW(h200_ceilings, "assets/recordings/h200-ceilings.json")                 \
  ROW(h200_decode, "assets/recordings/h200-decode.json")                     \
  ROW(h200_fp8, "assets/recordings/h200-fp8.json")                           \
  ROW(h200_groups, "assets/recordings/h200-groups.json")                     \
  ROW(h200_ladder, "assets/recordings/h200-ladder.json")                     \
  ROW(h200_pytorch, "assets/recordings/h200-pytorch.json")                   \
  ROW(h200_pytorch_backward, "assets/recordings/h200-pytorch-backward.json") \
  ROW(h200_pytorch_widths, "assets/recordings/h200-pytorch-widths.json")     \
  ROW(h200_programs, "assets/recordings/h200-programs.json")                 \
  ROW(h200_relatives, "assets/recordings/h200-relatives.json")               \
  ROW(h200_runs, "assets/recordings/h200.json")                              \
  ROW(h200_widths, "assets/recordings/h200-widths.json")                     \
  ROW(kernel_fa1, "kernels/fa1.cu")                                          \
  ROW(kernel_fa2, "kernels/fa2.cu")                                          \
  ROW(kernel_fa2_backward, "kernels/fa2_backward.cu")                        \
  ROW(kernel_fa3, "kernels/fa3.cu")                                          \
  ROW(kernel_fa3_backward, "kernels/fa3_backward.cu")                        \
  ROW(kernel_naive, "kernels/naive.cu")                                      \
  ROW(kernel_standard, "kernels/standard.cu")                                \
  ROW(kernel_standard_backward, "kernels/standard_backward.cu")              \
  ROW(kernel_tiled, "kernels/tiled.cu")                                      \
  ROW(licences, "assets/licences.txt")                                       \
  ROW(own_tensors, "scripts/own-tensors.py")                                 \
  ROW(published, "lessons/data/published.toml")                              \
  ROW(puzzle_backward_from_l, "lessons/puzzles/backward-from-l.puzzle")      \
  ROW(puzzle_fewest_bytes, "lessons/puzzles/fewest-bytes.puzzle")            \
  ROW(puzzle_fuse_all, "lessons/puzzles/fuse-all.puzzle")                    \
  ROW(puzzle_keep_p, "lessons/puzzles/keep-p.puzzle")                        \
  ROW(puzzle_skip_tiles, "lessons/puzzles/skip-tiles.puzzle")                \
  ROW(puzzle_split, "lessons/puzzles/split.puzzle")                          \
  ROW(puzzle_streaming_max, "lessons/puzzles/streaming-max.puzzle")          \
  ROW(puzzle_swap_loops, "lessons/puzzles/swap-loops.puzzle")                \
  ROW(puzzle_three_passes, "lessons/puzzles/three-passes.puzzle")            \
  ROW(puzzle_why_alpha, "lessons/puzzles/why-alpha.puzzle")                  \
  ROW(review, "lessons/data/review.toml")                                    \
  ROW(standard_backward_walk, "core/schedules/standard-backward.walk")       \
  ROW(standard_walk, "core/schedules/standard.walk")                         \
  ROW(told, "lessons/data/told.toml")

#define ROW(symbol, path)                                  \
  TILEWALK_EMBED("data_" #symbol, TILEWALK_TREE "/" path); \
  extern "C" const char tilewalk_data_##symbol[], tilewalk_data_##symbol##_end[];
TILEWALK_EMBEDDED_FILES(ROW)
#undef ROW

namespace tilewalk {

std::string_view embedded_file(std::string_view wanted) {
#define ROW(symbol, path) \
  if (wanted == path) return {tilewalk_data_##symbol, tilewalk_data_##symbol##_end};
  TILEWALK_EMBEDDED_FILES(ROW)
#undef ROW
  return large_file(wanted);
}

}  // namespace tilewalk
