// What the commands that measure have in common: the first GPU, and words for what goes wrong on it.
#pragma once

#include "kernels/worker/exit_code.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/request_check.h"
#include "kernels/worker/runner.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace tilewalk::gpu {

inline const RunHooks kQuiet{[](const Answer&, RunStage, int, int) {}, [](const KernelResult&) {},
                             [] { return false; }};

inline int fail(std::string_view command, int code, const std::string& what) {
  fmt::print(stderr, "tilewalk-gpu {}: {}\n", command, what);
  return code;
}

// Runs `use` with a Runner on the first GPU; the exit code. `hint` follows the reason where there is none.
template <class Use>
int on_gpu(std::string_view command, Use use, std::string_view hint = {}) {
  const Found found = find_gpus();
  if (found.trouble != GpuTrouble::None) return fail(command, kNoGpu, found.reason + std::string(hint));
  try {
    Runner runner(found.gpus.front());
    return use(runner);
  } catch (const Refused& refused) {
    return fail(command, refused.failure.code == "problem" ? kUsage : kFailure, refused.what());
  } catch (const CudaError& fault) {
    return fail(command, kFailure, std::string(fault.what()) + ".");
  }
}

// The same for one run, after its request was found to be one.
template <class Use>
int on_gpu(std::string_view command, const RunSpec& spec, Use use, std::string_view hint = {}) {
  try {
    check_request(spec);
  } catch (const Refused& refused) {
    return fail(command, kUsage, refused.what());
  }
  return on_gpu(command, use, hint);
}

}  // namespace tilewalk::gpu
