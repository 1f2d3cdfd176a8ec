// "Where it turns", in sentences. Each holds when its N is put into the same command: they come from estimates at every
// N up to kLongest, with their waves of blocks and ragged tiles (core/roofline/turning.h).
#include "app/cli/estimate.h"
#include "core/machine/words.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

std::string times(double ratio) { return fmt::format("{:.2f}×", ratio); }
std::string turn_words(double seconds) {
  return format_quantity({seconds, "s", Origin::Model, ""}, "time").value_or("?");
}

// "with the rate of L2 left out": what a sentence over N knows no better than the times.
std::string left_out(const EstimateSheet& sheet) {
  std::string out;
  for (const Roof roof : sheet.of(sheet.fused).unknown)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", name_of(roof));
  return out.empty() ? out : fmt::format(", with the rate of {} left out", out);
}

// From which N on the longest roof is no longer DRAM's.
std::string bound_words(const EstimateSheet& sheet) {
  const std::string_view name = info_of(sheet.fused).name;
  const std::string far = with_commas(kLongest);
  const auto& [past, computes] = sheet.bound;
  const auto roof = name_of(sheet.of(sheet.fused).binds);
  if (computes && past == computes)
    return fmt::format("{} is compute-bound from N = {} on (up to {}, as far as was looked{}).", name,
                       with_commas(*computes), far, left_out(sheet));
  if (computes)
    return fmt::format(
        "{}'s longest roof is not DRAM from N = {} on, and {} is compute-bound from N = {} on (up to {}, as far as was "
        "looked{}).",
        name, with_commas(*past), name, with_commas(*computes), far, left_out(sheet));
  if (past)
    return fmt::format(
        "{}'s longest roof is not DRAM from N = {} on (up to {}, as far as was looked{}), but {} does not stay "
        "compute-bound; here it is {}.",
        name, with_commas(*past), far, left_out(sheet), name, roof);
  return fmt::format(
      "At N = {}, as far as was looked, DRAM is {}'s longest roof: it does not stay compute-bound. Here it "
      "does {} FLOP for each byte of DRAM.",
      far, name, number_words(sheet.of(sheet.fused).intensity[size_t(Roof::Dram)]));
}

std::string rule_words(const EstimateSheet& sheet) {
  const Problem& p = sheet.problem;
  const Multiply by = info_of(sheet.fused).estimate.multiply;
  const double ridge = sheet.roofs.ridge(Roof::Dram, by);
  return fmt::format("The rule of thumb, {} · ridge{}: N = {}; {} with L counted{}.",
                     bytes_of(p.format) * (p.mask == Mask::Causal ? 2 : 1),
                     ridge == sheet.roofs.ridge() ? "" : fmt::format(" of mma.sync ({:.1f})", ridge),
                     with_commas(int64_t(std::llround(compute_bound_about(ridge, p)))),
                     with_commas(compute_bound_exact(ridge, p)),
                     sheet.levels == Levels::TwoLevel ? ", where L2 keeps what is read again" : "");
}

std::string saturation_words(const EstimateSheet& sheet) {
  const std::string_view name = info_of(sheet.fused).name;
  const Saturation& s = sheet.saturation;
  const std::string far = with_commas(kLongest);
  if (s.n)
    return fmt::format(
        "{}'s win over standard stays within 5 % of its limit, {}, from N = {} on (up to {}, as far as was looked{}).",
        name, times(s.limit), with_commas(*s.n), far, left_out(sheet));
  return fmt::format(
      "{}'s win over standard would be {} for long N on multiprocessors that are all busy; few blocks and their last "
      "waves keep it from settling within 5 % of that: from N = {} to {} it is {}{}.",
      name, times(s.limit), with_commas(kLongest / 2), far,
      times(s.least) == times(s.most) ? times(s.least) : fmt::format("{} to {}", times(s.least), times(s.most)),
      left_out(sheet));
}

// What splitting K and V is worth. Nobody says how much bandwidth a few busy multiprocessors draw: no more than L2
// gives each, which the estimate counts, and no less than each one's share of DRAM's.
std::string split_words(const EstimateSheet& sheet) {
  const Estimate& split = sheet.of(Method::Fa2);
  const Work& work = sheet.works[size_t(Method::Fa2)];
  const int64_t blocks = work.passes.front().blocks.count, busy = blocks / work.splits, sms = sheet.roofs.sms;
  const double least = sheet.unsplit->time;
  const double most = std::max(least, (*sheet.unsplit)[Roof::Dram] * sheet.roofs.sms / double(busy));
  return fmt::format(
      "K and V are cut into {} splits, so that {} multiprocessors pull. With one block for each Q tile FA2 would keep "
      "{} "
      "busy, and take {} if each drew {}, {} if each drew its even share of DRAM's bandwidth: {:.2f} to {:.2f} times "
      "as long.",
      work.splits, blocks < sms ? fmt::format("{} of {}", blocks, sms) : fmt::format("all {}", sms), busy,
      turn_words(least), sheet.roofs[Roof::L2] ? "all that L2 gives it" : "whatever it asks for", turn_words(most),
      least / split.time, most / split.time);
}

}  // namespace

void print_turns(const EstimateSheet& sheet, Console& console) {
  const auto say = [&](const std::string& text) {
    fmt::print(console.out, "  {}\n", wrapped(text, console.columns - 2, 4));
  };
  const Problem& p = sheet.problem;
  const double ridge = sheet.roofs.ridge();
  fmt::print(console.out, "\n{}\n", inked(console, Ink::Bold, "Where it turns"));
  if (ridge > 0) say(fmt::format("Ridge: {:.1f} FLOP for each byte.", ridge));
  if (sheet.decode()) {
    say(fmt::format("One query does {} FLOP for each byte of K and V: bandwidth is all that counts.",
                    number_words(decode_intensity(p))));
    if (sheet.unsplit) say(split_words(sheet));
    return;
  }
  if (!sheet.square()) {
    const Estimate& fused = sheet.of(sheet.fused);
    say(fmt::format(
        "{} queries against {} keys: {} is the longest roof of {}, which does {} FLOP for each byte of DRAM.",
        with_commas(p.n_q), with_commas(p.n_k), name_of(fused.binds), info_of(sheet.fused).name,
        number_words(fused.intensity[size_t(Roof::Dram)])));
    if (sheet.unsplit) say(split_words(sheet));
    say("From which N on that turns, and the rules over N, are said of as many queries as keys: give --n alone.");
    return;
  }
  const bool forward = sheet.direction == Direction::Forward;
  if (ridge > 0) say(bound_words(sheet));
  if (ridge > 0 && forward) say(rule_words(sheet));
  if (!sheet.of(sheet.fused).why_not.empty()) return;
  say(saturation_words(sheet));
  if (ridge > 0 && forward) {
    const double eta = eta_of_law(sheet.fused, p, sheet.roofs);
    say(
        fmt::format("The law for long N, {} η · ridge / d: {} at η = 1, {} at the model's η = {:.2f}; the model itself "
                    "says {}.",
                    bytes_of(p.format) * (p.mask == Mask::Causal ? 2 : 1), times(law_win(ridge, p)),
                    times(law_win(ridge, p, eta)), eta, win_words(sheet.win_over(Method::Standard, sheet.fused))));
  }
}

}  // namespace tilewalk
