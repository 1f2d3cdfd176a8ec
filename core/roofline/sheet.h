// Everything that is said of one attention call on one GPU, each method beside the others: what `tilewalk predict
// --gpu` prints and core/roofline/own_model.h tells in four sentences.
#pragma once

#include "core/roofline/held.h"
#include "core/roofline/turning.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

struct EstimateSheet {
  Problem problem;
  Direction direction = Direction::Forward;
  Levels levels = Levels::WithL2;
  Roofs roofs;
  std::vector<Work> works;                      // by Method
  std::vector<Estimate> estimates;              // by Method
  std::vector<std::optional<int64_t>> longest;  // by Method: N that fits into memory; square() alone
  std::vector<double> most;                     // by Method: s, most_time()
  bool bare = false;                            // the model alone, without what was measured elsewhere
  std::vector<std::optional<Band>> bands;       // by Method: measured over estimated, elsewhere
  std::vector<std::optional<Band>> both_bands;  // by Method, without one of `bands`: of both passes together
  Method best{};                                // the fastest that runs there
  Method fused{};                   // the one asked for, else the best if it is fused, else the newest fused
  Saturation saturation;            // of `fused` over standard, where it runs; square() alone
  Bound bound;                      // of `fused`; square() alone
  std::optional<Estimate> unsplit;  // FA2 without splits, where it has some
  bool decode() const { return problem.n_q == 1; }
  // As many queries as keys, and more than one: what is said of an N stands for both.
  bool square() const { return problem.n_q == problem.n_k && !decode(); }
  const Estimate& of(Method method) const { return estimates[size_t(method)]; }
  WinRange win_over(Method slow, Method fast) const {
    return win_range(of(slow).time, most[size_t(slow)], of(fast).time, most[size_t(fast)]);
  }
};
// `fused`: the method that is told of; without one the best.
EstimateSheet estimate_sheet(const Problem& problem, Direction direction, Levels levels, const Roofs& roofs,
                             std::optional<Method> fused = {});

std::string win_words(const WinRange& win);  // "2.34×", "0.0042×", "2.3–9.1×", "≤ 9.14×"

}  // namespace tilewalk
