// NCCL, opened at run time: the few calls of it that a ring in one process needs, with the types of nccl.h, which not
// every CUDA toolkit brings. NVLink multicast (NVLS) stays off: a ring has no use for it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tilewalk::gpu {

// A call failed; what(): one sentence without its stop.
class NcclRing {
 public:
  // One communicator a device, 0 .. devices - 1. `library`: its path; empty: libnccl.so.2 wherever the loader finds it.
  // `most_blocks`: of a transfer's kernel; 0: as many as NCCL takes. Throws std::runtime_error with one sentence
  // without its stop where the library is missing or refuses.
  NcclRing(int devices, const std::string& library, int most_blocks);
  ~NcclRing();
  NcclRing(const NcclRing&) = delete;

  std::string version() const;  // "2.28.9"

  // Every device at once: sends `bytes` to the next one and receives as many from the one before.
  struct Shift {
    const void* send;
    void* receive;
    cudaStream_t stream;
  };
  void shift(const std::vector<Shift>& each, size_t bytes);
  std::string fault();  // what NCCL has noticed since, in words; empty: nothing

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::vector<void*> communicators_;
};

}  // namespace tilewalk::gpu
