// The model's view of a kernel that was run: the work of its method, and of those beside the ladder what differs from
// it.
//
//   FA3 in FP8: FA3's schedule on numbers of half the size; the tensor cores' rate is that of e4m3, or twice that of 16
//     bits where only this was measured. Exponentials and fp32 operations are the same.
//   Split-KV: FA2 with the queries of a group as rows of one Q tile, K and V cut into splits; DRAM's rate is that of
//     reading alone, where it was measured.
#pragma once

#include "core/roofline/roofs.h"
#include "core/roofline/work.h"
#include "core/run/run.h"

namespace tilewalk {

// `method` is method_of(kernel) (core/roofline/rest.h).
Work work_of_kernel(const KernelResult& kernel, const RunSpec& spec, Method method, int sms, KernelVersion version);
Roofs roofs_for(const KernelResult& kernel, const Roofs& roofs);

}  // namespace tilewalk
