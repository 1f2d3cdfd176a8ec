// The problem of the papers' benchmarks (arXiv:2307.08691 section 4.1): 16,384 tokens in sequences of n, and a hidden
// size of 2,048 in heads of d.
#pragma once

#include "core/attention/problem.h"

#include <algorithm>
#include <cstdint>

namespace tilewalk {

constexpr int64_t kBenchmarkTokens = 16384, kBenchmarkWidth = 2048;

inline Problem benchmark_problem(int64_t n, int64_t d, Mask mask = Mask::Full) {
  return {.batch = std::max<int64_t>(1, kBenchmarkTokens / n),
          .heads = std::max<int64_t>(1, kBenchmarkWidth / d),
          .n_q = n,
          .n_k = n,
          .d = d,
          .br = 128,
          .bc = 128,
          .mask = mask};
}

}  // namespace tilewalk
