// What the host may ask of a kernel, as functions: forward.cpp keeps one such table for each Method. Missing where a
// kernel has nothing to say.
#pragma once

#include "kernels/forward.h"
#include "core/kernel/switches.h"

namespace tilewalk::gpu {

// Each is kernels/forward.h's function of that name, for one kernel.
struct Calls {
  bool (*prepare)(const Forward&, const char** why) = nullptr;
  cudaError_t (*launch)(const Forward&, cudaStream_t) = nullptr;
  cudaError_t (*launch_traced)(const Forward&, const Trace&, cudaStream_t) = nullptr;
  cudaError_t (*resident_blocks)(const Forward&, int* blocks) = nullptr;
  size_t (*workspace_bytes)(const Forward&) = nullptr;
  cudaError_t (*make_ready)(const Request&, cudaStream_t) = nullptr;
};

extern const Calls kStandardCalls, kNaiveCalls, kTiledCalls, kFa1Calls, kFa1PaperCalls, kFa1SmallCalls, kFa2Calls,
    kFa2SmallCalls, kFa3Calls;

// Of a kernel with a switch: defined in the build of its file with that switch.
template <Method, Switch>
struct Switched {
  static const Calls calls;
};

// The head of a definition: the kernel's calls, or those with the switch that its file is built with.
#ifdef TILEWALK_SWITCH
#define TILEWALK_CALLS(kernel, name) \
  template <>                        \
  const Calls Switched<kernel, kSwitch>::calls
#else
#define TILEWALK_CALLS(kernel, name) extern const Calls name
#endif

}  // namespace tilewalk::gpu
