// The few calls that are used, with the types of nvml.h, which not every CUDA toolkit brings.
#include "kernels/worker/nvml.h"

#include <dlfcn.h>

#include <fstream>
#include <regex>

namespace tilewalk::gpu {

struct Nvml::Library {
  using Device = void*;
  struct Utilization {
    unsigned gpu, memory;  // percent
  };
  static constexpr int kSmClock = 1;

  void* handle = nullptr;
  Device device = nullptr;
  int (*shutdown)() = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }

  explicit Library(const std::string& pci) {
    handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    int (*init)() = nullptr;
    int (*by_pci)(const char*, Device*) = nullptr;
    if (!find(init, "nvmlInit_v2") || !find(by_pci, "nvmlDeviceGetHandleByPciBusId_v2") ||
        !find(shutdown, "nvmlShutdown") || !find(utilization, "nvmlDeviceGetUtilizationRates") ||
        !find(clock, "nvmlDeviceGetClockInfo") || init() != 0) {
      shutdown = nullptr;
      return;
    }
    if (by_pci(pci.c_str(), &device) != 0) device = nullptr;
  }
  ~Library() {
    if (shutdown) shutdown();
    if (handle) dlclose(handle);
  }
};

Nvml::Nvml(const std::string& pci) : library_(std::make_unique<Library>(pci)) {}
Nvml::~Nvml() = default;

double Nvml::busy() const {
  Library::Utilization found{};
  if (!library_->device || library_->utilization(library_->device, &found) != 0) return -1;
  return found.gpu / 100.0;
}

int Nvml::sm_clock() const {
  unsigned mhz = 0;
  if (!library_->device || library_->clock(library_->device, Library::kSmClock, &mhz) != 0) return 0;
  return int(mhz);
}

std::string Nvml::driver_version() {
  std::string version;
  if (void* const handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    const auto init = reinterpret_cast<int (*)()>(dlsym(handle, "nvmlInit_v2"));
    const auto shutdown = reinterpret_cast<int (*)()>(dlsym(handle, "nvmlShutdown"));
    const auto ask = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(handle, "nvmlSystemGetDriverVersion"));
    if (char text[96] = ""; init && shutdown && ask && init() == 0) {
      if (ask(text, sizeof text) == 0) version = text;
      shutdown();
    }
    dlclose(handle);
  }
  if (!version.empty()) return version;
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::smatch found;
  return std::regex_search(line, found, std::regex(R"(\d+\.\d+(\.\d+)?)")) ? found.str() : "";
}

}  // namespace tilewalk::gpu
