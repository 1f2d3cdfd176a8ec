#include "kernels/worker/gpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace tilewalk::gpu {

GpuLock::GpuLock(const std::string& pci) {
  // In a folder that all users share, since they share the GPU. An existing file is opened without O_CREAT: in sticky
  // folders that is refused for other people's files.
  const std::string path = "/tmp/tilewalk-gpu-" + pci + ".lock";
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file_ < 0) file_ = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) != 0) held_ = errno != EWOULDBLOCK;
}

GpuLock::~GpuLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace tilewalk::gpu
