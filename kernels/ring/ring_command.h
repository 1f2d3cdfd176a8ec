// `tilewalk-gpu ring`: Ring Attention over the GPUs of this computer, one problem or the standard set.
#pragma once

#include "kernels/ring/ring.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace tilewalk::gpu {

class RingOptions {
 public:
  void add_to(CLI::App& command);
  // Returns the exit code; throws CommandFault.
  int run(bool anyway, bool json) const;

 private:
  RingSpec spec() const;
  RingSetup setup() const;

  int gpus_ = 2, spare_ = 0, rounds_ = 15;
  int64_t n_ = 32768, batch_ = 1, heads_ = 16, d_ = 128;
  uint64_t seed_ = 4;
  bool causal_ = false, zigzag_ = false, sweep_ = false;
  double limit_ = 60;
  std::string format_ = "fp16", kernel_ = "fa3", transfer_ = "copy-engines", nccl_, stall_, trap_, note_;
  std::filesystem::path out_, record_;
};

}  // namespace tilewalk::gpu
