#include "kernels/cupti_library.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

namespace tilewalk::gpu {
namespace {

// By the loader's own path first, then where the toolkit puts it.
void* open_library() {
  const std::string name = fmt::format("libcupti.so.{}", CUDART_VERSION / 1000);
  std::vector<std::string> places{name};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) {
      places.push_back(fmt::format("{}/lib64/{}", home, name));
      places.push_back(fmt::format("{}/extras/CUPTI/lib64/{}", home, name));
    }
  const std::string versioned = fmt::format("/usr/local/cuda-{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  for (const std::string& home : {std::string("/usr/local/cuda"), versioned}) {
    places.push_back(fmt::format("{}/lib64/{}", home, name));
    places.push_back(fmt::format("{}/extras/CUPTI/lib64/{}", home, name));
  }
  for (const std::string& place : places)
    if (void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  return nullptr;
}

}  // namespace

std::string CuptiLibrary::open() {
  void* handle = open_library();
  if (!handle)
    return fmt::format(
        "Hardware counters need NVIDIA's CUPTI, and libcupti.so.{} was not found; install the CUDA toolkit {} or add "
        "its library folder to LD_LIBRARY_PATH.",
        CUDART_VERSION / 1000, CUDART_VERSION / 1000);
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function) missing = name;
  };
#define TILEWALK_FIND(name) find(name, #name)
  TILEWALK_FIND(cuptiProfilerInitialize);
  TILEWALK_FIND(cuptiProfilerDeviceSupported);
  TILEWALK_FIND(cuptiProfilerGetCounterAvailability);
  TILEWALK_FIND(cuptiDeviceGetChipName);
  TILEWALK_FIND(cuptiProfilerHostInitialize);
  TILEWALK_FIND(cuptiProfilerHostDeinitialize);
  TILEWALK_FIND(cuptiProfilerHostConfigAddMetrics);
  TILEWALK_FIND(cuptiProfilerHostGetConfigImageSize);
  TILEWALK_FIND(cuptiProfilerHostGetConfigImage);
  TILEWALK_FIND(cuptiProfilerHostGetNumOfPasses);
  TILEWALK_FIND(cuptiProfilerHostEvaluateToGpuValues);
  TILEWALK_FIND(cuptiRangeProfilerEnable);
  TILEWALK_FIND(cuptiRangeProfilerDisable);
  TILEWALK_FIND(cuptiRangeProfilerGetCounterDataSize);
  TILEWALK_FIND(cuptiRangeProfilerCounterDataImageInitialize);
  TILEWALK_FIND(cuptiRangeProfilerSetConfig);
  TILEWALK_FIND(cuptiRangeProfilerStart);
  TILEWALK_FIND(cuptiRangeProfilerStop);
  TILEWALK_FIND(cuptiRangeProfilerPushRange);
  TILEWALK_FIND(cuptiRangeProfilerPopRange);
  TILEWALK_FIND(cuptiRangeProfilerDecodeData);
#undef TILEWALK_FIND
  if (missing)
    return fmt::format("Hardware counters need CUPTI of CUDA 12.6 or newer; the one found here has no {}.", missing);
  return "";
}

std::string cupti_words(const char* call, CUptiResult result) {
  switch (int(result)) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "Reading hardware counters needs a permission: run as root, or have the administrator set the driver "
             "option NVreg_RestrictProfilingToAdminUsers=0 and restart (error 35).";
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "The hardware counters are taken by another profiler (error 26); end it (ncu, nsys, DCGM) and run again.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return fmt::format(
          "This virtual GPU does not give its guests hardware counters (error {}); the host's "
          "administrator can enable profiling for the virtual machine.",
          int(result));
    case CUPTI_ERROR_NOT_COMPATIBLE:
    case CUPTI_ERROR_NOT_SUPPORTED:
      return fmt::format("CUPTI does not support this GPU or this driver ({} returned {}).", call, int(result));
    default: return fmt::format("Hardware counters cannot be read: {} returned {}.", call, int(result));
  }
}

}  // namespace tilewalk::gpu
