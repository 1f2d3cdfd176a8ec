// FA3 in e4m3: the shapes of its thread block, what is in shared memory, and what a launch hands to the kernel.
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/common/tensor_map.h"
#include "kernels/fa3_fp8.h"
#include "kernels/fa3_tiles.cuh"

#include <algorithm>
#include <tuple>

namespace tilewalk::gpu::fa3 {

template <class T_, int Bc_, bool causal>
struct Fp8Config {
  using T = T_;  // of O: __half or __nv_bfloat16
  static constexpr int D = 128, Br = kFp8Rows, Bc = Bc_, kStages = 2, kConsumers = 2;
  static constexpr bool kCausal = causal, kTraced = false;
  // Ping-pong: worth 4 to 5 % of long tiles on an H200; with short ones, or under a mask, waiting for a turn costs 1 to
  // 5 %.
  static constexpr bool kPingPong = !causal && Bc > 128;
  static constexpr Switch kSwitch = Switch::None;
  static constexpr int kRows = Br / kConsumers;  // of a consumer warpgroup
  static constexpr int kThreads = 128 * (1 + kConsumers);
  static constexpr int kTileBytes = Bc * D;                                // of K_j, of V_j
  static constexpr int kProducerRegisters = 40, kConsumerRegisters = 232;  // together what the launch received
};

template <class C>
struct Fp8Buffers {
  uint8_t q[C::kConsumers][C::kRows * C::D];
  uint8_t k[C::kStages][C::Bc * C::D];
  uint8_t v[C::kStages][C::Bc * C::D];
  typename C::T o[C::kConsumers][C::kRows * C::D];
};
template <class C>
struct Fp8Shared : Fp8Buffers<C>, Barriers<C> {};

struct Fp8Args : Args {
  Fp8Tensors tensors;
  int key_tiles;  // Tc
};

// What a launch hands over: kept, as fa3_plan.cuh's, since to encode a map takes the host microseconds.
struct Fp8Plan {
  Request f;
  CUtensorMap q, k, o;
  Fp8Args args;
  int multiprocessors = 0;
  int blocks() const { return std::min(std::max(1, multiprocessors - f.spare), args.tr * args.heads); }
};

inline auto fp8_key_of(const Request& f) {
  return std::tie(f.workspace, f.o, f.lse, f.heads, f.n_q, f.n_k, f.d, f.element, f.scale, f.spare);
}

inline cudaError_t plan_for(const Request& f, const Fp8Plan*& out) {
  static thread_local Fp8Plan kept;
  out = &kept;
  if (kept.multiprocessors > 0 && fp8_key_of(kept.f) == fp8_key_of(f)) return cudaSuccess;
  kept.multiprocessors = 0;
  Fp8Plan plan{.f = f};
  const Fp8Tensors tensors = fp8_tensors(f);
  const int keys = fp8_keys(f.n_k);
  // TMA moves bytes: to it two numbers of e4m3 are one of 16 bits.
  const auto encode = [&](CUtensorMap& map, const void* tensor, int n, int d, int box_rows) {
    return encode_tensor_map(map, tensor, f.element, f.heads, n, d, box_rows);
  };
  if (const cudaError_t error = encode(plan.q, tensors.q, f.n_q, f.d / 2, 64)) return error;
  if (const cudaError_t error = encode(plan.k, tensors.k, f.n_k, f.d / 2, keys)) return error;
  if (const cudaError_t error = encode(plan.o, f.o, f.n_q, f.d, 64)) return error;
  // One plan for both masks, as in fa3_plan.cuh.
  const int group = int(launch_group(Method::Fa3, true, f.heads, f.n_k, f.d / 2));
  const int tr = (f.n_q + kFp8Rows - 1) / kFp8Rows;
  plan.args = {{f.n_q, f.n_k, f.heads, tr, 0, group, 1, f.scale * kLog2E, f.lse}, tensors, (f.n_k + keys - 1) / keys};
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  if (const cudaError_t error = cudaDeviceGetAttribute(&plan.multiprocessors, cudaDevAttrMultiProcessorCount, device))
    return error;
  kept = plan;
  return cudaSuccess;
}

inline bool takes_fp8(const Request& f) {
  const int64_t tiles = int64_t(f.heads) * ((f.n_q + kFp8Rows - 1) / kFp8Rows);
  return f.d == 128 && f.heads > 0 && f.n_q > 0 && f.n_k > 0 && group_of(f) == 1 && tiles < INT32_MAX / 2;
}

}  // namespace tilewalk::gpu::fa3
