// NVIDIA's management library, opened at run time: how busy the GPU is and how fast it is clocked. Without the library
// both are "not known".
#pragma once

#include <memory>
#include <string>

namespace tilewalk::gpu {

class Nvml {
 public:
  // `pci`: "0000:1B:00.0", as cudaDeviceGetPCIBusId writes it.
  explicit Nvml(const std::string& pci);
  ~Nvml();
  Nvml(const Nvml&) = delete;

  double busy() const;   // share of the last sampling period in which kernels ran, 0..1; negative: not known
  int sm_clock() const;  // MHz; 0: not known

  // The driver's own version, "580.159.04"; from /proc where the library is missing. Empty: not known.
  static std::string driver_version();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace tilewalk::gpu
