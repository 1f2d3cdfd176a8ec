// Where things turn: the N from which fused attention is compute-bound, up to which standard attention fits into
// memory, from which FA's win has all but reached its limit; the law for long N; decode; a whole model's gain.
#pragma once

#include "core/roofline/estimate.h"

#include <cstdint>
#include <optional>

namespace tilewalk {

// Fused attention moves each tensor once: 4 N^2 d FLOP over 4 N d b + 4 N bytes, about N / b FLOP/byte, half of that
// under a causal mask. It is compute-bound from N = b ridge on (2 ridge in fp16), twice that under a causal mask.
double compute_bound_about(double ridge, const Problem& problem);
// The same with L counted: (b + 1 / d) ridge; 593 instead of 591 on an H100 at d = 128. Rounded up to whole tokens.
int64_t compute_bound_exact(double ridge, const Problem& problem);

// The longest sequence whose attention fits into that much memory; 0: not even one token. B, H, d and format are the
// problem's. Nothing where the capacity is not known.
std::optional<int64_t> longest_that_fits(Method method, const Problem& problem, const Roofs& roofs,
                                         Direction direction = Direction::Forward);

// The win of one method over another in time, with `pace` saying which time.
enum class Pace : uint8_t { Serial, Overlapped, Schedule };
double time_of(const Estimate& estimate, Pace pace);
double win(const Estimate& slow, const Estimate& fast, Pace pace = Pace::Schedule);

// Where the win at N = kLongest stands for its limit, and the N from which on it is at least 95 % of that. Launches are
// taken as even, so that waves do not make it jump.
struct Saturation {
  double limit = 0;
  int64_t n = 0;
};
constexpr int64_t kLongest = 131072;
Saturation saturation(Method slow, Method fast, const Problem& problem, const Roofs& roofs,
                      Direction direction = Direction::Forward, Pace pace = Pace::Schedule);

// Long N: standard moves 4 N^2 b bytes, fused does 4 N^2 d FLOP at a share eta of the peak, so fused wins
// b eta ridge / d, whatever N is: 2 eta ridge / d in fp16. A causal mask halves the FLOP alone, and doubles the win.
double law_win(double ridge, const Problem& problem, double eta = 1);
// The share of the tensor cores' peak that an estimate comes to, by the FLOP that benchmarks count.
double eta_of(const Estimate& estimate, const Roofs& roofs);

// One query against N_k keys: 4 N_k d FLOP over all of K and V.
double decode_intensity(const Problem& problem);

// A whole model where attention takes a share f of the time and becomes s times faster.
constexpr double amdahl(double f, double s) { return 1 / ((1 - f) + f / s); }

}  // namespace tilewalk
