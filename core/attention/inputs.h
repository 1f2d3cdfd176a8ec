// Q, K and V of one head, and the dO of a backward pass, rounded to the problem's format.
//
// Generated elements depend on (seed, tensor, batch, head, row, column) alone and are made with integer arithmetic, so
// that every compiler, CPU and GPU makes the same bits: the sum of twelve 16-bit uniforms, centred and scaled by 2^-16,
// which is nearly normal (variance 1, no values beyond +-6). Outliers adds N(0, 100) to one element in a thousand, as
// in the FlashAttention-3 paper (arXiv:2407.08608, section 4.3). Small integers are -2 .. 2, for graph paper.
#pragma once

#include "core/attention/matrix.h"
#include "core/attention/problem.h"

#include <cstdint>
#include <string>

namespace tilewalk {

enum class InputTensor : uint8_t { Q, K, V, DO };

double generated_element(const Problem& problem, InputTensor tensor, int64_t batch, int64_t head, int64_t row,
                         int64_t col);

struct Inputs {
  Matrix q, k, v;      // [N_q, d], [N_k, d], [N_k, d]
  std::string source;  // "normal, seed 4", "induction-head.safetensors, layer1, head 3", "typed"
  Matrix d_o{};        // [N_q, d] where somebody wrote it down, else empty: see core/attention/gradients.h
};

// Not for Distribution::Custom. Indices of the head count from 0.
Inputs generate_inputs(const Problem& problem, int64_t batch = 0, int64_t head = 0);

// Rounds every element to the format.
void round_inputs(Inputs& inputs, Format format);

// 64 bits over shapes and values of Q, K and V; equal inputs have equal hashes on every machine.
uint64_t hash_of(const Inputs& inputs);

}  // namespace tilewalk
