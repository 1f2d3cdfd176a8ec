// Which kernel answers for which id. Each kernel's file has the functions of forward.h under its own name.
#include "kernels/forward.h"

#include "kernels/fa1.h"
#include "kernels/fa2.h"
#include "kernels/fa2_backward.h"
#include "kernels/fa3.h"
#include "kernels/standard.h"
#include "kernels/standard_backward.h"

namespace tilewalk::gpu {

using enum KernelId;

size_t workspace_bytes(KernelId kernel, const Forward& f) {
  switch (kernel) {
    case Standard: return workspace_bytes_standard(f);
    case Fa1:
    case Fa1Paper:
    case Fa1Small: return workspace_bytes_fa1(kernel, f);
    case Fa2:
    case Fa2Small: return 0;
    case Fa3: return workspace_bytes_fa3(f);
    case StandardBackward: return workspace_bytes_standard_backward(f);
    case Fa2Backward: return workspace_bytes_fa2_backward(f);
    case Fa1First: break;
  }
  return 0;
}

cudaError_t resident_blocks(KernelId kernel, const Forward& f, int* blocks) {
  *blocks = 0;
  switch (kernel) {
    case Fa1:
    case Fa1Paper: return resident_blocks_fa1(kernel, f, blocks);
    case Fa2: return resident_blocks_fa2(f, blocks);
    case Fa3: return resident_blocks_fa3(f, blocks);
    case Fa2Backward: return resident_blocks_fa2_backward(f, blocks);
    default: return cudaSuccess;
  }
}

bool prepare(KernelId kernel, const Forward& f, const char** why) {
  switch (kernel) {
    case Standard: return prepare_standard(f, why);
    case Fa1:
    case Fa1Paper:
    case Fa1Small: return prepare_fa1(kernel, f, why);
    case Fa2:
    case Fa2Small: return prepare_fa2(kernel, f, why);
    case Fa3: return prepare_fa3(f, why);
    case StandardBackward: return prepare_standard_backward(f, why);
    case Fa2Backward: return prepare_fa2_backward(f, why);
    case Fa1First: *why = "This kernel is retired."; break;
  }
  return false;
}

cudaError_t keep_forward(KernelId kernel, const Request& request, cudaStream_t stream) {
  return kernel == StandardBackward ? keep_forward_standard_backward(request, stream) : cudaSuccess;
}

cudaError_t launch(KernelId kernel, const Forward& f, cudaStream_t stream) {
  switch (kernel) {
    case Standard: return launch_standard(f, stream);
    case Fa1:
    case Fa1Paper:
    case Fa1Small: return launch_fa1(kernel, f, stream);
    case Fa2:
    case Fa2Small: return launch_fa2(kernel, f, stream);
    case Fa3: return launch_fa3(f, stream);
    case StandardBackward: return launch_standard_backward(f, stream);
    case Fa2Backward: return launch_fa2_backward(f, stream);
    case Fa1First: break;
  }
  return cudaErrorNotSupported;
}

cudaError_t launch_traced(KernelId kernel, const Forward& f, const Trace& trace, cudaStream_t stream) {
  switch (kernel) {
    case Standard: return cudaErrorNotSupported;  // no K/V tiles: cuBLAS cuts S in its own way
    case StandardBackward:
    case Fa2Backward: return cudaErrorNotSupported;
    case Fa1:
    case Fa1Paper:
    case Fa1Small: return launch_traced_fa1(kernel, f, trace, stream);
    case Fa2:
    case Fa2Small: return launch_traced_fa2(kernel, f, trace, stream);
    case Fa3: return launch_traced_fa3(f, trace, stream);
    case Fa1First: break;
  }
  return cudaErrorNotSupported;
}

int lanes_of(KernelId kernel, int d) {
  switch (kernel) {
    case Standard:
    case StandardBackward:
    case Fa2Backward: return 0;
    case Fa1:
    case Fa1Paper:
    case Fa1Small:
    case Fa2:
    case Fa2Small: return kernel_shape(kernel, d).warps;
    case Fa3: return lanes_of_fa3(d);
    case Fa1First: break;
  }
  return 0;
}

const char* lane_name(KernelId kernel, int lane) {
  constexpr const char* kWarps[kMostLanes] = {"warp 1", "warp 2", "warp 3", "warp 4",
                                              "warp 5", "warp 6", "warp 7", "warp 8"};
  if (kernel == Fa3) return lane_name_fa3(lane);
  return lane >= 0 && lane < kMostLanes ? kWarps[lane] : "";
}

}  // namespace tilewalk::gpu
