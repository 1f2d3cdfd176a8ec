// What a ring was recorded to take, beside the ring board's picture: a bar for each way to let K and V travel, or to
// share the tokens out, the part that the transfer adds in the colour of K.
#pragma once

#include "app/boards/board.h"
#include "core/run/ring_run.h"

#include <string>
#include <vector>

namespace tilewalk {

struct RecordedRing {
  std::string id, label;  // "hidden_nccl", "NCCL"
  const RingResult* ring;
};
// Those of as many devices and tokens under that mask; none where nothing was recorded.
std::vector<RecordedRing> recorded_rings(int64_t devices, int64_t tokens, Mask mask);
std::vector<Reading> readings_of(const std::vector<RecordedRing>& rings);

float recorded_ring_height(const BoardView& view, const std::vector<RecordedRing>& rings);
void layout_recorded_rings(const BoardView& view, Rect area, const std::vector<RecordedRing>& rings);

}  // namespace tilewalk
