// The host side of a kernel, once for the rungs whose kernel takes (Forward, Order, TraceArgs): which instance solves a
// problem, its shared memory, its launch. A rung says what is its own:
//
//   struct Fa2 {
//     static constexpr Method kId;
//     static constexpr bool kCanTrace;                                   whether there is a traced instance
//     template <class T, int D, bool kTraced> static auto kernel();      the instance
//     static int shared_bytes(KernelShape shape, int d);                 dynamic shared memory of a block
//     static cudaError_t order(const Forward&, KernelShape, Order&);     which block takes what
//     static int64_t blocks(const Forward&, const Order&);
//     static size_t workspace_bytes(const Forward&);                     only where it needs one
//   };
#pragma once

#include "kernels/common/built_switch.h"
#include "kernels/common/calls.h"
#include "kernels/common/step.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu {

// Of the device in use.
inline cudaError_t count_multiprocessors(int& count) {
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}

template <class Rung, class T, bool kTraced, class Use>
cudaError_t with_width(const Forward& f, Use use) {
  const KernelShape shape = switched_shape(Rung::kId, f.d, kSwitch);
  if (f.d == 64) return use(Rung::template kernel<T, 64, kTraced>(), shape);
  if (f.d == 128) return use(Rung::template kernel<T, 128, kTraced>(), shape);
  if constexpr (takes_any_width(Rung::kId) && kSwitch == Switch::None) {
    if (f.d == 96) return use(Rung::template kernel<T, 96, kTraced>(), shape);
    if (f.d == 256) return use(Rung::template kernel<T, 256, kTraced>(), shape);
  }
  return cudaErrorInvalidValue;
}

// Calls `use` with the instance for this problem, and its shape. With a switch: those of fp16, untraced.
template <class Rung, bool kTraced, class Use>
cudaError_t with_instance(const Forward& f, Use use) {
  if (f.element == Element::Half) return with_width<Rung, __half, kTraced>(f, use);
  if constexpr (kSwitch == Switch::None) return with_width<Rung, __nv_bfloat16, kTraced>(f, use);
  return cudaErrorNotSupported;
}

template <class Rung, bool kTraced>
cudaError_t launch_rung(const Forward& f, const TraceArgs<kTraced>& args, cudaStream_t stream) {
  return with_instance<Rung, kTraced>(f, [&](auto kernel, KernelShape shape) {
    typename Rung::Order order;
    if (const cudaError_t error = Rung::order(f, shape, order)) return error;
    kernel<<<unsigned(Rung::blocks(f, order)), shape.warps * 32, Rung::shared_bytes(shape, f.d), stream>>>(f, order,
                                                                                                           args);
    return cudaGetLastError();
  });
}

template <class Rung>
constexpr bool kTraces = Rung::kCanTrace&& kSwitch == Switch::None;

template <class Rung>
bool prepare_rung(const Forward& f, const char** why) {
  const auto allow = [&](auto kernel, KernelShape shape) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Rung::shared_bytes(shape, f.d));
  };
  cudaError_t error = with_instance<Rung, false>(f, allow);
  if constexpr (kTraces<Rung>)
    if (!error) error = with_instance<Rung, true>(f, allow);
  if (error) *why = cudaGetErrorString(error);
  return error == cudaSuccess;
}

template <class Rung>
cudaError_t resident_blocks_of_rung(const Forward& f, int* blocks) {
  return with_instance<Rung, false>(f, [&](auto kernel, KernelShape shape) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, shape.warps * 32,
                                                         Rung::shared_bytes(shape, f.d));
  });
}

template <class Rung>
cudaError_t launch_plain_rung(const Forward& f, cudaStream_t stream) {
  return launch_rung<Rung, false>(f, {}, stream);
}
template <class Rung>
cudaError_t launch_traced_rung(const Forward& f, const Trace& trace, cudaStream_t stream) {
  return launch_rung<Rung, true>(f, {trace}, stream);
}

template <class Rung>
constexpr Calls calls_of_rung() {
  Calls calls{.prepare = prepare_rung<Rung>,
              .launch = launch_plain_rung<Rung>,
              .resident_blocks = resident_blocks_of_rung<Rung>};
  if constexpr (kTraces<Rung>) calls.launch_traced = launch_traced_rung<Rung>;
  if constexpr (requires { &Rung::workspace_bytes; }) calls.workspace_bytes = Rung::workspace_bytes;
  return calls;
}

}  // namespace tilewalk::gpu
