// One attention call as knobs describe it, for the boards that estimate: which knobs there are, the problem at any N,
// and the work of a method on it. What was counted once is kept, so that a frame costs no counting.
#pragma once

#include "app/boards/board.h"
#include "core/roofline/estimate.h"
#include "core/roofline/held.h"
#include "core/roofline/turning.h"

#include <string>
#include <string_view>

namespace tilewalk {

constexpr double kLeastCaseN = 256, kMostCaseN = 262144;
extern const Knob kLengthKnob, kHeadDimKnob, kBatchKnob, kHeadsKnob, kMaskKnob, kFormatKnob, kPassKnob;

// Forward over N queries, backward, or one query against N keys.
enum class CasePass : uint8_t { Forward, Backward, Decode };

struct Case {
  Problem problem;
  CasePass pass = CasePass::Forward;
  Direction direction() const { return pass == CasePass::Backward ? Direction::Backward : Direction::Forward; }
  bool causal() const { return problem.mask == Mask::Causal; }
  Case at(int64_t n) const;  // the same at another N
  // "B 1, H 16, N 8,192, d 128, causal, fp16, forward"
  std::string words() const;
};

// The knobs' values; a knob that the board lacks has its initial one.
Case case_of(const Exhibit& view);

// Fused methods of one query cut K and V as flash-attention would on that many multiprocessors.
const Work& work_at(Method method, const Case& asked, int sms);
Estimate estimate_at(Method method, const Case& asked, const Roofs& roofs);
// "expect 1.2 to 1.6 times this", or that nothing was measured to hold it against: what calls that were measured took
// over the model's time of them (core/roofline/held.h).
std::string expected_words(Method method, const Case& asked, const Roofs& roofs);
// The same with the calls and who measured them, for a tip.
std::string expected_tip(Method method, const Case& asked, const Roofs& roofs);
// Without a label it has no place among the knobs: boards have a line to press instead. 0: beside the model's times
// stands what to expect; 1: the model alone.
extern const Knob kExpectKnob;
// That line, unless times are hidden: what to expect of these methods, and the way to the model alone and back.
void layout_expected(const BoardView& view, Rect line, std::string_view words, std::string_view tip, float size = 0);

// Over all N, whatever N is asked.
Saturation saturation_at(Method slow, Method fast, const Case& asked, const Roofs& roofs);
Bound bound_at(Method method, const Case& asked, const Roofs& roofs);
// The least and the most that the win can be: one number where every rate is known.
WinRange win_range_at(Method slow, Method fast, const Case& asked, const Roofs& roofs);
// "the rate of L2 is not known": of what a time leaves out; empty where nothing is.
std::string unknown_words(const Estimate& estimate);

}  // namespace tilewalk
