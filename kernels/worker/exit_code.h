// What the process leaves with.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace tilewalk::gpu {

enum ExitCode {
  kOk = 0,
  kFailure = 1,
  kUsage = 2,
  kNoGpu = 3,        // one is needed and there is none
  kUnreadable = 4,   // a file
  kContextLost = 5,  // a fault on the GPU took the process's context with it: start a new worker
};

// Says on standard error what ended a command, in one sentence, and gives the code back.
inline int fail(std::string_view command, ExitCode code, const std::string& what) {
  fmt::print(stderr, "tilewalk-gpu {}: {}\n", command, what);
  return code;
}

}  // namespace tilewalk::gpu
