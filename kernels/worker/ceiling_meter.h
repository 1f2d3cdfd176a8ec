// Measures the roofs of this GPU, one after the other: each in bursts with rests, as attention's kernels are timed, and
// then without a rest, where the power limit sets the clock.
#pragma once

#include "kernels/ceilings.h"
#include "kernels/worker/buffer.h"

#include <functional>

namespace tilewalk::gpu {

class CeilingMeter {
 public:
  CeilingMeter(const Provenance& gpu, cudaStream_t stream);

  // Nothing where `going`, asked between bursts, said stop. Throws CudaError.
  std::optional<Ceiling> measure(CeilingId id, const std::function<bool()>& going);

 private:
  const Provenance& gpu_;
  cudaStream_t stream_;
  Buffer data_, sink_;
};

// `tilewalk-gpu ceilings`: a table, or with `json` what the file would hold; written to `file` unless that is empty.
// Returns an exit code.
int ceilings_command(const std::filesystem::path& file, bool anyway, bool json);

}  // namespace tilewalk::gpu
