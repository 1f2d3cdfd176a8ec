#include "app/boards/attention_case.h"

#include "core/machine/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kHeadDims{"64", "128"};
constexpr std::array<std::string_view, 2> kMasks{"full", "causal"};
constexpr std::array<std::string_view, 2> kFormats{"fp16", "bf16"};
constexpr std::array<std::string_view, 3> kPasses{"forward", "backward", "decode"};
constexpr size_t kMostKept = 4096;

// Keeps what `make` made for a key; forgets everything when it has become a lot.
template <class Key, class Value, class Make>
const Value& kept(std::map<Key, Value>& all, const Key& key, Make&& make) {
  if (const auto found = all.find(key); found != all.end()) return found->second;
  if (all.size() >= kMostKept) all.clear();
  return all.emplace(key, make()).first->second;
}

auto key_of(const Case& c) {
  const Problem& p = c.problem;
  return std::tuple(p.n_q, p.n_k, p.d, p.batch, p.heads, int(p.mask), int(p.format), int(c.pass));
}
using CaseKey = decltype(key_of(Case{}));

// Everything of a GPU that times depend on.
using RateKey = std::array<double, kRoofCount + 5>;
RateKey rate_key(const Roofs& roofs) {
  const auto value = [](const std::optional<Rate>& rate) { return rate ? rate->value : 0; };
  RateKey out{value(roofs.mma_sync), value(roofs.launch), value(roofs.next_launch), roofs.l2_bytes, double(roofs.sms)};
  for (size_t k = 0; k < kRoofCount; ++k) out[5 + k] = value(roofs.rates[k]);
  return out;
}

}  // namespace

constinit const Knob kLengthKnob =
    octave_knob("N", "Sequence length N", kLeastCaseN, kMostCaseN, 8192, "Tokens in the sequence");
constinit const Knob kHeadDimKnob = choice_knob("d", "Head dimension d", kHeadDims, 1, "Elements of a head's rows");
constinit const Knob kBatchKnob = power_knob("B", "Batch B", 1, 64, 1, "Sequences at once");
constinit const Knob kHeadsKnob = linear_knob("H", "Heads H", 1, 128, 16, 1, "Heads in a layer");
constinit const Knob kMaskKnob = choice_knob("mask", "Mask", kMasks, 0, "Whether later keys are hidden");
constinit const Knob kFormatKnob =
    choice_knob("format", "Number format", kFormats, 0, "Of Q, K, V and O; both have two bytes");
constinit const Knob kPassKnob =
    choice_knob("pass", "Pass", kPasses, 0, "Forward, backward, or one query against N keys");

constexpr std::array<std::string_view, 2> kExpected{"what to expect", "the model alone"};
constexpr std::array<std::string_view, 2> kExpectedIds{"band", "bare"};
constinit const Knob kExpectKnob = choice_knob(
    "expect", "", kExpected, 0, "Whether what was measured elsewhere stands beside the model's times", kExpectedIds);

Case Case::at(int64_t n) const {
  Case out = *this;
  out.problem.n_k = n;
  out.problem.n_q = pass == CasePass::Decode ? 1 : n;
  return out;
}

std::string Case::words() const {
  return fmt::format("B {}, H {}, N {}, d {}, {} mask, {}, {}", problem.batch, problem.heads, with_commas(problem.n_k),
                     problem.d, name_of(problem.mask), name_of(problem.format), kPasses[size_t(pass)]);
}

Case case_of(const Exhibit& view) {
  const auto value = [&](const Knob& knob) {
    const bool has = std::ranges::any_of(view.board.knobs, [&](const Knob& own) { return own.id == knob.id; });
    return has ? view.knob(knob.id) : knob.initial;
  };
  Case out;
  out.pass = CasePass(value(kPassKnob));
  out.problem.batch = int64_t(value(kBatchKnob));
  out.problem.heads = int64_t(value(kHeadsKnob));
  out.problem.d = value(kHeadDimKnob) != 0 ? 128 : 64;
  out.problem.format = value(kFormatKnob) != 0 ? Format::BFloat16 : Format::Float16;
  // One query is the last one and sees every key.
  out.problem.mask = value(kMaskKnob) != 0 && out.pass != CasePass::Decode ? Mask::Causal : Mask::Full;
  return out.at(int64_t(value(kLengthKnob)));
}

const Work& work_at(Method method, const Case& asked, int sms) {
  thread_local std::map<std::tuple<int, int, CaseKey>, Work> all;
  const bool splits = asked.problem.n_q < asked.problem.n_k && info_of(method).estimate.splits;
  const std::tuple key(int(method), splits ? sms : 0, key_of(asked));
  return kept(all, key, [&] {
    return work_of(method, asked.problem, asked.direction(),
                   released_splits(method, asked.problem, asked.direction(), sms));
  });
}

Estimate estimate_at(Method method, const Case& asked, const Roofs& roofs) {
  return estimate(work_at(method, asked, roofs.sms), roofs);
}

std::string expected_words(Method method, const Case& asked, const Roofs& roofs) {
  const auto band = band_of(method, asked.problem, asked.direction(), roofs);
  return band ? fmt::format("expect {} times this", times_words(*band)) : std::string(kNothingHeld);
}

std::string expected_tip(Method method, const Case& asked, const Roofs& roofs) {
  const std::string_view name = info_of(method).name;
  const auto band = band_of(method, asked.problem, asked.direction(), roofs);
  if (!band) {
    const auto both = band_of(method, asked.problem, HeldPass::Both, roofs);
    return both
               ? fmt::format("{}: no measurement of this pass alone; both together took {} times the model's. {} ({}).",
                             name, times_words(*both), words_of(*both), fmt::join(both->sources, "; "))
               : fmt::format("{}: {}.", name, kNothingHeld);
  }
  return fmt::format("{}: measured times were {} times the model's. {} ({}).", name, times_words(*band),
                     words_of(*band), fmt::join(band->sources, "; "));
}

void layout_expected(const BoardView& view, Rect line, std::string_view words, std::string_view tip, float size) {
  const Style& st = view.style;
  const bool bare = view.knob(kExpectKnob.id) != 0;
  if (bare && !view.hands) return;
  const std::string text = bare ? "The model alone. Show what to expect." : std::string(words);
  view.text(line, text, Face::Sans, std::max(size, st.number()), Role::TextSecondary);
  if (view.hands)
    view.region(line, bare ? "knob:expect/0" : "knob:expect/1",
                bare ? std::string("Shows beside the model what was measured elsewhere")
                     : fmt::format("{} Press for the model alone.", tip),
                true);
}

Saturation saturation_at(Method slow, Method fast, const Case& asked, const Roofs& roofs) {
  thread_local std::map<std::tuple<int, int, CaseKey, RateKey>, Saturation> all;
  return kept(all, {int(slow), int(fast), key_of(asked.at(0)), rate_key(roofs)},
              [&] { return saturation(slow, fast, asked.problem, roofs, asked.direction()); });
}

Bound bound_at(Method method, const Case& asked, const Roofs& roofs) {
  thread_local std::map<std::tuple<int, CaseKey, RateKey>, Bound> all;
  return kept(all, {int(method), key_of(asked.at(0)), rate_key(roofs)},
              [&] { return bound_along(method, asked.problem, roofs, asked.direction()); });
}

WinRange win_range_at(Method slow, Method fast, const Case& asked, const Roofs& roofs) {
  const Estimate of_slow = estimate_at(slow, asked, roofs), of_fast = estimate_at(fast, asked, roofs);
  return win_range(of_slow.time, most_time(of_slow, work_at(slow, asked, roofs.sms), roofs), of_fast.time,
                   most_time(of_fast, work_at(fast, asked, roofs.sms), roofs));
}

std::string unknown_words(const Estimate& estimate) {
  std::string out;
  for (const Roof roof : estimate.unknown) out += fmt::format("{}{}", out.empty() ? "" : " and ", name_of(roof));
  return out.empty() ? out : fmt::format("the rate of {} is not known", out);
}

}  // namespace tilewalk
