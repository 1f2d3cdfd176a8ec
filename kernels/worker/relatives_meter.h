// Sparse, latent and differential attention on one GPU: checked against float64, timed, counted.
#pragma once

#include "core/run/relative_run.h"
#include "kernels/traffic.h"
#include "kernels/worker/device.h"
#include "kernels/worker/l2_probe.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/timing.h"

#include <memory>

namespace tilewalk::gpu {

class RelativeMeter {
 public:
  explicit RelativeMeter(Gpu gpu);
  ~RelativeMeter();
  RelativeMeter(const RelativeMeter&) = delete;

  const Gpu& gpu() const { return gpu_; }
  double busy() const { return nvml_.busy(); }
  // Throws Refused, and CudaError where the GPU failed. `splits` of the spec 0: as many as fill the GPU.
  RelativeResult measure(RelativeSpec spec);
  // Two launches on poisoned outputs, a margin behind each of them; every row compared. Empty, or what is wrong.
  std::string fault(RelativeSpec spec, Errors& worst);

 private:
  struct Job;
  void make(const RelativeSpec& spec, Job& job);
  Errors judge(Job& job, int64_t most_rows);

  Gpu gpu_;
  Nvml nvml_;
  cudaStream_t stream_ = nullptr;
  L2Flush flush_;
  std::unique_ptr<Traffic> traffic_;
  std::optional<L2Found> l2_;  // once something was counted
};

}  // namespace tilewalk::gpu
