// FA3 on the host: what a launch hands to the kernel, made from the problem.
#pragma once

#include "kernels/common/softmax.cuh"
#include "kernels/common/tensor_map.h"
#include "kernels/fa3_tiles.cuh"

#include <algorithm>
#include <tuple>

namespace tilewalk::gpu::fa3 {

// Everything a launch hands over that follows from the problem. Encoding four tensor maps takes the host microseconds,
// which the clock of a timed launch would see, so the last plan is kept.
struct Plan {
  Forward f;
  KernelShape shape;
  CUtensorMap q, k, v, o;
  Args args;
  int multiprocessors = 0;
  // A launch's thread blocks, each of which stays; some multiprocessors may be left to others.
  int blocks(int spare) const { return std::min(std::max(1, multiprocessors - spare), args.tr * args.heads); }
};

inline auto key_of(const Forward& f) {
  return std::tie(f.q, f.k, f.v, f.o, f.lse, f.heads, f.kv_heads, f.n_q, f.n_k, f.d, f.element, f.scale);
}

inline cudaError_t plan_for(const Forward& f, KernelShape shape, const Plan*& out) {
  static thread_local Plan kept;
  out = &kept;
  if (kept.multiprocessors > 0 && key_of(kept.f) == key_of(f) && kept.shape.br == shape.br) return cudaSuccess;
  kept.multiprocessors = 0;

  const int rows = shape.br / shape.consumers;  // Q and O move by warpgroup
  Plan plan{.f = f, .shape = shape};
  const auto encode = [&](CUtensorMap& map, const void* tensor, int heads, int n, int box_rows) {
    return encode_tensor_map(map, tensor, f.element, heads, n, f.d, box_rows);
  };
  const int sharing = group_of(f), kv_heads = f.heads / sharing;
  if (const cudaError_t error = encode(plan.q, f.q, f.heads, f.n_q, rows)) return error;
  if (const cudaError_t error = encode(plan.k, f.k, kv_heads, f.n_k, shape.bc)) return error;
  if (const cudaError_t error = encode(plan.v, f.v, kv_heads, f.n_k, shape.bc)) return error;
  if (const cudaError_t error = encode(plan.o, f.o, f.heads, f.n_q, rows)) return error;

  // One plan for both masks: without one the group is ignored.
  const int group = int(launch_group(Method::Fa3, true, f.heads, f.n_k, f.d));
  const int tr = (f.n_q + shape.br - 1) / shape.br;
  const int fewer = int(fewer_rows(Method::Fa3, f.n_q, shape.br));
  plan.args = {f.n_q, f.n_k, f.heads, tr, fewer, group, sharing, f.scale * kLog2E, f.lse};

  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  if (const cudaError_t error = cudaDeviceGetAttribute(&plan.multiprocessors, cudaDevAttrMultiProcessorCount, device))
    return error;
  kept = plan;
  return cudaSuccess;
}

inline bool takes(const Forward& f) {
  const int64_t tiles = int64_t(f.heads) * ((f.n_q + 127) / 128);
  return padded_d(Method::Fa3, f.d) == f.d && f.heads > 0 && f.n_q > 0 && f.n_k > 0 && tiles < INT32_MAX / 2;
}

}  // namespace tilewalk::gpu::fa3
