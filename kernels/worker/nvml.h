// NVIDIA's management library, opened at run time: how busy the GPU is, how fast it is clocked and what went over its
// NVLinks. Without the library all of it is "not known".
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tilewalk::gpu {

// Of all NVLinks of a GPU that are up.
struct NvLinks {
  int count = 0;
  double rate = 0;                // bytes a second and direction; 0: not known
  double sent = 0, received = 0;  // bytes of data since the driver began to count
};

constexpr double kDisturbed = 0.2;  // of Nvml::busy(): from here on others disturb what is timed

class Nvml {
 public:
  // `pci`: "0000:1B:00.0", as cudaDeviceGetPCIBusId writes it.
  explicit Nvml(const std::string& pci);
  ~Nvml();
  Nvml(const Nvml&) = delete;

  double busy() const;   // share of the last sampling period in which kernels ran, 0..1; negative: not known
  int sm_clock() const;  // MHz; 0: not known
  std::optional<NvLinks> links() const;  // nothing: no NVLink, or its counters are not to be had

  // The driver's own version, "580.159.04"; from /proc where the library is missing. Empty: not known.
  static std::string driver_version();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace tilewalk::gpu
