// Kernels beside the ladder (core/run/method_run.h) on one GPU: inputs made, the answer checked against float64, then
// timed, and its bytes counted over launches of their own.
#pragma once

#include "core/run/method_run.h"
#include "kernels/forward.h"
#include "kernels/traffic.h"
#include "kernels/worker/buffer.h"
#include "kernels/worker/device.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/timing.h"

#include "core/attention/fp8_tiles.h"

#include <functional>

namespace tilewalk::gpu {

class MethodMeter {
 public:
  explicit MethodMeter(const Gpu& gpu);
  ~MethodMeter();
  MethodMeter(const MethodMeter&) = delete;

  // `warm`: L2 stays as the launch before left it; else it is emptied before each. Throws Refused and CudaError.
  MethodResult measure(const MethodSpec& spec, bool warm = false);
  // byte/s of DRAM read alone, as `tilewalk-gpu ceilings` measures it.
  double roof();

 private:
  // A request, and what is done with it.
  struct Run {
    Request request{};
    std::function<cudaError_t()> launch{};
    std::function<Errors()> judge{};  // after a launch
  };
  Request inputs_of(const MethodSpec& spec);
  Run split_kv(MethodSpec& spec, MethodResult& result);
  Run fp8(const MethodSpec& spec, MethodResult& result);
  Run grouped(const MethodSpec& spec, MethodResult& result);
  void take_rounding_cost(const Run& run, MethodResult& result);

  const Gpu& gpu_;
  Nvml nvml_;
  Traffic traffic_;
  L2Flush flush_;
  cudaStream_t stream_ = nullptr;
  Buffer q_, k_, v_, o_, lse_, workspace_, gaps_;
};

// "fa3-fp8, H 16, N 4096, d 128, causal, a scale for each tile"; "split-kv, H 32 over 8, N 131072, d 128, 29 splits".
std::string method_title(const MethodSpec& spec);
// Time, rate, errors and bytes in one line.
std::string method_line(const MethodResult& result);

// What `record` measures: "decode", "fp8", "groups"; empty for any other name.
std::vector<MethodSpec> method_set(std::string_view name);

}  // namespace tilewalk::gpu
