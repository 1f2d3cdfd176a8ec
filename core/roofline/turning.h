// Where things turn: the N from which fused attention is compute-bound, up to which standard attention fits into
// memory, from which FA's win stays at its limit; the law for long N; decode; a whole model's gain.
#pragma once

#include "core/roofline/estimate.h"

#include <cstdint>
#include <optional>

namespace tilewalk {

// The longest N that the sentences below speak of: a curve over N was looked at up to there, and no further.
constexpr int64_t kLongest = 262144;

// The rule of thumb. Fused attention moves each tensor once: 4 N^2 d FLOP over 4 N d b + 4 N bytes, about N / b
// FLOP/byte, half of that under a causal mask. It passes the ridge at N = b ridge (2 ridge in fp16), at twice that
// under a causal mask.
double compute_bound_about(double ridge, const Problem& problem);
// The same with L counted: (b + 1 / d) ridge; 593 instead of 591 on an H100 at d = 128. Rounded up to whole tokens.
int64_t compute_bound_exact(double ridge, const Problem& problem);

// The smallest N from which on, at every N up to kLongest, a method's longest roof (Estimate::binds) is not DRAM, and
// is one of arithmetic: tensor cores, exponentials or fp32. Nothing where that is not so at kLongest, or where the rate
// of DRAM or of the tensor cores is not known. Tiles, masks and what L2 keeps are the estimate's, so a causal mask's
// whole diagonal tiles make it turn before the rule of thumb does.
struct Bound {
  std::optional<int64_t> past_dram, computes;
};
Bound bound_along(Method method, const Problem& problem, const Roofs& roofs, Direction direction = Direction::Forward,
                  Levels levels = Levels::WithL2);

// The longest sequence whose attention fits into that much memory; 0: not even one token. B, H, d and format are the
// problem's. Nothing where the capacity is not known.
std::optional<int64_t> longest_that_fits(Method method, const Problem& problem, const Roofs& roofs,
                                         Direction direction = Direction::Forward);

// The win of one method over another in time, with `pace` saying which time.
enum class Pace : uint8_t { Serial, Overlapped, Schedule };
double time_of(const Estimate& estimate, Pace pace);
double win(const Estimate& slow, const Estimate& fast, Pace pace = Pace::Schedule);

// The same where rates are not known, from most_time() of both: the least and the most that the win can be.
struct WinRange {
  double least = 0, most = 0;  // one number where every rate is known; least is 0 where nothing bounds it
  bool known() const { return least == most; }
};
WinRange win_range(double slow, double slow_most, double fast, double fast_most);

// Where the win goes for long N, and from where on it stays there: at every N from `n` up to kLongest the win lies
// within kSettled of the limit, as an estimate at that N has it, with its waves of blocks and its ragged tiles. The
// limit alone takes launches as even, at kLongest; few blocks may keep the win away from it. Then there is no `n`, and
// the last octave's least and most say what it does instead.
constexpr double kSettled = 0.05;
struct Saturation {
  double limit = 0;
  std::optional<int64_t> n;    // nothing: it does not stay there for as much as the last octave
  double least = 0, most = 0;  // from kLongest / 2 to kLongest
};
Saturation saturation(Method slow, Method fast, const Problem& problem, const Roofs& roofs,
                      Direction direction = Direction::Forward, Levels levels = Levels::WithL2);

// Long N: standard moves 4 N^2 b bytes, fused does 4 N^2 d FLOP at a share eta of the peak, so fused wins
// b eta ridge / d, whatever N is: 2 eta ridge / d in fp16. A causal mask halves the FLOP alone, and doubles the win.
double law_win(double ridge, const Problem& problem, double eta = 1);
// The share of the tensor cores' peak that an estimate comes to, by the FLOP that benchmarks count.
double eta_of(const Estimate& estimate, const Roofs& roofs);
// That of a fused method forward where the law holds: N of 8,192 at least, and 128 heads, so that blocks are many.
double eta_of_law(Method fused, Problem problem, const Roofs& roofs);

// One query against N_k keys: 4 N_k d FLOP over all of K and V.
double decode_intensity(const Problem& problem);

// A whole model where attention takes a share f of the time and becomes s times faster.
constexpr double amdahl(double f, double s) { return 1 / ((1 - f) + f / s); }

}  // namespace tilewalk
