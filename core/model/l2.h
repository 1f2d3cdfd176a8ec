// What L2 makes of a schedule's loads and stores: which reach DRAM. L2 is managed by hardware, so this is a second pass
// over the steps, one for all schedules: least recently used, with an effective capacity; dirty data is written to DRAM
// when it is evicted, and what is left at the end is reported as such.
//
// Two views of one model. A trace follows one head, block after block, tile by tile, as the stage shows it. An estimate
// follows all B * H heads with as many thread blocks at once as the multiprocessors hold, in launch order,
// their loads and stores interleaved one K/V tile at a time, in chunks of 4 KiB; that is what a GPU's DRAM counter is
// compared with. Only the estimate heeds Variant::p_over_s: the stage shows S and P apart.
#pragma once

#include "core/machine/machine_spec.h"
#include "core/model/tile_numbers.h"
#include "core/schedules/schedule.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewalk {

class L2Trace {
 public:
  L2Trace(std::span<const Step> steps, const Plan& plan, int64_t capacity_bytes);

  int64_t dram_read(int64_t step) const;     // bytes, after `step` steps
  int64_t dram_written(int64_t step) const;  // bytes evicted dirty, after `step` steps

  // A tile that lies in L2 after `step` steps. An index that the tensor's tiles do not have is 0 (i of a K tile).
  struct Tile {
    Tensor tensor;
    int32_t i, j;
    bool dirty;  // DRAM does not have it yet
    int32_t bytes;
    bool output;  // O: the tile in the output's format, apart from the one that is kept between visits
  };
  std::vector<Tile> contents(int64_t step) const;  // in the order in which they came in
  bool holds(Tensor tensor, int32_t i, int32_t j, int64_t step) const;
  // Whether the load that is step number `index` found all it asked for in L2.
  bool hit(int64_t index) const { return hit_[size_t(index)]; }

 private:
  struct Stay {  // one tile's time in L2, in steps taken
    int32_t tile, bytes;
    int64_t in, out, dirty_from;
  };
  // The stays that go on at the moment when stay `next` begins.
  struct Snapshot {
    int64_t next;
    std::vector<int32_t> live;
  };

  TileNumbers numbers_;
  std::vector<Stay> stays_;              // by `in`
  std::vector<int32_t> by_tile_;         // indices of stays, by tile, then by `in`
  std::vector<Snapshot> snapshots_;
  std::vector<int64_t> read_, written_;  // [steps + 1], cumulative
  std::vector<bool> hit_;                // [steps]
};

struct DramEstimate {
  int64_t read_bytes = 0;
  int64_t written_bytes = 0;     // evicted while the kernels ran
  int64_t left_dirty_bytes = 0;  // still in L2 at the end; a counter stopped there has not seen them
  bool modelled = true;          // false: too large to follow; the numbers are zero
};

// Programs up to this many steps, all heads together, are followed (in about a second).
constexpr int64_t kMostL2Steps = 32'000'000;

// How a kernel's thread blocks come to the multiprocessors.
struct LaunchOrder {
  int resident = 1;   // blocks that a multiprocessor holds at once, as registers and shared memory allow
  int64_t group = 0;  // 0: head by head, first tile first; else groups of so many heads, within a group the last tile of
                      // all its heads first: under a causal mask that is from the longest block to the shortest
};

// The capacity is spec.l2_bytes.
DramEstimate estimate_dram(const Schedule& schedule, const Plan& plan, const MachineSpec& spec,
                           const LaunchOrder& order = {});

}  // namespace tilewalk
