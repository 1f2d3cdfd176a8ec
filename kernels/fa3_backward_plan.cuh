// FA3, backward, on the host: what a launch hands to the kernel, made from the problem.
#pragma once

#include "kernels/common/tensor_map.h"
#include "kernels/fa3_backward_tiles.cuh"

#include <tuple>

namespace tilewalk::gpu::fa3_backward {

struct Plan {
  Request r;
  CUtensorMap q, k, v, d_o, dk, dv;
  Args args;
  bool made = false;
};

inline auto key_of(const Request& r) {
  return std::tie(r.q, r.k, r.v, r.d_o, r.dk, r.dv, r.workspace, r.heads, r.n_q, r.n_k, r.d, r.element, r.scale,
                  r.causal);
}

// As the forward kernel's (fa3_plan.cuh), the last plan is kept: encoding tensor maps takes the host microseconds.
template <class C>
cudaError_t plan_for(const Request& r, const Plan*& out) {
  static thread_local Plan kept;
  out = &kept;
  if (kept.made && key_of(kept.r) == key_of(r)) return cudaSuccess;
  Plan plan{.r = r};
  const auto encode = [&](CUtensorMap& map, const void* tensor, int n, int rows) {
    return encode_tensor_map(map, tensor, r.element, r.heads, n, r.d, rows);
  };
  kept.made = false;
  if (const cudaError_t error = encode(plan.q, r.q, r.n_q, C::Br)) return error;
  if (const cudaError_t error = encode(plan.d_o, r.d_o, r.n_q, C::Br)) return error;
  if (const cudaError_t error = encode(plan.k, r.k, r.n_k, C::Bc)) return error;
  if (const cudaError_t error = encode(plan.v, r.v, r.n_k, C::Bc)) return error;
  if (const cudaError_t error = encode(plan.dk, r.dk, r.n_k, C::kKeys)) return error;
  if (const cudaError_t error = encode(plan.dv, r.dv, r.n_k, C::kKeys)) return error;
  plan.args = {.n_q = r.n_q,
               .n_k = r.n_k,
               .row_tiles = (r.n_q + C::Br - 1) / C::Br,
               .key_tiles = (r.n_k + C::Bc - 1) / C::Bc,
               .causal = r.causal,
               .scale = r.scale,
               .scale_log2 = r.scale * kLog2E,
               .space = Workspace::of(r, C::Br)};
  plan.made = true;
  kept = plan;
  return cudaSuccess;
}

inline bool takes(const Request& r) {
  const int64_t tiles = int64_t(r.heads) * ((r.n_k + 127) / 128);
  return (r.d == 64 || r.d == 128) && r.heads > 0 && r.n_q > 0 && r.n_k > 0 && tiles < INT32_MAX / 2;
}

}  // namespace tilewalk::gpu::fa3_backward
