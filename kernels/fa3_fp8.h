// FA3 in e4m3, eight bits a number. Q, K and V come in 16 bits and are rounded once, into the workspace; a launch reads
// them there. d = 128 (64 runs as 128). Pointers and errors are as in kernels/forward.h.
#pragma once

#include "core/attention/fp8_tiles.h"
#include "kernels/forward.h"

namespace tilewalk::gpu {

// How Q, K and V are rounded (arXiv:2407.08608, section 3.3).
struct Fp8Rounding {
  bool per_tile = true;  // a scale for each tile; else one for all of Q, of K and of V
  bool rotate = false;  // rows of Q and K times random signs and a Hadamard matrix, as core/attention/fp8.h's rotated()
  uint64_t seed = 1;    // of the signs
};

// Where round_to_fp8() leaves what a launch reads, all of it in the workspace. A number is its e4m3 times the scale of
// its tile; the largest magnitude that shares a scale becomes 448.
struct Fp8Tensors {
  uint8_t *q = nullptr, *k = nullptr;  // [heads, n_q, d], [heads, n_k, d]
  // [heads, Tc * Bc / 16, d, 16]: transposed, sixteens of keys, zeros behind the last key. Of 32 keys, place x holds
  // key key_at(x) (kernels/common/wgmma_fp8.cuh).
  uint8_t* v = nullptr;
  float *q_scale = nullptr, *k_scale = nullptr, *v_scale = nullptr;  // [heads, Tr], [heads, Tc], [heads, Tc]
  int* largest = nullptr;  // while rounding: bits of each tensor's largest magnitude, where its tiles share a scale
  size_t bytes = 0;        // of all
};
Fp8Tensors fp8_tensors(const Request& request);

size_t workspace_bytes_fa3_fp8(const Request& request);
bool prepare_fa3_fp8(const Request& request, const char** why);
// Q, K and V of the request into the workspace; once for any number of launches.
cudaError_t round_to_fp8(const Request& request, const Fp8Rounding& how, cudaStream_t stream);
cudaError_t launch_fa3_fp8(const Request& request, cudaStream_t stream);
cudaError_t resident_blocks_fa3_fp8(const Request& request, int* blocks);

}  // namespace tilewalk::gpu
