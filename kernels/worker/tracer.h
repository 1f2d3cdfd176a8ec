// A run of a kernel's traced build: m and l after every K/V tile, and who did what when in one thread block.
#pragma once

#include "core/run/run.h"
#include "kernels/forward.h"
#include "kernels/worker/buffer.h"

namespace tilewalk::gpu {

// False for standard attention, which has no tiles to trace.
bool can_trace(Method kernel);

// Makes NaN of what was traced of other rows; without `rows` all stay.
void keep_rows(RowStatistics& statistics, const std::vector<int64_t>& rows);

// Throws CudaError. Waits until the stream is done.
KernelTrace traced_run(Method kernel, const Forward& forward, int64_t head, int multiprocessors, cudaStream_t stream);

}  // namespace tilewalk::gpu
