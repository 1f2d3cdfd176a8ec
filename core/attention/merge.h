// Parts of one query row's softmax, computed apart over different keys, and how they become one. The rule that carries
// (m, l, o) from tile to tile merges any two parts: it is associative and commutative in exact arithmetic, so splits of
// K/V (Flash-Decoding) and shards on other devices (Ring Attention, arXiv:2310.01889) use it too.
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewalk {

// Over some keys: m their largest score, l = sum of e^(s - m), o = sum of e^(s - m) v, unnormalised, [d].
struct RowPart {
  double m = kMinusInfinity, l = 0;
  std::vector<double> o;
};
RowPart merge(const RowPart& a, const RowPart& b);
// Keys first .. last - 1 for query row `row`, float64. All masked: m = -inf, l = 0, o = 0.
RowPart partial_of(const Problem& problem, const Inputs& inputs, int64_t row, int64_t first, int64_t last);

// The same, normalised: what a kernel writes to memory. O = o / l, L = m + log l; O = 0 and L = -inf without keys.
struct Share {
  std::vector<double> o;
  double lse = kMinusInfinity;
};
Share normalized(const RowPart& part);

// L = log sum e^(L_s), O = sum e^(L_s - L) O_s; the weights add up to 1, unless there was no key at all.
struct Merged {
  Share share;
  std::vector<double> weights;
};
Merged merge(std::span<const Share> shares);

}  // namespace tilewalk
