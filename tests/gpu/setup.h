// One problem on the GPU, ready for any kernel: inputs, poisoned outputs with a margin behind each, a workspace.
#pragma once

#include "tests/gpu/device_arrays.h"

#include <string>

namespace tilewalk::gpu::check {

struct Case {
  int batch = 1, heads = 1, n_q = 1, n_k = 1, d = 64;  // d as a user has it: 16, 32, 64, 96 or 128
  bool causal = false;
  Element element = Element::Half;
  Values values = Values::Normal;
  uint64_t seed = 1;
  int group = 1;  // heads of Q for each head of K and V; heads is a multiple of it
};
std::string words(const Case& c);  // "B2 H3 N17x129 d96 causal bf16 outliers", "B1 H8/2 ..." where they are grouped

constexpr int kMargin = 256;  // elements behind O and L that no kernel may write

class Setup {
 public:
  Setup(const Case& c, Method kernel);  // d padded as that kernel takes it
  // Allocates the kernel's workspace, if it needs a larger one, and poisons it.
  void make_ready_for(Method kernel);
  void poison();  // O and L, margins included
  bool margins_intact();
  int64_t unwritten();  // NaNs left in O and L
  int64_t rows() const { return int64_t(f.heads) * f.n_q; }

  Forward f;

 private:
  DeviceArray<uint16_t> q_, k_, v_, o_;
  DeviceArray<float> lse_;
  DeviceArray<char> workspace_;
  size_t workspace_bytes_ = 0;
};

}  // namespace tilewalk::gpu::check
