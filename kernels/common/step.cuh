// The STEP heading: names a step of the vocabulary (core/machine/step.h) in a kernel's source. In the traced build it
// also stamps the multiprocessor's clock when the step begins and when it ends; otherwise it compiles to nothing.
//
//   STEP(RowMax, j) { ... }        a step on K/V tile j (of the naive kernel: on key j), done when the block is
//   STEP_BEGIN(Score, j) { ... }   a step that the block only starts, such as an asynchronous matrix product;
//   STEP_END(Score, j);            it is done here, after the wait for it
//   STEP(Wait, j) { ... }          no step: the warps stand still until tile j is there, nobody reads what was in its
//                                  place, or it is their turn
//   TRACED { ... }                 code of the traced build alone
//
// They need two names in scope: `kTraced`, a template argument of the kernel, and `trace`, the Tracer<kTraced> of its
// lane. With TILEWALK_NO_TRACE the headings are taken out before the compiler sees them; a test holds the untraced
// kernels' machine code against that.
#pragma once

#include "core/machine/step.h"
#include "kernels/forward.h"

#include <cstdint>

namespace tilewalk::gpu {

// What a traced launch gets; an untraced one gets nothing.
template <bool kTraced>
struct TraceArgs {};
template <>
struct TraceArgs<true> {
  Trace to;
};

// Stamps of one lane. A lane is a warp or a warpgroup; one thread of it writes, to a row of its own in global memory.
template <bool kTraced>
struct Tracer {
  __device__ Tracer(const TraceArgs<false>&, int /*lane*/, bool /*elected*/) {}
  __device__ void stamp(uint16_t, bool, int) {}
  __device__ void finish() {}
};

template <>
struct Tracer<true> {
  TraceRecord* first = nullptr;  // [capacity], nullptr in threads that do not write
  int* count = nullptr;
  int written = 0, capacity = 0;

  __device__ Tracer(const TraceArgs<true>& args, int lane, bool elected) {
    const int block = blockIdx.x + gridDim.x * blockIdx.y;
    if (!elected || block != args.to.block || !args.to.records) return;
    first = args.to.records + size_t(lane) * args.to.capacity;
    count = args.to.counts + lane;
    capacity = args.to.capacity;
  }
  // A full row keeps its first records: the beginning of a run is what gets drawn.
  __device__ __forceinline__ void stamp(uint16_t step, bool end, int tile) {
    if (!first || written == capacity) return;
    int64_t clock;
    // Volatile with a memory clobber: it stays behind the wait above it and before the work below it.
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
    first[written++] = {clock, step, uint16_t(end), tile};
  }
  __device__ void finish() {
    if (first) *count = written;
  }
};

// A step's code in a record: by its name in the vocabulary, or Wait.
namespace code {
using enum StepKind;
constexpr uint16_t Wait = kWait;
}  // namespace code
__device__ constexpr uint16_t code_of(StepKind step) { return uint16_t(step); }
__device__ constexpr uint16_t code_of(uint16_t step) { return step; }

template <bool kTraced>
struct StepScope {
  Tracer<kTraced>& trace;
  uint16_t step;
  int tile;
  __device__ __forceinline__ StepScope(Tracer<kTraced>& trace, uint16_t step, int tile)
      : trace(trace), step(step), tile(tile) {
    trace.stamp(step, false, tile);
  }
  __device__ __forceinline__ ~StepScope() { trace.stamp(step, true, tile); }
};
template <>
struct StepScope<false> {
  __device__ __forceinline__ StepScope(Tracer<false>&, uint16_t, int) {}
};

}  // namespace tilewalk::gpu

#ifdef TILEWALK_NO_TRACE
#define STEP(step, tile)
#define STEP_BEGIN(step, tile)
#define STEP_END(step, tile) \
  do {                       \
  } while (0)
#define TRACED if constexpr (false)
#else
#define STEP(step, tile)                                                       \
  if (const ::tilewalk::gpu::StepScope<kTraced> step_scope(                    \
          trace, ::tilewalk::gpu::code_of(::tilewalk::gpu::code::step), tile); \
      true)
#define STEP_BEGIN(step, tile) \
  if (trace.stamp(::tilewalk::gpu::code_of(::tilewalk::gpu::code::step), false, tile); true)
#define STEP_END(step, tile) trace.stamp(::tilewalk::gpu::code_of(::tilewalk::gpu::code::step), true, tile)
#define TRACED if constexpr (kTraced)
#endif
