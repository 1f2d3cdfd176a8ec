// One attention call of a model of one's own, in four sentences: what it waits for, where that turns, what
// FlashAttention wins over standard and over eager attention, and the memory that standard would need; and what nobody
// here knows of it. Nothing is estimated here: the numbers are the sheet's (core/roofline/sheet.h), and measured ones
// those of the recording that lies nearest.
#pragma once

#include "core/roofline/sheet.h"
#include "core/run/run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewalk {

// The wins that were measured where a recorded call is like this one: the same d, padded, the same mask and direction;
// as many queries as keys; N at most twice or half, and the work of all heads at most four times or a quarter.
struct MeasuredNear {
  std::string gpu;  // "NVIDIA H200"
  Problem problem;  // the recorded one
  Method fused{};
  double time = 0;                                  // s, of the fused method
  std::optional<double> over_standard, over_eager;  // times, in runs of the same shape
};
// The nearest of those runs in which the fused method was timed; nothing where none is near. Keeps nothing of `runs`.
std::optional<MeasuredNear> measured_near(const EstimateSheet& sheet, std::span<const RunResult> runs);

// How many times as long as the fused method a slower one takes, by what was measured over the model elsewhere; nothing
// where one of the two has no band.
std::optional<Expected> expected_win(const EstimateSheet& sheet, Method slow);

struct OwnModel {
  std::string bound, turns, win, memory;  // a sentence or two each
  std::vector<std::string> unknown;       // a sentence each; only what applies
};
OwnModel own_model(const EstimateSheet& sheet, std::span<const RunResult> runs);

}  // namespace tilewalk
