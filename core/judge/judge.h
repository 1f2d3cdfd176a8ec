// Whether a program is attention. It is run on small ragged problems in float64, masked and not, and what it leaves in
// memory is held against the reference; where that differs, m, l and O of every row are followed from visit to visit,
// and what broke first is said in one sentence. A program is data: it is bounded by its reader, and the problems are
// small, so that judging it takes at most some hundred thousand steps.
#pragma once

#include "core/attention/inputs.h"
#include "core/attention/problem.h"
#include "core/walk/program.h"

#include <cstdint>
#include <string>

namespace tilewalk {

struct Verdict {
  enum class Kind : uint8_t {
    Exact,        // attention to 1e-9 on every problem
    Approximate,  // weights of a softmax, but some keys are left out
    Wrong,
  };
  Kind kind = Kind::Exact;
  int line = 0;         // of the text, from 1, where it broke or first shows; 0 where it is Exact
  std::string message;  // one sentence; where it is Exact, what is done twice, or empty
  bool backward = false;
  Problem problem;  // on which it broke, with the seed of its inputs (float64); of no meaning where it is Exact
};

constexpr int kJudgedProblems = 20;

Verdict judge(const WalkProgram& program, uint64_t seed = 1);

// On one problem alone, in float64 and with these inputs: what a stage shows. Asked at every key, so of small ones.
constexpr int64_t kMostJudgedProducts = int64_t{1} << 19;
bool can_judge_on(const Problem& problem, const Inputs& inputs);
Verdict judge_on(const WalkProgram& program, const Problem& problem, const Inputs& inputs);
std::string words_of_judged(const Problem& problem);  // "N = 7, tiles of 3", "11 queries, 5 keys, tiles of 2, causal"

}  // namespace tilewalk
