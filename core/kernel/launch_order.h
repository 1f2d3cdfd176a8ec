// In which order a kernel's thread blocks take the Q tiles of all heads: one rule for its CUDA code and its model. FA2
// and FA3 go by groups of heads; within a group the last Q tile of all its heads comes first, then the one before.
// Under a causal mask that is from the longest to the shortest, so that short ones fill the gaps at the end, and a
// group's K and V stay in L2 meanwhile. Three Q tiles a head, five heads, groups of two:
//
//   block      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14
//   head       0  0  0  1  2  1  2  1  2  3  4  3  4  3  4
//   Q tile i   2  1  0  2  2  1  1  0  0  2  2  1  1  0  0
//
// Heads left over from whole groups go first: at the end of a launch only the group's own short tiles are there to fill
// gaps, so the last group had better be a whole one.
#pragma once

#include "core/attention/problem.h"
#include "core/kernel/kernel_shapes.h"

#include <algorithm>
#include <cstdint>

namespace tilewalk {

// How many heads a group has: under a causal mask as many as have their K and V in 32 MB; for FA3 a power of
// two, as measured (docs/measurements.md). 0: head by head, first tile first.
constexpr int64_t launch_group(Method id, bool causal, int64_t heads, int64_t n_k, int64_t d) {
  const bool fa2 = id == Method::Fa2 || id == Method::Fa2Small;
  if (!causal || !(fa2 || id == Method::Fa3)) return fa2 ? 1 : 0;
  const int64_t group = std::clamp<int64_t>((int64_t{32} << 20) / (n_k * d * 2 * 2), 1, heads);
  if (fa2) return group;
  int64_t power = 1;
  while (power * 2 <= group) power *= 2;
  return power;
}

// Which Q tile (or other part) of which head block `n` takes, of heads with `per_head` parts each. rest_last: the
// heads that are left over go last, as until KernelVersion::V0_2.
template <class Int>
struct Launched {
  Int head, place;
  bool operator==(const Launched&) const = default;
};
template <class Int>
constexpr Launched<Int> launched_as(Int n, Int heads, Int per_head, Int group, bool rest_last = false) {
  if (group == 0) return {n / per_head, n % per_head};
  const Int rest = heads % group, in_rest = rest * per_head;
  const Int before = rest_last || n < in_rest ? 0 : rest;  // heads that went first
  const Int within = n - before * per_head;
  const Int first = before + within / (group * per_head) * group;
  const bool left_over = rest_last ? first + group > heads : n < in_rest;
  const Int size = left_over ? rest : group, place = within % (group * per_head);
  return {first + place % size, per_head - 1 - place / size};
}

}  // namespace tilewalk
