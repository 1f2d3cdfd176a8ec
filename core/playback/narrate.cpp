#include "core/playback/narrate.h"

#include "core/io/number.h"
#include "core/playback/row_view.h"
#include "core/playback/told_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace tilewalk {

std::string in_caption(double value) { return num(value); }
std::string factor(double value) { return value < 0 ? fmt::format("({})", num(value)) : num(value); }
std::string minus(double a, double b) {
  return b < 0 && std::isfinite(b) ? fmt::format("{} + {}", num(a), num(-b)) : fmt::format("{} − {}", num(a), num(b));
}

namespace {

double rounded(double value, int digits) { return number_or(fmt::format("{:.{}g}", value, digits), 0.0); }

// All digits that a rounded value has.
std::string plain(double value) {
  std::string text = fmt::format("{:.8g}", std::fabs(value));
  if (text.find('e') != std::string::npos) text = number_words(std::fabs(value));
  return value < 0 ? "−" + text : text;
}

// How many digits of each term it takes for who computes with what is shown to get the result that is shown.
template <typename Compute>
int digits_for(double result, const Compute& compute) {
  int digits = 3;
  while (digits < 8 &&
         number_words(compute([&](double value) { return rounded(value, digits); })) != number_words(result))
    ++digits;
  return digits;
}

std::string difference(double a, double b, int digits) {
  if (digits == 3) return minus(a, b);
  return fmt::format("{} {} {}", plain(rounded(a, digits)), b < 0 ? "+" : "−", plain(std::fabs(rounded(b, digits))));
}

}  // namespace

std::string exponent(double a, double b, double result) {
  if (!std::isfinite(a) || !std::isfinite(b)) return minus(a, b);
  return difference(a, b, digits_for(result, [&](const auto& shown) { return std::exp(shown(a) - shown(b)); }));
}
std::string product(double weight, double a, double b, double result) {
  const int digits = digits_for(result, [&](const auto& shown) { return shown(weight) * (shown(a) - shown(b)); });
  return fmt::format("{} × ({})", digits == 3 ? num(weight) : plain(rounded(weight, digits)), difference(a, b, digits));
}

namespace {

// "l = 1 × 1.47 + 0.179 = 1.65", with as many digits as it takes for who adds up what is shown to get what is shown.
std::string sum_formula(std::optional<double> alpha, double before, double sum, double after) {
  const auto shown = [](double value, int digits) {
    const bool whole = std::fabs(value) < 1000 && value == std::nearbyint(value);
    return number_words(value, whole ? 1 : digits);
  };
  const auto as_read = [](const std::string& words) { return number_or(words, 0.0); };  // none of them is negative
  std::string words;
  for (int digits = 3; digits <= 6; ++digits) {
    const std::string a = alpha ? shown(*alpha, digits) : "", b = shown(before, digits), c = shown(sum, digits),
                      d = shown(after, digits);
    const std::string now =
        alpha ? fmt::format("l = {} × {} + {} = {}", a, b, c, d) : fmt::format("l = {} + {} = {}", b, c, d);
    if (words.empty()) words = now;
    if (shown((alpha ? as_read(a) : 1) * as_read(b) + as_read(c), digits) == d) return now;
  }
  return words;
}

using enum StepKind;

std::string keys_words(int64_t first, int64_t count) {
  if (count == 1) return fmt::format("Key {}", first);
  return fmt::format("Keys {} {} {}", first, count == 2 ? "and" : "to", first + count - 1);
}

// Tells one unit of a walk for one row. Each method gives caption and formula of one kind of step.
class Teller : ToldUnit {
 public:
  explicit Teller(const ToldUnit& unit)
      : ToldUnit(unit),
        now_(view_row(after, last().i, last().j, row)),
        was_(view_row(before, last().i, last().j, row)) {
    const RowView stored = view_row_in_memory(before, plan, last().i, last().j, row);
    m_old_ = was_.m.value_or(stored.m.value_or(kMinusInfinity));
    l_old_ = was_.l.value_or(stored.l.value_or(0));
    m_ = now_.m.value_or(m_old_);
    l_ = now_.l.value_or(l_old_);
    alpha_ = now_.alpha.value_or(1);
  }

  Narration tell() const {
    const bool scores = turns() == 1 && (last().kind == Score || last().kind == Mask);
    if (schedule.backward() && !scores) return narrate_backward(*this);
    if (turns() > 1) return several();
    if (const std::optional<Narration> broken = narrate_mistake(*this)) return *broken;
    // A whole tile: what a first max begins is no sum yet, else its formula shows what shrank.
    if (did(RowMax) && did(RowSum) && m_old_ != kMinusInfinity) return {row_max().caption, row_sum().formula};
    if (did(RowMax)) return row_max();
    if (did(RowSum) || did(Exponentiate)) return weights();
    if (did(Accumulate) || did(Rescale)) return output();
    if (did(Convert)) return convert();
    if (did(Normalize) || did(LogSumExp)) return finish();
    if (did(Mask)) return mask();
    if (did(Score) && !now_.s.empty()) return score();  // empty: a unit that ends with another tile's step
    if (did(NormalizeP)) return normalize_p();
    if (did(Denormalize) && l_ > 0) return denormalize();
    return narrate_moves(*this);
  }

 private:
  std::string first_of_o() const { return first_of(Tensor::O); }
  std::string key_name(int64_t c) const { return subscript(key_number(c)); }
  int64_t cols() const { return plan.tiling.cols(last().j); }
  // Keys of the tile that the mask hides from the row: the last ones.
  int64_t hidden() const {
    int64_t count = 0;
    for (int64_t c = 0; c < cols(); ++c) count += !plan.tiling.visible(row_number() - 1, last().j * plan.tiling.bc + c);
    return count;
  }
  const std::vector<double>& scores() const { return now_.s.empty() ? was_.s : now_.s; }

  Narration score() const {
    const std::vector<double>& s = now_.s;
    const int64_t c = std::max_element(s.begin(), s.end()) - s.begin();
    const std::string caption =
        s.size() == 1
            ? fmt::format("Row {} meets the one key of {}: its score is {}.", row_number(), name(Tensor::K),
                          in_caption(s[0]))
            : fmt::format("Row {} meets the {} keys of {}. Key {} matches it best: its score is {}.", row_number(),
                          s.size(), name(Tensor::K), last().j * plan.tiling.bc + c + 1, in_caption(s[size_t(c)]));
    return {caption, score_formula(c)};
  }

  std::string score_formula(int64_t c) const {
    const Resident* k = resident_of(after, Tensor::K, last().i, last().j);
    if (!k || now_.q.empty() || now_.s.empty()) return {};
    const double dot = std::inner_product(now_.q.begin(), now_.q.end(), k->data->row(c), 0.0);
    const std::string left =
        fmt::format("s{} = q{} · k{}", key_number(c) < 10 ? "" : element(c), subscript(row_number()), key_name(c));
    const double scale = plan.problem.softmax_scale();
    if (scale == 1) return fmt::format("{} = {}", left, num(now_.s[size_t(c)]));
    if (plan.problem.scale == 0)
      return fmt::format("{} / √d = {} / {} = {}", left, num(dot), num(1 / scale), num(now_.s[size_t(c)]));
    return fmt::format("{} × scale = {} × {} = {}", left, num(dot), num(scale), num(now_.s[size_t(c)]));
  }

  Narration mask() const {
    const int64_t count = hidden(), first_key = last().j * plan.tiling.bc + 1;
    if (count == 0)
      return {fmt::format("Row {} may see every key of {}; rows above it may not.", row_number(), name(Tensor::K)),
              fmt::format("s = −∞ where key > {}", row_number() + plan.tiling.offset)};
    const std::string formula = fmt::format("s = −∞ where key > {}", row_number() + plan.tiling.offset);
    if (count == cols() && count > 1)
      return {
          fmt::format("All keys of {} lie in row {}'s future: their scores become −∞.", name(Tensor::K), row_number()),
          formula};
    return {fmt::format("{} {} in row {}'s future: {} −∞.", keys_words(first_key + cols() - count, count),
                        count == 1 ? "lies" : "lie", row_number(),
                        count == 1 ? "its score becomes" : "their scores become"),
            formula};
  }

  Narration row_max() const {
    const bool final_max = last().has(Step::kFinalMax);
    const double tile_max = scores().empty() ? m_ : *std::max_element(scores().begin(), scores().end());
    const std::string max = fmt::format("m = max({}, {}) = {}", num(m_old_), num(tile_max), num(m_));
    if (m_ == m_old_) {
      const std::string formula = final_max ? max : max + ";  α = 1";
      if (m_ == kMinusInfinity)
        return {fmt::format("Row {} may see none of these keys, so it still has no max.", row_number()), formula};
      if (final_max)
        return {fmt::format("No score in {} beats row {}'s max of {}.", name(Tensor::S), row_number(), in_caption(m_)),
                formula};
      return {fmt::format("No score in {} beats row {}'s max of {}, so α = 1 and nothing shrinks.", name(Tensor::K),
                          row_number(), in_caption(m_)),
              formula};
    }
    const std::string formula =
        final_max ? max : fmt::format("{};  α = e^({}) = {}", max, exponent(m_old_, m_, alpha_), num(alpha_));
    if (m_old_ == kMinusInfinity)
      return {fmt::format("Row {}'s largest score so far is {}.", row_number(), in_caption(m_)), formula};
    return {narrate_rise(*this, m_, summed()), formula};
  }

  bool summed() const {
    return l_old_ != 0 || std::any_of(was_.o.begin(), was_.o.end(), [](double x) { return x != 0; });
  }

  double tile_sum() const {
    double sum = 0;
    for (double p : now_.p) sum += p;
    return sum;
  }

  // The largest weight below 1, where there is one: e^0 teaches little.
  std::string weight_formula() const {
    if (was_.s.empty() || m_ == kMinusInfinity) return {};
    int64_t best = -1;
    for (int64_t c = 0; c < int64_t(was_.s.size()); ++c) {
      const double s = was_.s[size_t(c)];
      if (s == kMinusInfinity) continue;
      if (best < 0 || (s < m_ && (was_.s[size_t(best)] == m_ || s > was_.s[size_t(best)]))) best = c;
    }
    if (best < 0) return {};
    return fmt::format("p{} = e^({}) = {}", element(best), exponent(was_.s[size_t(best)], m_, now_.p[size_t(best)]),
                       num(now_.p[size_t(best)]));
  }

  Narration weights() const {
    if (!did(RowSum)) {
      if (m_ == kMinusInfinity)
        return {fmt::format("Row {} has seen no key, so its weights are 0.", row_number()), "p = 0"};
      return {fmt::format("Each score of row {} becomes a weight, relative to its max of {}.", row_number(),
                          in_caption(m_)),
              weight_formula()};
    }
    const Narration sum = row_sum();
    const std::string weight = did(Exponentiate) ? weight_formula() : "";
    return {sum.caption, weight.empty() ? sum.formula : weight + ";  " + sum.formula};
  }

  Narration row_sum() const {
    const bool final_max = last().has(Step::kFinalMax);
    const double sum = tile_sum();
    const std::string formula = sum_formula(final_max ? std::nullopt : std::optional(alpha_), l_old_, sum, l_);
    std::string caption;
    if (sum == 0)
      caption = hidden() == cols()
                    ? fmt::format("Row {} may see none of these keys: its weights are 0, and l stays {}.", row_number(),
                                  num(l_))
                    : fmt::format("Next to its max, row {}'s weights here are too small to count; l stays {}.",
                                  row_number(), num(l_));
    else if (l_old_ == 0)
      caption = fmt::format("Row {}'s weights in {} add up to {}: that is its sum l so far.", row_number(),
                            name(Tensor::S), num(sum));
    else if (final_max || alpha_ == 1)
      caption = fmt::format("Row {}'s weights in {} add up to {}, and l grows from {} to {}.", row_number(),
                            name(Tensor::S), num(sum), num(l_old_), num(l_));
    else
      caption = fmt::format("The old sum {} shrinks by α = {}, then row {}'s new weights join it: l = {}.", num(l_old_),
                            num(alpha_), row_number(), num(l_));
    return {caption, formula};
  }

  // O = αO + PV: the rescale, the product, or both at once.
  Narration output() const {
    const std::vector<double> was =
        was_.o.empty() ? std::vector<double>(now_.o.size()) : was_.o;  // InitO is among the steps
    if (!did(Accumulate)) {
      const std::string formula =
          fmt::format("{} = {} × {} = {}", first_of_o(), num(alpha_), factor(was[0]), num(now_.o[0]));
      if (alpha_ == 1)
        return {fmt::format("Row {}'s max did not change: α = 1 and O stays as it is.", row_number()), formula};
      return {fmt::format("Row {} of O shrinks by α = {}, onto the scale of the new max.", row_number(), num(alpha_)),
              formula};
    }
    const double scaled = did(Rescale) ? alpha_ * was[0] : was[0];
    const bool rescaled = did(Rescale) && alpha_ != 1;
    const std::string left = rescaled ? fmt::format("{} × {}", num(alpha_), factor(was[0])) : num(was[0]);
    const double added = now_.o[0] - scaled;
    const std::string formula = fmt::format("{} = {} {} {} = {}", first_of_o(), left, added < 0 ? "−" : "+",
                                            num(std::fabs(added)), num(now_.o[0]));
    const std::string v = name(Tensor::V);
    if (tile_sum() == 0)
      return {
          fmt::format("Row {} gives no weight to the rows of {}, so its O takes nothing from them.", row_number(), v),
          formula};
    if (std::all_of(was.begin(), was.end(), [](double x) { return x == 0; }))
      return {fmt::format("Row {} of O starts as the sum of {}'s rows, each times its weight in {}.", row_number(), v,
                          name(Tensor::P)),
              formula};
    if (rescaled)
      return {fmt::format("Row {} of O shrinks by α = {}, then takes in {}'s rows, each times its weight.",
                          row_number(), num(alpha_), v),
              formula};
    if (did(Rescale))
      return {fmt::format("Row {}'s max held, so O keeps its scale. {}'s rows join it, each times its weight.",
                          row_number(), v),
              formula};
    return {
        fmt::format("Row {} of O takes in {}'s rows, each times its weight in {}.", row_number(), v, name(Tensor::P)),
        formula};
  }

  std::string lse_formula() const {
    if (!now_.lse) return {};
    if (*now_.lse == kMinusInfinity) return "L = −∞";
    return fmt::format("L = {} + log {} = {}", num(m_), num(l_), num(*now_.lse));
  }

  Narration finish() const {
    const bool divides = did(Normalize) && !was_.o.empty() && !now_.o.empty();
    if (l_ == 0) {
      const std::string zero = divides ? first_of_o() + " = 0" : "";
      const std::string lse = lse_formula();
      return {fmt::format("Row {} has seen no key: {}.", row_number(),
                          divides && !lse.empty() ? "its output stays 0 and its L is −∞"
                          : divides               ? "l is 0 and its output stays 0"
                                                  : "its L is −∞"),
              zero.empty() || lse.empty() ? zero + lse : zero + ";  " + lse};
    }
    if (!divides)
      return {fmt::format("L keeps row {}'s max and sum in one number, for the backward pass.", row_number()),
              lse_formula()};
    const std::string quotient =
        fmt::format("{} = {} / {} = {}", first_of_o(), num(was_.o[0]), num(l_), num(now_.o[0]));
    if (did(LogSumExp))
      return {fmt::format("Row {} is done: O is divided by l = {}, and L keeps max and sum for the backward pass.",
                          row_number(), num(l_)),
              quotient + ";  " + lse_formula()};
    return {fmt::format("Divided by l = {}, row {} of O is the average of the values{}.", num(l_), row_number(),
                        schedule.keys_outside ? " seen so far" : ""),
            quotient};
  }

  Narration convert() const {
    // Exact arithmetic only counts the smaller format's bytes.
    const std::string_view verb = plan.problem.arithmetic == Arithmetic::Kernel ? "is rounded to" : "will be stored as";
    return {fmt::format("{} {} {}{}.", name(Tensor::O), verb, name_of(plan.problem.format),
                        did(LogSumExp) ? ", and L = m + log l of each row is made" : ""),
            lse_formula()};
  }

  Narration normalize_p() const {
    std::string formula;
    if (!was_.p.empty() && !now_.p.empty()) {
      const int64_t c = std::max_element(was_.p.begin(), was_.p.end()) - was_.p.begin();
      if (l_ > 0)
        formula =
            fmt::format("p{} = {} / {} = {}", key_name(c), num(was_.p[size_t(c)]), num(l_), num(now_.p[size_t(c)]));
    }
    if (l_ == 0) return {fmt::format("Row {} has seen no key: its weights are 0.", row_number()), "p = 0"};
    return {fmt::format("Divided by l = {}, row {}'s weights add up to 1 over all keys.", num(l_), row_number()),
            formula};
  }

  Narration denormalize() const {
    std::string formula;
    if (!now_.o.empty()) {
      const double stored = was_.o.empty() || did(LoadO) ? now_.o[0] / l_ : was_.o[0];
      formula = fmt::format("{} = {} × {} = {}", first_of_o(), num(l_), factor(stored), num(now_.o[0]));
    }
    return {fmt::format("{} comes back as an average. Times l = {}, row {} is a sum again.", name(Tensor::O), num(l_),
                        row_number()),
            formula};
  }

  // A whole turn of the outer loop, or more.
  Narration several() const {
    const bool one_row = steps.front().section == last().section && steps.front().pass == last().pass;
    const std::string pass(schedule.passes[last().pass]);
    if (!one_row || schedule.scores_in_memory)
      return {fmt::format("{}: the tiles of row {} of {} are done.", pass, last().i + 1, plan.tiling.tr), {}};
    if (did(LoadK) && steps.front().i != last().i)
      return {fmt::format("{} and {} have met {} Q tiles, {} last.", name(Tensor::K), name(Tensor::V), turns(),
                          name(Tensor::Q)),
              {}};
    return {fmt::format("{} has met {} K/V tiles, {} last. Row {}'s max is now {}, its sum {}.", name(Tensor::Q),
                        turns(), name(Tensor::K), row_number(), in_caption(m_), num(l_)),
            lse_formula()};
  }

  RowView now_, was_;
  double m_old_, l_old_, m_, l_, alpha_;
};

}  // namespace

Narration narrate(std::span<const Step> steps, const MachineState& before, const MachineState& after, const Plan& plan,
                  const Schedule& schedule, int64_t row) {
  if (steps.empty() && schedule.backward())
    return {fmt::format("Q, K, V, dO and what the forward pass kept{} lie in memory. Step forward to begin.",
                        schedule.scores_in_memory ? ", P and all," : ""),
            {}};
  if (steps.empty()) return {"Q, K and V lie in memory; nothing is on chip yet. Step forward to begin.", {}};
  row = std::clamp<int64_t>(row, 0, plan.tiling.rows(steps.back().i) - 1);
  return Teller({steps, before, after, plan, schedule, row}).tell();
}

Narration narrate(Replay& replay, int64_t from, int64_t playhead, int64_t row) {
  playhead = std::clamp<int64_t>(playhead, 0, replay.length());
  from = std::clamp<int64_t>(from, 0, playhead);
  const MachineState before = replay.at(from);
  const std::span<const Step> steps(replay.steps().data() + from, size_t(playhead - from));
  return narrate(steps, before, replay.at(playhead), replay.plan(), replay.schedule(), row % replay.plan().tiling.br);
}

}  // namespace tilewalk
