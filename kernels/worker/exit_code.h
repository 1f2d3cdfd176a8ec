// What the process leaves with.
#pragma once

namespace tilewalk::gpu {

enum ExitCode {
  kOk = 0,
  kFailure = 1,
  kUsage = 2,
  kNoGpu = 3,        // one is needed and there is none
  kUnreadable = 4,   // a file
  kContextLost = 5,  // a fault on the GPU took the process's context with it: start a new worker
};

}  // namespace tilewalk::gpu
