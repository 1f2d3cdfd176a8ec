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
  struct Field {
    unsigned id = 0, scope = 0;  // `scope`: which link
    long long timestamp = 0, latency = 0;
    int type = 0, result = 0;
    union Value {
      unsigned long long wide;
      unsigned whole;
    } value{};
  };
  static constexpr unsigned kLinkSpeed = 164, kDataSent = 138, kDataReceived = 139;  // MB/s, KiB, KiB
  static constexpr int kMostLinks = 18;

  void* handle = nullptr;
  Device device = nullptr;
  int (*shutdown)() = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*fields)(Device, int, Field*) = nullptr;              // may be missing
  int (*link_state)(Device, unsigned, unsigned*) = nullptr;  // likewise

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
    find(fields, "nvmlDeviceGetFieldValues");
    find(link_state, "nvmlDeviceGetNvLinkState");
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

std::optional<NvLinks> Nvml::links() const {
  using Field = Library::Field;
  if (!library_->device || !library_->fields || !library_->link_state) return std::nullopt;
  NvLinks out;
  for (unsigned link = 0; link < unsigned(Library::kMostLinks); ++link) {
    unsigned up = 0;
    if (library_->link_state(library_->device, link, &up) != 0 || !up) continue;
    Field asked[3];
    asked[0].id = Library::kDataSent;
    asked[1].id = Library::kDataReceived;
    asked[2].id = Library::kLinkSpeed;
    for (Field& field : asked) field.scope = link;
    if (library_->fields(library_->device, 3, asked) != 0 || asked[0].result || asked[1].result) continue;
    ++out.count;
    out.sent += 1024.0 * double(asked[0].value.wide);
    out.received += 1024.0 * double(asked[1].value.wide);
    if (!asked[2].result) out.rate += 1e6 * asked[2].value.whole;
  }
  return out.count ? std::optional(out) : std::nullopt;
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
