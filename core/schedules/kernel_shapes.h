// The kernels and their tile shapes: one table that the CUDA kernels, their schedules and the GPU panel share. The CUDA
// files take their template arguments from here, so that what is counted is what runs.
// Shared memory and threads are per thread block; rows are rows of one head.
#pragma once

#include "core/attention/problem.h"
#include "core/schedules/schedule.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tilewalk {

enum class KernelId : uint8_t { Standard, Fa1, Fa2, Fa3, Fa1Small, Fa2Small };
constexpr int kKernelCount = 6;

struct KernelInfo {
  KernelId id;
  std::string_view key;   // "fa2", "fa2-small": command line and JSON
  std::string_view name;  // "FA2", "FA2, 16-row tiles"
  ScheduleId schedule;
  int least_major, least_minor;  // compute capability
  bool exact_capability;         // runs on that capability alone (sm_90a code is Hopper's only)
};
std::span<const KernelInfo> kernels();
const KernelInfo& info_of(KernelId id);
std::optional<KernelId> kernel_named(std::string_view key);

// How one kernel cuts a problem. d is the padded head dimension that it computes with: 64 or 128.
struct KernelShape {
  int br, bc;     // rows of a Q tile, rows of a K/V tile
  int warps;      // of a thread block; 4 make a warpgroup
  int consumers;  // consumer warpgroups (FA3), else 0
  int stages;     // K/V buffers in shared memory
  int resident;   // thread blocks that a multiprocessor of compute capability 9.0 holds at once; 1: not counted
};

constexpr int64_t padded_d(int64_t d) { return d <= 64 ? 64 : 128; }
constexpr int64_t kMostKernelD = 128;

constexpr KernelShape kernel_shape(KernelId id, int d) {
  switch (id) {
    case KernelId::Standard: return {1, 0, 8, 0, 0, 1};  // one block a row of S; cuBLAS chooses its own tiles
    case KernelId::Fa1: return {64, d == 64 ? 128 : 64, 4, 0, 1, d == 64 ? 3 : 2};
    case KernelId::Fa2: return {128, d == 64 ? 128 : 64, 4, 0, 1, 2};
    case KernelId::Fa3: return d == 64 ? KernelShape{192, 128, 16, 3, 2, 1} : KernelShape{128, 128, 12, 2, 2, 1};
    case KernelId::Fa1Small:
    case KernelId::Fa2Small: return {16, 16, 1, 0, 1, 1};
  }
  return {};
}

// How FA2 and FA3 order their launch: in groups of so many heads, within a group the last Q tile of all its heads
// first, then the one before. Under a causal mask that is from the longest block to the shortest, across as many heads
// as have their K and V in 32 MB, about half of a large L2; FA3 takes a power of two. 0: head by head, first tile
// first.
constexpr int64_t launch_group(KernelId id, bool causal, int64_t heads, int64_t n_k, int64_t d) {
  constexpr int64_t kGroupBytes = int64_t{32} << 20;
  const bool fa2 = id == KernelId::Fa2 || id == KernelId::Fa2Small;
  if (!causal || !(fa2 || id == KernelId::Fa3)) return fa2 ? 1 : 0;
  const int64_t fit = kGroupBytes / (n_k * d * 2 * 2);
  const int64_t group = fit < 1 ? 1 : fit < heads ? fit : heads;
  if (fa2) return group;
  int64_t power = 1;
  while (power * 2 <= group) power *= 2;
  return power;
}

// Whether standard attention keeps S in fp32 between its kernels. Half a unit in the last place of a 16-bit score of 4
// to 8 changes its weight by 2^-9 (fp16) or 2^-6 (bf16), which alone uses up what a row of O may be off by. That is
// too much where scores can be larger, or a row so short that one key has most of the weight. So S is in the problem's
// format only in long rows of scores of variance 1 or less: normal inputs whose scale is at most 1/sqrt(d), d of 64 or
// 128. The answer is the same for the problem with padded d.
constexpr bool keeps_wide_scores(Distribution distribution, int64_t n_k, int64_t d, double scale) {
  constexpr int64_t kLongRow = 2048;
  return distribution != Distribution::Normal || n_k < kLongRow || scale * scale * double(padded_d(d)) > 1 + 1e-6;
}
inline bool keeps_wide_scores(const Problem& p) {
  return keeps_wide_scores(p.distribution, p.n_k, p.d, p.softmax_scale());
}

// The schedule's plan in the kernel's variant, with S as the kernel keeps it; the stage's walks keep S in the problem's
// format. The problem is kernel_problem() or padded_problem().
Plan kernel_plan(const Problem& problem, KernelId id);

// The problem as that kernel sees it: Br and Bc of its shape (standard keeps the problem's own: cuBLAS chooses). d
// stays the problem's own; see padded_problem.
Problem kernel_problem(const Problem& problem, KernelId id);
// The same with d padded to 64 or 128: what moves over the wires. The softmax scale stays that of the problem. A d
// beyond kMostKernelD, which no kernel runs, stays.
Problem padded_problem(const Problem& problem, KernelId id);

}  // namespace tilewalk
