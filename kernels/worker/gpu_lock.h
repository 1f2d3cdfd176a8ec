// Two workers must not time at once: whoever runs holds a lock on a file that is named after the GPU.
#pragma once

#include <string>

namespace tilewalk::gpu {

class GpuLock {
 public:
  explicit GpuLock(const std::string& pci);  // does not wait
  ~GpuLock();
  GpuLock(const GpuLock&) = delete;

  // False only where another process holds it; where no lock file can be made, there is nothing to wait for.
  bool held() const { return held_; }

 private:
  int file_ = -1;
  bool held_ = true;
};

}  // namespace tilewalk::gpu
