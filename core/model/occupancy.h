// Which multiprocessor runs which thread block, and when: the blocks of a launch, handed out in order to whichever
// multiprocessor has room first. Lengths and times are in visits of one K/V tile by one Q tile, a model: every visit
// counts the same, and blocks that share a multiprocessor share its pace.
//
// FA1 launches one block a head, B * H; FA2 and FA3 one for each Q tile of each head, B * H * Tr (arXiv:2307.08691
// section 3.2).
#pragma once

#include "core/schedules/schedule.h"

#include <cstdint>
#include <vector>

namespace tilewalk {

// Visits of each thread block of all B * H heads, in launch order: head by head, Q tiles ascending.
std::vector<int64_t> block_lengths(const Schedule& schedule, const Plan& plan);

// Causal blocks differ in length: handed out longest first, the short ones fill what is left at the end
// (FlashAttention's tile_scheduler.hpp).
enum class BlockOrder : uint8_t { Launch, LongestFirst };

struct BlockRun {
  int32_t block;  // index into the lengths
  int32_t sm;
  double begin, end;  // visits
};

struct Occupancy {
  int multiprocessors = 0, resident = 0;
  std::vector<BlockRun> runs;  // in the order in which they were handed out
  int64_t work = 0;            // visits of all blocks
  double span = 0;             // until the last block ends
  double tail = 0;             // of the span: after there is no block left to hand out
  int used = 0;                // multiprocessors that run any block

  int64_t blocks() const { return int64_t(runs.size()); }
  // How often all multiprocessors are filled, the last time perhaps in part.
  int64_t waves() const {
    const int64_t room = int64_t(multiprocessors) * resident;
    return (blocks() + room - 1) / room;
  }
  double used_share() const { return double(used) / multiprocessors; }
  // Of the multiprocessors' time until the last block ends.
  double busy_share() const { return span > 0 ? double(work) / (span * multiprocessors) : 0; }
};

// The largest launch that is laid out block by block.
constexpr int64_t kMostBlocks = 200'000;

// `resident`: blocks that a multiprocessor holds at once.
Occupancy occupy(const std::vector<int64_t>& lengths, int multiprocessors, int resident = 1,
                 BlockOrder order = BlockOrder::Launch);

}  // namespace tilewalk
