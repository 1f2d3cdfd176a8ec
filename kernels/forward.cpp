// Which kernel answers for which id. Each kernel's file has the functions of forward.h under its own name.
#include "kernels/forward.h"

#include "kernels/fa3.h"

namespace tilewalk::gpu {

size_t workspace_bytes(KernelId kernel, const Forward& f) {
  switch (kernel) {
    case KernelId::Fa3: return workspace_bytes_fa3(f);
    default: return 0;
  }
}

bool prepare(KernelId kernel, const Forward& f, const char** why) {
  switch (kernel) {
    case KernelId::Fa3: return prepare_fa3(f, why);
    default: return *why = "This program was built without that kernel.", false;
  }
}

cudaError_t launch(KernelId kernel, const Forward& f, cudaStream_t stream) {
  switch (kernel) {
    case KernelId::Fa3: return launch_fa3(f, stream);
    default: return cudaErrorNotSupported;
  }
}

cudaError_t launch_traced(KernelId kernel, const Forward& f, const Trace& trace, cudaStream_t stream) {
  switch (kernel) {
    case KernelId::Fa3: return launch_traced_fa3(f, trace, stream);
    default: return cudaErrorNotSupported;
  }
}

int lanes_of(KernelId kernel, int d) {
  switch (kernel) {
    case KernelId::Fa3: return lanes_of_fa3(d);
    default: return 0;
  }
}

const char* lane_name(KernelId kernel, int lane) {
  switch (kernel) {
    case KernelId::Fa3: return lane_name_fa3(lane);
    default: return "";
  }
}

}  // namespace tilewalk::gpu
