// The titles of the lesson path: fourteen lessons in four phases. Titles only; what a lesson says is not here.
#pragma once

#include <array>
#include <string_view>

namespace tilewalk {

struct LessonTitle {
  int number;  // 1 .. 14
  int phase;   // index into kPhases
  std::string_view brief;  // for the rail
  std::string_view title;
};

constexpr std::array<std::string_view, 4> kPhases{"Why it bleeds memory", "Tiles and online softmax", "FA1, FA2, FA3",
                                                  "Roofline"};

constexpr std::array<LessonTitle, 14> kLessons{{
    {1, 0, "Memory traffic", "Attention isn't slow, its memory traffic is"},
    {2, 0, "SRAM, the scratchpad", "SRAM is the scratchpad nobody used"},
    {3, 0, "The N×N that never was", "The N×N matrix that never had to exist"},
    {4, 0, "Same math, new schedule", "Same math, completely different schedule"},
    {5, 1, "Cut until it fits", "Cut the matrix until it fits in your scratchpad"},
    {6, 1, "The running max", "The running-max trick that streams softmax exactly"},
    {7, 1, "One Q tile, every K tile", "Walk one Q tile through every K tile on paper"},
    {8, 1, "Backward, no matrix", "The backward pass that never stored the matrix"},
    {9, 1, "Causal tiles", "Causal masking that doesn't waste tiles"},
    {10, 2, "FA2 flips the loop", "FA2 flipped the loop and doubled the speedup"},
    {11, 2, "FA3 overlaps", "FA3 stops waiting for memory and starts overlapping it"},
    {12, 2, "Which version runs?", "Your team turned on FA, which version is running?"},
    {13, 2, "The family tree", "PyTorch SDPA, xFormers and the FA family tree"},
    {14, 3, "Draw it, predict the win", "Draw the roofline, predict FA's win for your sequence"},
}};

}  // namespace tilewalk
