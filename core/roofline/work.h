// What a method does to compute one attention problem, pass by pass: FLOP, exponentials, fp32 operations, bytes at each
// level, and how its thread blocks come to the multiprocessors. No times yet, and no GPU but where L2 keeps something.
//
// Counts are those of the schedules (core/schedules/count.h), in the kernels' variant and with the kernels' tiles
// (kernel_shapes.h), for all B * H heads; of standard attention in the papers' variant, with S and P in the problem's
// format. Per score of a visited tile, hidden ones included, the schedules count one exponential and four fp32
// operations (scale, max, subtract, sum), and per row and visit the rescaling of d elements.
// Fewer queries than a Q tile has rows (decode) take the smallest tile that the instruction has: 16 rows for mma.sync,
// as cuDNN's decode kernel, 64 for wgmma.
//
// Eager is what a framework runs where nothing is fused: standard attention, with a pass of its own over S for the
// scale and, under a causal mask, another for the mask (scripts/record-peers.py times exactly that).
//
// FA4 has no kernel here: it is estimated alone, from what its paper (arXiv:2603.05451) and its released forward kernel
// (Dao-AILab/flash-attention, flash_attn/cute, 4.0.0.beta27) say. A block has two Q tiles of 128 rows, one where d is
// over 128, and K/V tiles of 128; of its exponentials the tenth that the paper names at least is a polynomial on the
// fp32 units.
#pragma once

#include "core/attention/problem.h"
#include "core/method/table.h"
#include "core/roofline/roofs.h"
#include "core/kernel/kernel_shapes.h"
#include "core/schedules/schedule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// Whether no scores go through memory.
inline bool is_fused(Method method) { return !schedule_of(method).scores_in_memory; }

// Thread blocks of a pass, in whole visits of one K/V tile by one Q tile.
struct Blocks {
  int64_t count = 0;  // 0: not known (cuBLAS), taken as even
  int64_t per_head = 1;
  int64_t resident = 1;  // on a multiprocessor at once
  double visits = 0;     // of all blocks
  double longest = 0;    // of one block
  double last = 0;       // of the block that is handed out last
  double useful = 0;     // visits without the rows and columns that the last tiles have too many
  // How often the multiprocessors are filled, the last time perhaps in part.
  int64_t waves(int sms) const;
  // How much longer the busiest multiprocessor works than an even share takes: the tail of the last wave, or
  // multiprocessors without a block. 1 or more.
  double spread(int sms) const;
  // Work on whole tiles over work on the rows and columns that are there. 1 or more.
  double padding() const { return count > 0 && useful > 0 ? std::max(1.0, visits / useful) : 1; }
};

struct PassWork {
  std::string_view name;  // of Schedule::passes; of the eager passes "S · scale", "mask S"
  double matrix_flop = 0;
  double exponentials = 0;
  double vector_ops = 0;
  double l2_bytes = 0;         // between L2 and the multiprocessors, both ways
  double sram_bytes = 0;       // operands of the products, as each warp or warpgroup reads them from shared memory
  double dram_bytes = 0;       // each tensor of the pass once
  double two_level_bytes = 0;  // as the papers count, without L2: every fill is a DRAM byte
  // What comes again from L2, as long as L2 keeps it: bytes for each head that must stay, and what DRAM sees more for
  // each wave of a head's blocks after the first where they do not.
  double kept_per_head = 0;
  double again = 0;
  bool keys_outside = false;  // what comes again is a Q tile's own, once for every K/V tile
  // Of l2_bytes: the tiles that a block needs before its first product, and its outputs, where no other block is there
  // to run meanwhile.
  double edge_bytes = 0;
  Blend blend = Blend::Free;
  Blocks blocks;

  double amount(Roof roof) const;  // of dram_bytes for Roof::Dram
  // DRAM bytes behind an L2 of that size on a GPU of so many multiprocessors; 0: not known, everything is kept.
  double dram_behind(double l2_bytes, int sms, int64_t heads) const;
};

struct Work {
  Method method{};
  Direction direction = Direction::Forward;
  Problem problem;     // as asked
  int64_t splits = 1;  // of K and V (Flash-Decoding)
  std::vector<PassWork> passes;
  double nominal_flop = 0;  // what TFLOP/s are said of: nominal_flop_of, kBackwardFlop times that backward
  double memory_bytes = 0;  // inputs, outputs and what lies in memory between the passes, at the fullest moment

  int64_t heads() const { return problem.batch * problem.heads; }
  double total(Roof roof) const;  // of all passes
  double two_level_bytes() const;
};

// Why nothing is estimated of a problem that passed validate(), as a sentence; empty where something is. Roofs are
// those of fp16 and bf16, and FlashAttention's kernels take d up to 256.
std::string fault_of(const Problem& problem);

// The problem must have passed validate() and fault_of(). `splits`: of K and V, forward, where the method splits.
Work work_of(Method method, const Problem& problem, Direction direction = Direction::Forward, int64_t splits = 1,
             KernelVersion version = KernelVersion::Now);

// How many splits of K and V flash-attention takes forward on so many multiprocessors where there are fewer queries
// than keys (a cache of keys, at whatever number of queries): see chosen_splits in core/attention/split_kv.h. 1 where
// it takes none, and where there are as many queries as keys, as in the papers and in the kernels of this program.
int64_t released_splits(Method method, const Problem& problem, Direction direction, int sms);

// Thread blocks of a head in FA1's backward: one, or one for each K/V tile where one would leave multiprocessors idle
// (Dao-AILab/flash-attention, v1.0.9, fmha_bwd_launch_template.h).
constexpr int64_t kFa1BackwardKeys = 128;  // of such a tile
int64_t fa1_backward_blocks(int64_t heads, int64_t tiles, bool causal, int sms);

// Memory alone, without counting anything: bytes. Of standard attention and of a framework's that is S and P at once,
// as in the papers' three kernels (arXiv:2205.14135, Algorithm 0); backward P, dP and dS (Algorithm 3).
double memory_of(Method method, const Problem& problem, Direction direction = Direction::Forward);
// What kernels/standard.cu needs forward: it writes P over S, so that there is one such matrix, in fp32 where S is.
double memory_in_place(const Problem& problem);

// Why the method does not run on that GPU, in a sentence; empty where a kernel of ours or a released one does. Of the
// problem the head dimension and the format count.
std::string why_not(Method method, const Roofs& roofs, const Problem& problem = {},
                    Direction direction = Direction::Forward);
// Whose kernel it is that runs there where it is none of ours, in a sentence; empty elsewhere.
std::string whose_kernel(Method method, const Roofs& roofs, const Problem& problem = {},
                         Direction direction = Direction::Forward);
// The newest fused method that runs there; FA2 where none does.
Method best_fused(const Roofs& roofs, const Problem& problem = {}, Direction direction = Direction::Forward);

}  // namespace tilewalk
