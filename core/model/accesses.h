// What one step moves between the multiprocessors and L2, tile by tile.
#pragma once

#include "core/machine/cost.h"
#include "core/model/tile_numbers.h"
#include "core/schedules/schedule.h"

#include <cstdint>

namespace tilewalk {

// One tile read from L2 or written to it.
struct Access {
  int64_t tile;  // number within the head
  int32_t bytes;
  bool store;
  bool adds;  // a store that needs the old value: an atomic add
};

// Calls visit(access) for every tile that a step moves.
template <class Visit>
void each_access(const Step& step, const Plan& plan, const TileNumbers& numbers, Visit&& visit) {
  for (Tensor tensor : moved_tensors(step.kind)) {
    if (tensor == kNoTensor) continue;
    const int64_t bytes = shape_of(tensor, step.i, step.j, plan.tiling).elements() * memory_bytes(tensor, step, plan);
    visit(Access{numbers.of(tensor, step), int32_t(bytes), info_of(step.kind).engine == Engine::Store,
                 step.kind == StepKind::AddDQ});
  }
}

}  // namespace tilewalk
