#include "kernels/worker/device.h"

#include "kernels/forward.h"
#include "kernels/worker/fault.h"
#include "kernels/worker/nvml.h"

#include <dlfcn.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

namespace tilewalk::gpu {
namespace {

// CUDA's error codes that tell one trouble from the next.
constexpr int kDriverTooOld = 35, kStubLibrary = 34, kDriverUnavailable = 36, kNoDevice = 100, kMismatch = 803;

std::string visible_devices() {
  const char* value = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!value) return "";
  return fmt::format(" CUDA_VISIBLE_DEVICES is \"{}\"; unset it, or name a GPU that nvidia-smi lists.", value);
}

Found trouble_of(int error, int driver) {
  const std::string built = version_words(CUDART_VERSION);
  switch (error) {
    case kNoDevice:
      return {GpuTrouble::NoDevice,
              "The NVIDIA driver is installed, but it offers no GPU." + visible_devices(),
              driver,
              {}};
    case kDriverTooOld:
    case kDriverUnavailable:
    case kMismatch:
    case kStubLibrary:
      return {
          GpuTrouble::DriverTooOld,
          fmt::format("The NVIDIA driver supports CUDA {}, and this program needs {} (error {}: {}). Install a newer "
                      "driver; after an update, restart the machine.",
                      version_words(driver), built, error, cudaGetErrorString(cudaError_t(error))),
          driver,
          {}};
    default:
      return {GpuTrouble::Other,
              fmt::format("CUDA cannot start: {} (error {}). nvidia-smi says more.",
                          cudaGetErrorString(cudaError_t(error)), error),
              driver,
              {}};
  }
}

Gpu gpu_of(int index, int driver) {
  cudaDeviceProp prop{};
  check(cudaGetDeviceProperties(&prop, index), "Asking for the GPU's properties");
  char pci[32] = "";
  check(cudaDeviceGetPCIBusId(pci, sizeof pci, index), "Asking for the GPU's bus address");
  Provenance p;
  p.gpu = prop.name;
  p.major = prop.major;
  p.minor = prop.minor;
  p.multiprocessors = prop.multiProcessorCount;
  p.memory_bytes = int64_t(prop.totalGlobalMem);
  p.l2_bytes = prop.l2CacheSize;
  p.driver = driver;
  p.driver_version = Nvml::driver_version();
  p.cuda = CUDART_VERSION;
  p.program = TILEWALK_VERSION;
  return {p, pci};
}

}  // namespace

std::string version_words(int version) {
  return version ? fmt::format("{}.{}", version / 1000, version % 1000 / 10) : "none";
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

Found find_gpus() {
  void* driver_library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  int driver = 0;
  if (driver_library) {
    cudaDriverGetVersion(&driver);
    dlclose(driver_library);
  }
  if (!driver)
    return {GpuTrouble::NoDriver,
            driver_library ? "No NVIDIA driver runs here: libcuda.so.1 is there, but it reports version 0."
                           : "No NVIDIA driver is installed here: libcuda.so.1 was not found.",
            0,
            {}};
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (error != cudaSuccess) return trouble_of(int(error), driver);
  if (count == 0) return trouble_of(kNoDevice, driver);
  Found found;
  found.driver = driver;
  try {
    for (int index = 0; index < count; ++index) found.gpus.push_back(gpu_of(index, driver));
    use_first_gpu();
  } catch (const CudaError& fault) {
    return {GpuTrouble::Other, fmt::format("{}. nvidia-smi says more.", fault.what()), driver, {}};
  }
  return found;
}

void use_first_gpu() {
  // Waiting sleeps: the window and the lesson need the processor.
  check(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "Starting CUDA");
  check(cudaSetDevice(0), "Starting CUDA");
  check(cudaFree(nullptr), "Starting CUDA");
}

std::string capability_fault(Method kernel, const Provenance& gpu) {
  const MethodInfo& info = info_of(kernel);
  const int have = gpu.major * 10 + gpu.minor, need = info.kernel.least_cc;
  if (have >= need && have <= info.kernel.most_cc) return "";
  return info.kernel.most_cc == need ? fmt::format("{} runs on compute capability {}.{} alone; this GPU has {}.{}.",
                                                   info.kernel_name(), need / 10, need % 10, gpu.major, gpu.minor)
                                     : fmt::format("{} needs compute capability {}.{}; this GPU has {}.{}.",
                                                   info.kernel_name(), need / 10, need % 10, gpu.major, gpu.minor);
}

std::vector<KernelOffer> offers(const Provenance& gpu) {
  std::vector<KernelOffer> out;
  for (const MethodInfo& info : all_kernels()) {
    KernelOffer offer{info.id, capability_fault(info.id, gpu)};
    const char* why = "";
    if (offer.unavailable.empty() && !prepare(info.id, Forward{.d = 128}, &why)) offer.unavailable = why;
    out.push_back(std::move(offer));
  }
  return out;
}

}  // namespace tilewalk::gpu
