// Which GPUs there are, and what is missing where there is none to use.
#pragma once

#include "core/run/protocol.h"

#include <string>
#include <vector>

namespace tilewalk::gpu {

struct Gpu {
  Provenance what;  // date and note empty
  std::string pci;  // "0000:1B:00.0"
};

struct Found {
  GpuTrouble trouble = GpuTrouble::None;
  std::string reason;     // one sentence, where there is trouble
  int driver = 0;         // the CUDA version that the driver supports: 13000 is 13.0; 0: no driver
  std::vector<Gpu> gpus;  // the first one is used; CUDA_VISIBLE_DEVICES chooses
};
Found find_gpus();

// Makes the first GPU current. Throws CudaError.
void use_first_gpu();

// Every kernel, and why it does not run on this GPU. Makes no launch.
std::vector<KernelOffer> offers(const Provenance& gpu);

// Empty, or why the kernel does not run on this compute capability.
std::string capability_fault(Method kernel, const Provenance& gpu);

std::string version_words(int version);  // 13000 -> "13.0"
std::string utc_now();                   // "2026-11-21T14:03:00Z"

}  // namespace tilewalk::gpu
