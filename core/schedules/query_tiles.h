// What FA2 and FA3 have in common as programs: a section for each Q tile, walked over its K/V tiles, and the same
// freedom of the kernel.
#pragma once

#include "core/schedules/schedule.h"

namespace tilewalk::query_tiles {

inline Variant variant(VariantId id, const Problem& p) {
  Variant v{.o_between_visits = p.format};
  v.last_to_first = id == VariantId::Kernel;
  return v;
}

inline int64_t sections(const Plan& plan) { return plan.tiling.tr; }

inline uint64_t shape(const Plan& plan, int64_t i) {
  return plan.tiling.causal ? uint64_t(i) : uint64_t(plan.tiling.rows(i));
}

}  // namespace tilewalk::query_tiles
