// How near a kernel's answer must lie to float64, and how many of its rows are held against it: what the worker judges
// by (kernels/worker/verdict.h), and what its judgement is held against here (core/run/audit.h).
#pragma once

#include "core/attention/problem.h"

#include <algorithm>
#include <cstdint>

namespace tilewalk {

// Largest relative L2 errors that pass: of one row of O, and of all rows together.
struct ErrorLimits {
  double row, whole;
};
constexpr ErrorLimits error_limits(Format format) {
  // Of the rounded inputs: P's rounding moves each weight by 2^-4 of it at most, half of that on average.
  if (format == Format::E4M3) return {7e-2, 3.5e-2};
  return format == Format::BFloat16 ? ErrorLimits{1.6e-2, 8e-3} : ErrorLimits{2e-3, 1e-3};
}

// Of L, of max(1, |L|).
constexpr double kMostLseError = 1e-4;
// In e4m3 the tensor cores keep some 13 bits of the largest product of a sum and cut off the rest. What they drop moves
// a score, and so L and the weights, by this share of the sizes of all its products together; 5.4e-4 is the most that
// was seen on an H200, over 140 problems.
constexpr double kDroppedE4M3 = 0x1p-10;
// Standard attention that rounds every score before the softmax reads it moves L by this share of the row's largest.
constexpr double score_rounding(Format format) { return format == Format::BFloat16 ? 0x1p-8 : 0x1p-11; }

// Rows of all heads that are compared: every one where that is cheap, else this many.
constexpr int64_t compared_rows(const Problem& p) {
  return std::min(p.batch * p.heads * p.n_q, std::clamp<int64_t>((int64_t{1} << 24) / p.n_k, 64, 16384));
}

}  // namespace tilewalk
