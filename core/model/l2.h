// What L2 makes of a schedule's loads and stores as the stage shows it: one head, block after block, tile by tile;
// which reach DRAM. Least recently used, dirty data written to DRAM when it is evicted. The bytes of all heads on a GPU
// are dram.h's, which knows more of the hardware.
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
  std::vector<Stay> stays_;       // by `in`
  std::vector<int32_t> by_tile_;  // indices of stays, by tile, then by `in`
  std::vector<Snapshot> snapshots_;
  std::vector<int64_t> read_, written_;  // [steps + 1], cumulative
  std::vector<bool> hit_;                // [steps]
};

}  // namespace tilewalk
