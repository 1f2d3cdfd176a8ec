// A unit of a backward walk in words: what becomes of the followed row, and what the keys of the tile receive.
#include "core/machine/words.h"
#include "core/playback/row_view.h"
#include "core/playback/told_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewalk {
namespace {

using enum StepKind;

// "A", "A and B", "A, B and C"
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t n = 0; n < names.size(); ++n) out += (n == 0 ? "" : n + 1 == names.size() ? " and " : ", ") + names[n];
  return out;
}

size_t largest(const std::vector<double>& values) {
  const auto less = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  return size_t(std::max_element(values.begin(), values.end(), less) - values.begin());
}

class BackwardTeller : ToldUnit {
 public:
  explicit BackwardTeller(const ToldUnit& unit)
      : ToldUnit(unit),
        now_(view_row(after, last().i, last().j, row)),
        was_(view_row(before, last().i, last().j, row)) {}

  Narration tell() const {
    if (turns() > 1) return several();
    if (did(GradientS)) return gradient_s();
    if (did(Recompute) || did(Exponentiate) || did(NormalizeP)) return weights();
    if (did(AccumulateDV)) return keys_side(Tensor::DV, now_.p, "times its weight");
    if (did(GradientP)) return gradient_p();
    if (did(AccumulateDQ)) return queries();
    if (did(AccumulateDK)) return keys_side(Tensor::DK, now_.ds, "times its dS");
    if (did(DotO)) return dot_o();
    if (did(DotP)) return dot_p();
    if (did(ConvertDQ)) return convert();
    return moves();
  }

 private:
  bool no_key() const { return (now_.lse && *now_.lse == kMinusInfinity) || (now_.l && *now_.l == 0); }
  std::string key(size_t c) const { return subscript(key_number(int64_t(c))); }

  Narration weights() const {
    const std::vector<double>& p = now_.p;
    if (p.empty()) return moves();
    if (no_key())
      return {fmt::format("Row {} saw no key in the forward pass: its weights are 0.", row_number()), "p = 0"};
    const size_t c = largest(p);
    if (did(Exponentiate) && !did(NormalizeP))
      return {fmt::format("Row {}'s weights are made again from its scores and the m that the forward pass kept.",
                          row_number()),
              ""};
    std::string formula;
    if (!was_.s.empty() && now_.lse && p[c] > 0)
      formula = fmt::format("p{} = e^({}) = {}", element(int64_t(c)), exponent(was_.s[c], *now_.lse, p[c]), num(p[c]));
    else if (!was_.s.empty() && now_.m && now_.l && p[c] > 0)
      formula = fmt::format("p{} = e^({}) / {} = {}", element(int64_t(c)), minus(was_.s[c], *now_.m), num(*now_.l),
                            num(p[c]));
    else if (!was_.p.empty() && now_.l)
      formula = fmt::format("p{} = {} / {} = {}", element(int64_t(c)), num(was_.p[c]), num(*now_.l), num(p[c]));
    return {fmt::format("Row {}'s weights come back without having been stored. Key {} weighs {} again.", row_number(),
                        key_number(int64_t(c)), in_caption(p[c])),
            formula};
  }

  Narration gradient_p() const {
    if (now_.dp.empty()) return moves();
    const size_t c = largest(now_.dp);
    return {
        fmt::format("Row {}'s dO meets the values in {}: key {}'s weight would move the loss most, by {}.",
                    row_number(), name(Tensor::V), key_number(int64_t(c)), in_caption(now_.dp[c])),
        fmt::format("dp{} = dO{} · v{} = {}", element(int64_t(c)), subscript(row_number()), key(c), num(now_.dp[c]))};
  }

  Narration gradient_s() const {
    if (now_.ds.empty() || !now_.d) return moves();
    const size_t c = largest(now_.ds);
    std::string formula;
    if (!was_.dp.empty() && !now_.p.empty())
      formula = fmt::format("ds{} = {} = {}", element(int64_t(c)), product(now_.p[c], was_.dp[c], *now_.d, now_.ds[c]),
                            num(now_.ds[c]));
    if (now_.ds[c] == 0)
      return {fmt::format("Row {} gives no weight to the keys of {}: their scores get no gradient.", row_number(),
                          name(Tensor::K)),
              formula};
    return {fmt::format("Row {}'s scores count by their weight, and by how far dP lies from its average D = {}.",
                        row_number(), in_caption(*now_.d)),
            formula};
  }

  Narration queries() const {
    if (now_.dq.empty()) return moves();
    if (did(AddDQ))
      return {fmt::format("{}'s share is added to {} in memory: other K/V tiles add to the same rows.", name(Tensor::K),
                          name(Tensor::DQ)),
              fmt::format("{} += {}  in memory", first_of(Tensor::DQ), num(now_.dq[0]))};
    const bool fresh = last().has(Step::kFresh) || was_.dq.empty();
    const double old = fresh ? 0 : was_.dq[0];
    const std::string formula =
        fmt::format("{} = {} {} {} = {}", first_of(Tensor::DQ), num(old), now_.dq[0] < old ? "−" : "+",
                    num(std::fabs(now_.dq[0] - old)), num(now_.dq[0]));
    if (fresh)
      return {fmt::format("What {} means for {}: the keys, each times its dS, summed on chip.", name(Tensor::K),
                          name(Tensor::DQ)),
              formula};
    return {fmt::format("{} takes in the keys of {}, each times its dS{}.", name(Tensor::DQ), name(Tensor::K),
                        did(StoreDQ) ? ", and goes back to memory" : ""),
            formula};
  }

  // dV or dK: what the key that the followed row cares about most receives.
  Narration keys_side(Tensor tensor, const std::vector<double>& by, std::string_view times) const {
    const Resident *new_tile = resident_of(after, tensor, last().i, last().j),
                   *old_tile = resident_of(before, tensor, last().i, last().j);
    if (!new_tile || by.empty()) return moves();
    const auto c = int64_t(largest(by));
    const double now = new_tile->data->at(c, 0), was = old_tile ? old_tile->data->at(c, 0) : 0;
    const std::string_view from = tensor == Tensor::DV ? "dO" : "Q";
    return {fmt::format("Each row of {} takes in the rows of {}{}, {}. {}.", name(tensor), from,
                        subscript(last().i + 1), times,
                        by[size_t(c)] == 0 ? fmt::format("Row {} adds nothing", row_number())
                                           : fmt::format("For row {} and key {} that is {}", row_number(),
                                                         key_number(c), in_caption(by[size_t(c)]))),
            fmt::format("{}[{}, 1] = {} {} {} = {}", symbol_of(tensor), key_number(c), num(was), now < was ? "−" : "+",
                        num(std::fabs(now - was)), num(now))};
  }

  Narration dot_o() const {
    if (!now_.d) return moves();
    return {fmt::format("Row {} of dO and row {} of O meet: one number, the row's average of dP, weighted by P.",
                        row_number(), row_number()),
            fmt::format("D = dO{} · O{} = {}", subscript(row_number()), subscript(row_number()), num(*now_.d))};
  }

  Narration dot_p() const {
    if (!now_.d) return moves();
    const double old = last().has(Step::kFresh) ? 0 : was_.d.value_or(0);
    return {fmt::format("Row {} adds up weight times dP over the keys of {}: D needs the whole row.", row_number(),
                        name(Tensor::P)),
            fmt::format("D = {} {} {} = {}", num(old), *now_.d < old ? "−" : "+", num(std::fabs(*now_.d - old)),
                        num(*now_.d))};
  }

  Narration convert() const {
    const std::string_view verb = plan.problem.arithmetic == Arithmetic::Kernel ? "is rounded to" : "will be stored as";
    return {fmt::format("{} has got every K/V tile's share and {} {}.", name(Tensor::DQ), verb,
                        name_of(plan.problem.format)),
            {}};
  }

  // Loads, stores and zeros: what moved, and how much.
  Narration moves() const {
    std::vector<std::string> loaded, stored, zeroed;
    for (const Step& step : steps) {
      const Engine engine = info_of(step.kind).engine;
      if (engine == Engine::Load || engine == Engine::Store)
        for (Tensor t : moved_tensors(step.kind))
          if (t != kNoTensor) (engine == Engine::Load ? loaded : stored).push_back(name(t));
      if (step.kind == InitDQ) zeroed.push_back(name(Tensor::DQ));
      if (step.kind == InitDK) zeroed.push_back(name(Tensor::DK));
      if (step.kind == InitDV) zeroed.push_back(name(Tensor::DV));
    }
    const auto bytes = [](const Meters& m) { return m.fill_bytes() + m.drain_bytes(); };
    const std::string moved = bytes_words(bytes(after.meters) - bytes(before.meters));
    if (!stored.empty() && !zeroed.empty())
      return {fmt::format("{} {} at 0 in memory, {}.", listed(zeroed), zeroed.size() == 1 ? "starts" : "start", moved),
              {}};
    if (!stored.empty())
      return {fmt::format("{} {} to memory, {}.{}", listed(stored), stored.size() == 1 ? "goes" : "go", moved,
                          did(StoreDK) && !schedule.scores_in_memory ? " No P and no dS ever did." : ""),
              {}};
    if (!loaded.empty())
      return {fmt::format("{} {} from memory, {}.{}", listed(loaded), loaded.size() == 1 ? "comes" : "come", moved,
                          zeroed.empty()
                              ? ""
                              : fmt::format(" {} {} at 0.", listed(zeroed), zeroed.size() == 1 ? "starts" : "start")),
              {}};
    if (!zeroed.empty())
      return {fmt::format("{} {} at 0.", listed(zeroed), zeroed.size() == 1 ? "starts" : "start"), {}};
    return {std::string(info_of(last().kind).meaning), std::string(info_of(last().kind).formula)};
  }

  // A whole turn of the outer loop, or more.
  Narration several() const {
    const bool one_row = steps.front().section == last().section && steps.front().pass == last().pass;
    if (one_row && schedule.keys_outside && did(LoadK))
      return {fmt::format("{} and {} have met {} Q tiles, {} last.{}", name(Tensor::K), name(Tensor::V), turns(),
                          name(Tensor::Q),
                          did(StoreDV) ? fmt::format(" {} and {} are complete.", name(Tensor::DK), name(Tensor::DV))
                                       : std::string()),
              {}};
    return {fmt::format("{}: {} more tiles are done.", schedule.passes[last().pass], turns()), {}};
  }

  RowView now_, was_;
};

}  // namespace

Narration narrate_backward(const ToldUnit& unit) { return BackwardTeller(unit).tell(); }

}  // namespace tilewalk
