// The kernels' tile shapes, which the CUDA kernels, their schedules and the GPU panel share. The CUDA files take their
// template arguments from here, so that what is counted is what runs. FA4's is of the released kernel.
// Shared memory and threads are per thread block; rows are rows of one head.
#pragma once

#include "core/attention/problem.h"
#include "core/schedules/schedule.h"

#include <algorithm>
#include <cstdint>

namespace tilewalk {

// How one kernel cuts a problem. d is the padded head dimension that it computes with: padded_d().
struct KernelShape {
  int br, bc;     // rows of a Q tile, rows of a K/V tile
  int warps;      // of a thread block; 4 make a warpgroup
  int consumers;  // consumer warpgroups (FA3 and its backward pass), else 0
  int stages;     // K/V buffers in shared memory; backward: Q and dO buffers
  int resident;   // thread blocks that a multiprocessor of compute capability 9.0 holds at once; 1: not counted
};

// What every kernel can be padded to. Standard, FA2, FA3 and FA4 also take d = 96 and 256 as they are.
constexpr int64_t padded_d(int64_t d) { return d <= 64 ? 64 : 128; }
constexpr int64_t kMostKernelD = 128;
constexpr bool takes_any_width(Method id) {
  using enum Method;
  return id == Eager || id == Standard || id == Fa2 || id == Fa3 || id == Fa4;
}
constexpr int64_t most_d(Method id) { return takes_any_width(id) ? 256 : kMostKernelD; }
constexpr int64_t padded_d(Method id, int64_t d) {
  if (!takes_any_width(id) || d <= 64) return padded_d(d);
  return d <= 96 ? 96 : d <= 128 ? 128 : 256;
}
// What any kernel pads d to, at most.
constexpr int64_t widest_d(int64_t d) { return d <= kMostKernelD ? padded_d(d) : 256; }

// The rule of Algorithm 1 (arXiv:2205.14135, line 1): Bc = ceil(M / 4d), Br = min(Bc, d). M counts the 16-bit numbers
// in the shared memory that a block of compute capability 9.0 can have; a matrix instruction wants whole sixteens of
// keys, so Bc is rounded down to them.
constexpr int kPaperSram = 227 * 1024;
constexpr KernelShape paper_shape(int d) {
  const int rule = (kPaperSram / 2 + 4 * d - 1) / (4 * d), bc = rule / 16 * 16, br = bc < d ? bc : d;
  return {br, bc, br / 16, 0, 1, 1};
}

constexpr KernelShape kernel_shape(Method id, int d) {
  switch (id) {
    case Method::Eager:
    case Method::Standard: return {1, 0, 8, 0, 0, 1};  // one block a row of S; cuBLAS chooses its own tiles
    case Method::Fa1: return {64, d == 64 ? 256 : 128, 4, 0, 1, 2};
    case Method::Fa1Paper: return paper_shape(d);
    case Method::Naive: return {128, 1, 4, 0, 0, d == 64 ? 4 : 2};
    case Method::Tiled: return {128, 32, 4, 0, 1, 2};
    case Method::Fa1First: return {64, d == 64 ? 128 : 64, 4, 0, 1, d == 64 ? 3 : 2};
    case Method::Fa2:
      if (d == 256) return {64, 64, 4, 0, 1, 2};
      return {128, d == 64 ? 128 : 64, 4, 0, 1, 2};
    case Method::Fa3:
      if (d == 256) return {128, 80, 12, 2, 2, 1};
      if (d == 96) return {192, 96, 16, 3, 2, 1};
      return d == 64 ? KernelShape{192, 128, 16, 3, 2, 1} : KernelShape{128, 128, 12, 2, 2, 1};
    case Method::Fa4: return {d <= kMostKernelD ? 256 : 128, 128, 16, 2, 2, 1};  // as released
    case Method::Fa1Small:
    case Method::Fa2Small: return {16, 16, 1, 0, 1, 1};
    case Method::StandardBackward: return {1, 0, 8, 0, 0, 1};
    case Method::Fa2Backward: return {64, d == 64 ? 128 : 64, 4, 0, 2, 2};
    case Method::Fa3Backward: return {d == 64 ? 128 : 64, 128, 12, 2, 2, 1};
    case Method::Fa3Fp8:
      return {128, 128, 12, 2, 2, 1};  // long K/V have tiles of 192: core/attention/fp8_tiles.h
    // The queries of all heads that share one of K and V are the rows of one Q tile; a K/V tile is 16 KB.
    case Method::SplitKv: return {16, 16 * 1024 / 2 / d, 4, 0, 3, 2};
    case Method::Fa1Backward:
    case Method::Own: break;
  }
  return {};
}

// How many thread blocks share a head, each with every so manieth of its Q tiles. FlashAttention's release of November
// 2022 (flash-attn 0.2.1) began to do so where batch and heads alone leave multiprocessors idle: of up to 30 blocks a
// head the fewest that come within 5 % of the fullest last wave (Dao-AILab/flash-attention, v1.0.9,
// fmha_fwd_launch_template.h). 1 for the kernels whose sections are blocks anyway, and for Algorithm 1.
constexpr int64_t blocks_of_head(Method id, int64_t heads, int64_t n_q, int d, int64_t multiprocessors) {
  if (id != Method::Fa1 || heads < 1 || multiprocessors < 1) return 1;
  constexpr int64_t kMost = 30;
  const KernelShape shape = kernel_shape(id, d);
  const int64_t tiles = (n_q + shape.br - 1) / shape.br, most = tiles < kMost ? tiles : kMost;
  const int64_t room = multiprocessors * shape.resident;
  const auto filled = [&](int64_t blocks) {  // of the waves' places, how many have a block
    const int64_t waves = (heads * blocks + room - 1) / room;
    return double(heads * blocks) / double(waves * room);
  };
  double best = 0;
  for (int64_t blocks = 1; blocks <= most; ++blocks)
    if (filled(blocks) > best) best = filled(blocks);
  for (int64_t blocks = 1; blocks <= most; ++blocks)
    if (filled(blocks) > 0.95 * best) return blocks;
  return 1;
}

// The kernels as they are, or as an earlier version of the program had them where they moved or computed something
// else. Which version made a recording: version_of(), core/run/prediction.h.
enum class KernelVersion : uint8_t {
  V0_1,  // FA3's short Q tile is a head's last, as in the papers' kernels and cuDNN's
  V0_2,  // since 0.2.0 it is its first
  Now,   // since 0.3.0, under a causal mask: heads left over from whole groups go first (before: last), and FA3 draws a
         // Q tile late (before: as it begins the one before)
};

// How many rows fewer than br the first Q tile of a head has in FA3, where the queries are no multiple of br: those of
// whole consumer warpgroups, 64 each. The other kernels' last tile is the short one.
constexpr int64_t fewer_rows(Method id, int64_t n_q, int64_t br, KernelVersion version = KernelVersion::Now) {
  constexpr int64_t kRows = 64;
  if (id != Method::Fa3 || version == KernelVersion::V0_1) return 0;
  return ((n_q + br - 1) / br * br - n_q) / kRows * kRows;
}

// Whether standard attention keeps S in fp32 between its kernels. Half a unit in the last place of a 16-bit score of 4
// to 8 changes its weight by 2^-9 (fp16) or 2^-6 (bf16), which alone uses up what a row of O may be off by. That is
// too much where scores can be larger, or a row so short that one key has most of the weight. So S is in the problem's
// format only in long rows of scores of variance 1 or less: normal inputs whose scale is at most 1/sqrt(d), d of 64,
// 96, 128 or 256. The answer is the same for the problem with padded d.
constexpr bool keeps_wide_scores(Distribution distribution, int64_t n_k, int64_t d, double scale) {
  constexpr int64_t kLongRow = 2048;
  return distribution != Distribution::Normal || n_k < kLongRow ||
         scale * scale * double(padded_d(Method::Standard, d)) > 1 + 1e-6;
}
inline bool keeps_wide_scores(const Problem& p) {
  return keeps_wide_scores(p.distribution, p.n_k, p.d, p.softmax_scale());
}

// Rows of S lie a whole number of these scores apart, 128 bytes in 16 bits. cuBLAS's product is up to 1.9 times slower
// a score where rows end elsewhere (N = 5,000 on an H200), so it makes them that long, for all heads but the last,
// whose keys no other head's follow. What lies past the last key is written and never read.
constexpr int64_t kStandardLine = 64;
constexpr int64_t standard_pitch(int64_t n_k) { return (n_k + kStandardLine - 1) / kStandardLine * kStandardLine; }
// Of the heads, how many get rows of n_k scores all the same; keys shorter than a line are not worth it.
constexpr int64_t standard_unpadded_heads(int64_t heads, int64_t n_k) {
  return n_k % kStandardLine == 0 ? 0 : n_k < kStandardLine ? heads : 1;
}

// The schedule's plan in the kernel's variant, with S as the kernel keeps it and with as many blocks to a head as it
// launches on so many multiprocessors; the stage's walks keep S in the problem's format, and a head is one block, as it
// is here without multiprocessors. The problem is kernel_problem() or padded_problem().
Plan kernel_plan(const Problem& problem, Method id, int multiprocessors = 0,
                 KernelVersion version = KernelVersion::Now);

// The problem as that kernel sees it: Br and Bc of its shape (standard keeps the problem's own: cuBLAS chooses). d
// stays the problem's own; see padded_problem.
Problem kernel_problem(const Problem& problem, Method id);
// The same with d padded as that kernel has it: what moves over the wires. The softmax scale stays that of the problem.
// A d beyond most_d(), which the kernel does not run, stays.
Problem padded_problem(const Problem& problem, Method id);

}  // namespace tilewalk
