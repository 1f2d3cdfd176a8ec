// Carries out one request on the GPU: inputs, then each kernel in turn, checked before it is timed.
#pragma once

#include "kernels/traffic.h"
#include "kernels/worker/checker.h"
#include "kernels/worker/device.h"
#include "kernels/worker/device_inputs.h"
#include "kernels/worker/gradient_checker.h"
#include "kernels/worker/l2_probe.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/program_meter.h"
#include "kernels/worker/timing.h"

#include <chrono>
#include <functional>
#include <memory>

namespace tilewalk::gpu {

struct RunHooks {
  std::function<void(const Answer&, RunStage, int done, int of)> progress;
  std::function<void(const KernelResult&)> partial;  // a kernel is ready
  std::function<bool()> cancelled;                   // asked between launches
};
struct Ran {
  RunResult result;  // the kernels that are ready
  bool cancelled = false;
};

class Runner {
 public:
  explicit Runner(Gpu gpu);
  ~Runner();
  Runner(const Runner&) = delete;

  // Throws Refused, and CudaError where the GPU itself failed.
  Ran run(const RunSpec& spec, bool anyway, const RunHooks& hooks);

  // The GPU's own roofs, those that are ready where it was cancelled. `ready` hears of each. Throws like run().
  Ceilings ceilings(bool anyway, const std::function<void(const Ceiling&, int done, int of)>& ready,
                    const std::function<bool()>& cancelled);

  // A program of core/walk. Throws like run().
  ProgramRun run_program(const ProgramSpec& spec, bool anyway, const GoOn& go_on);

  const Gpu& gpu() const { return gpu_; }
  double busy() const { return nvml_.busy(); }
  Traffic& traffic();  // opened when it is first asked for
  std::optional<L2Found> probe_l2(std::string& fault);
  double dram_read();  // byte/s of DRAM read alone, measured now; 0: not known
  static int64_t memory_free();

 private:
  std::string shared_with(bool anyway, bool lock_held) const;
  std::vector<std::string> refusals(const RunSpec& spec) const;
  void make_inputs(const RunSpec& spec, int64_t width);
  void prepare_run(const RunSpec& spec, Method first);
  void release();
  size_t held() const;
  KernelResult run_kernel(const Answer& asked, const RunSpec& spec, const RunHooks& hooks, bool& cancelled);
  Request filled_request(const RunSpec& spec, Method kernel);
  bool prepare_backward(const RunSpec& spec, Request& request, KernelResult& result);
  void measure(Method kernel, const RunSpec& spec, const RunHooks& hooks, KernelResult& result, bool& cancelled);
  void poison(Method kernel, const Request& request) const;
  Errors judge(Method kernel, const RunSpec& spec, const Request& request) const;
  void count(Method kernel, const Request& request, const RunHooks& hooks, KernelResult& result, bool& cancelled);
  void take_outputs(const RunSpec& spec, int64_t pitch, KernelResult& result) const;

  Gpu gpu_;
  Nvml nvml_;
  cudaStream_t stream_ = nullptr;
  DeviceInputs inputs_;
  Checker checker_;
  GradientChecker gradient_checker_;
  Buffer o_, lse_, workspace_;
  Buffer d_o_, dq_, dk_, dv_;  // of the backward kernels
  L2Flush flush_;
  Switch with_ = Switch::None;  // of the kernel that is being run
  std::unique_ptr<Traffic> traffic_;
  std::chrono::steady_clock::time_point last_work_{};
};

}  // namespace tilewalk::gpu
