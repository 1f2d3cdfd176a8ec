// Attention in e4m3, eight bits a number, and what it costs in accuracy: Q, K, V and P are put on e4m3's grid after a
// division that fits them to it, by four ways of choosing that division (arXiv:2407.08608 section 3.3). Sums are
// exact, so that the error is that of the rounding alone; float64 attention on the unrounded inputs is the reference.
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/matrix.h"
#include "core/attention/problem.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr double kLargestE4M3 = 448;

// The 127 numbers from 0 to 448 that e4m3 has; their negatives are the rest.
std::span<const double> e4m3_values();

// Which rows share a scale, largest magnitude / 448, and whether Q and K are rotated first.
struct Fp8Method {
  std::string_view id;    // "tensor"
  std::string_view name;  // "one scale per tensor"
  bool per_tile;          // one scale for each tile's rows, else one for the tensor
  bool incoherent;        // Q and K times the same random signs and Hadamard matrix
  double published;       // RMSE of O in arXiv:2407.08608 table 3, on inputs of the same distribution
};
std::span<const Fp8Method> fp8_methods();  // per tensor, per tile, incoherent, incoherent and per tile

// Rounds to e4m3 with one scale for every `rows` rows. `scales` receives them where given.
Matrix rounded_to_e4m3(const Matrix& x, int64_t rows, std::vector<double>* scales = nullptr);

// x D H / sqrt(d): each column's sign turned at random, then a Hadamard matrix, which spreads what stands out in one
// column over all. Orthogonal, so that (Q M)(K M)^T = Q K^T. d is a power of two; throws std::invalid_argument else.
Matrix rotated(const Matrix& x, uint64_t seed);

// O [N_q, d]. Tiles are the problem's Br and Bc rows. P is rounded at 256 times its value, whose largest is 1.
Matrix fp8_attention(const Problem& problem, const Inputs& inputs, const Fp8Method& method);

double rmse(const Matrix& a, const Matrix& b);  // root of the mean squared difference

// All methods on one head of N = 512, d = 64, with 128-row tiles.
struct Fp8Study {
  Problem problem;
  Inputs inputs;
  std::vector<double> rmse;  // of O against float64, by fp8_methods()
};
// Takes some tenths of a second the first time; the latest ones are kept, so that a picture can ask at every frame.
std::shared_ptr<const Fp8Study> fp8_study(Distribution distribution, uint64_t seed);

}  // namespace tilewalk
