#include "app/panels/room_votes.h"

#include "app/text/text.h"
#include "core/lesson/answer.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace tilewalk {
namespace {

int all_of(const std::array<int, kSureLevels>& votes) { return std::accumulate(votes.begin(), votes.end(), 0); }

// Of a round's votes: a round that fewer answered is no shorter.
float share_of(const ClassVotes::Round& round, int votes) { return float(votes) / float(std::max(1, round.votes)); }

float most_of(const ClassVotes& votes) {
  float most = 0;
  for (const ClassVotes::Round& round : votes.rounds)
    for (const auto& option : round.options) most = std::max(most, share_of(round, all_of(option)));
  return most > 0 ? most : 1;
}

// Sure, rather sure, a guess: from full to empty, so that it reads without colours.
void part(Scene& scene, const Style& st, Rect r, int sure) {
  const Color fill = sure == int(Sure::Sure)     ? st[Role::Inverse]
                     : sure == int(Sure::Rather) ? with_alpha(st[Role::Inverse], 0.45f)
                                                 : st[Role::Background];
  scene.box(r, 0, fill, st[Role::Text], st.px(1.5f));
}

// What a line of numbers reaches from and to, guesses that are some powers of ten apart by their logarithms. The eighth
// of the numbers at either end reaches no farther out than those between them lie apart: an absurd number leaves the
// others their room.
class Reach {
 public:
  explicit Reach(std::vector<double> all) {
    std::ranges::sort(all);
    const size_t cut = all.size() < 4 ? 0 : (all.size() + 7) / 8;
    const std::vector<double> inner(all.begin() + long(cut), all.end() - long(cut));
    const auto [least, most] = std::ranges::minmax(inner);
    logarithmic_ = least > 0 && most > 20 * least;
    const double span = scaled(most) - scaled(least), near = span > 0 ? span : std::abs(scaled(most)) / 2;
    low_ = least, high_ = most;
    for (const double value : all)
      if (scaled(value) < scaled(least) - near)
        ++below_;
      else if (scaled(value) > scaled(most) + near)
        ++above_;
      else
        low_ = std::min(low_, value), high_ = std::max(high_, value);
  }
  double low() const { return low_; }
  double high() const { return high_; }
  bool logarithmic() const { return logarithmic_; }
  // Three to five round numbers on the line, round in a unit of `one`.
  std::vector<double> ticks(double one) const {
    std::vector<double> found;
    if (low_ == high_) return {low_};
    if (logarithmic_ && low_ > 0) {
      const int from = int(std::floor(std::log10(low_ / one))), to = int(std::ceil(std::log10(high_ / one)));
      const auto add = [&](double value) {
        if (value * one >= low_ && value * one <= high_) found.push_back(value * one);
      };
      for (int power = from; power <= to; ++power)
        for (const double k : {1.0, 2.0, 5.0}) add(k * std::pow(10, power));
      if (found.size() > kMostTicks) {
        found.clear();
        for (int power = from; power <= to; ++power) add(std::pow(10, power));
      }
    } else {
      const double span = (high_ - low_) / one;
      for (int power = int(std::ceil(std::log10(span))); found.size() < kLeastTicks; --power)
        for (const double k : {5.0, 2.0, 1.0}) {
          const double step = k * std::pow(10, power);
          found.clear();
          for (double n = std::ceil(low_ / one / step - 1e-9); n * step <= high_ / one * (1 + 1e-9) + 1e-12; ++n)
            found.push_back(n * step * one + 0.0);  // no "-0"
          if (found.size() >= kLeastTicks) break;
        }
    }
    while (found.size() > kMostTicks) {  // every other one
      std::vector<double> fewer;
      for (size_t k = 0; k < found.size(); k += 2) fewer.push_back(found[k]);
      found = std::move(fewer);
    }
    return found;
  }
  // What the line does not say by itself: its scale, and numbers that lie outside, which stand at the ends.
  std::string remark() const {
    std::string out = logarithmic_ ? "Logarithmic axis" : "";
    if (below_ + above_ == 0) return out;
    out += out.empty() ? "Hollow: " : ". Hollow: ";
    if (below_) out += fmt::format("{} far below", below_);
    if (above_) out += fmt::format("{}{} far above", below_ ? ", " : "", above_);
    return out;
  }
  bool holds(double value) const { return value >= low_ && value <= high_; }
  float share(double value) const {  // 0 at low, 1 at high
    if (low_ == high_) return value < low_ ? 0.0f : value > high_ ? 1.0f : 0.5f;
    return float((scaled(std::clamp(value, low_, high_)) - scaled(low_)) / (scaled(high_) - scaled(low_)));
  }

 private:
  static constexpr size_t kLeastTicks = 3, kMostTicks = 5;
  double scaled(double value) const { return !logarithmic_ ? value : value > 0 ? std::log(value) : -1e9; }

  bool logarithmic_ = false;
  double low_ = 0, high_ = 0;
  int below_ = 0, above_ = 0;
};

// A round number: "5", "2,000 µs", "3×".
std::string tick_words(double value, std::string_view unit) {
  const bool whole = std::fabs(value) >= 1000 && std::fabs(value) < 1e15;
  const std::string number = whole ? with_commas(std::llround(value)) : fmt::format("{:.6g}", value);
  return is_unit(unit) ? fmt::format("{}{}{}", number, unit == "×" ? "" : " ", unit) : number;
}

// The last two rounds are shown.
size_t first_shown(const ClassVotes& votes) { return votes.rounds.size() > 2 ? votes.rounds.size() - 2 : 0; }

}  // namespace

void draw_votes(Scene& scene, const Style& st, Rect area, const ClassVotes& votes, size_t option, float size) {
  const size_t first = first_shown(votes), shown = votes.rounds.size() - first;
  if (shown == 0) return;
  const float number_w = text_width("999", Face::MonoBold, size) + st.px(8), longest = area.w - number_w;
  const float gap = st.px(3), h = (area.h - gap * float(shown - 1)) / float(shown);
  const float most = most_of(votes);
  for (size_t k = 0; k < shown; ++k) {
    const ClassVotes::Round& round = votes.rounds[first + k];
    if (option >= round.options.size()) continue;
    const float y = area.y + float(k) * (h + gap);
    float x = area.x;
    for (int sure = kSureLevels - 1; sure >= 0; --sure) {
      const float w = longest * share_of(round, round.options[option][size_t(sure)]) / most;
      if (w > 0) part(scene, st, {x, y, w, h}, sure);
      x += w;
    }
    const float type = std::min(size, h);
    scene.label({x + st.px(8), y, number_w, h}, std::to_string(all_of(round.options[option])), Face::MonoBold, type,
                st[Role::Text]);
  }
}

void draw_votes_key(Scene& scene, const Style& st, Rect line, const ClassVotes& votes, float wanted) {
  constexpr std::array<std::string_view, kSureLevels> kWords{"a guess", "rather sure", "sure"};
  const size_t first = first_shown(votes), shown = votes.rounds.size() - first;
  const std::string rounds = shown > 1 ? fmt::format("upper bar: before, n = {}, lower: after talking it over, n = {}",
                                                     votes.rounds[first].votes, votes.rounds[first + 1].votes)
                             : shown > 0 ? fmt::format("n = {}", votes.rounds[first].votes)
                                         : std::string();
  // How long all of it is at a size of one; it is set smaller where the line is shorter.
  float length = text_width(rounds, Face::Sans, 1);
  for (const std::string_view words : kWords) length += 2.6f + text_width(words, Face::Sans, 1);
  const float size = std::min(wanted, line.w / (length * 1.02f)), box = size * 0.8f;
  float x = line.x;
  const auto put = [&](std::string_view words) {
    const float w = text_width(words, Face::Sans, size) + st.px(1);
    scene.label({x, line.y, w, line.h}, words, Face::Sans, size, st[Role::TextSecondary]);
    x += w + size;
  };
  for (int sure = kSureLevels - 1; sure >= 0; --sure) {
    part(scene, st, {x, line.center().y - box / 2, size * 1.1f, box}, sure);
    x += size * 1.5f;
    put(kWords[size_t(sure)]);
  }
  if (!rounds.empty()) put(rounds);
}

void draw_numbers(Scene& scene, const Style& st, Rect whole, const ClassVotes& votes, const Question& question,
                  float size, float told) {
  told = std::max(told, size);
  const size_t first = first_shown(votes), shown = votes.rounds.size() - first;
  // Two rounds have their names left of the line, where no dot and no answer comes.
  const float names = shown > 1 ? text_width("before", Face::Sans, size * 0.8f) + st.px(14) : 0;
  const Rect area{whole.x + names, whole.y, whole.w - names, whole.h};
  std::vector<double> all;
  for (size_t k = first; k < votes.rounds.size(); ++k)
    all.insert(all.end(), votes.rounds[k].numbers.begin(), votes.rounds[k].numbers.end());
  if ((all.empty() && !votes.answer) || shown == 0) return;
  if (all.empty()) all.push_back(*votes.answer);
  const Reach reach(std::move(all));  // the same before the answer is told and after
  const float pad = size * 2.4f, tick_h = size * 1.2f, foot = size * 2.3f, head = size * 0.5f + told;
  const auto x_of = [&](double value) { return area.x + pad + (area.w - 2 * pad) * reach.share(value); };
  const auto words_of = [&](double value) {
    const auto own = answer_in_unit(value, question);
    return own ? *own : number_words(value);
  };
  const float rows = area.h - foot - head, strip = rows / float(shown), dot = std::min(strip * 0.14f, st.px(9));
  if (votes.answer) {
    const double answer = *votes.answer;
    std::string words = words_of(answer);  // beyond the line where nobody said a number like it
    if (answer < reach.low()) words = "← " + words;
    if (answer > reach.high()) words += " →";
    const float x = x_of(answer), w = text_width(words, Face::MonoBold, told) + st.px(4);
    scene.line({x, area.y + head}, {x, area.y + head + rows}, st[Role::RightText], st.px(3));
    const float left = std::clamp(x - w / 2, area.x, area.right() - w);
    scene.label({left, area.y, w, head}, words, Face::MonoBold, told, st[Role::RightText], Align::Center);
  }
  for (size_t k = 0; k < shown; ++k) {
    const float base = area.y + head + strip * float(k + 1) - dot;
    scene.line({area.x, base + dot}, {area.right(), base + dot}, st[Role::Border], st.px(2));
    if (shown > 1)
      scene.label({whole.x, base + dot - size * 1.2f, names, size * 1.2f}, k == 0 ? "before" : "after", Face::Sans,
                  size * 0.8f, st[Role::TextSecondary]);
    // Those that would lie on one another stand on one another, closer where they are many.
    const std::vector<double>& numbers = votes.rounds[first + k].numbers;
    const auto column_of = [&](double number) { return int(std::max(0.0f, (x_of(number) - area.x) / (2 * dot))); };
    std::map<int, int> standing, stood;
    for (const double number : numbers) ++standing[column_of(number)];
    bool mine = k + 1 == shown && votes.mine.has_value();  // the first of those numbers is taken for it
    for (const double number : numbers) {
      const float x = x_of(number);
      const int column = column_of(number), below = stood[column]++;
      const float up =
          float(below) * std::min(2 * dot, (strip - 3 * dot) / std::max(1.0f, float(standing[column] - 1)));
      const bool own = mine && number == *votes.mine, inside = reach.holds(number);
      mine = mine && !own;
      scene.box({x - dot, base - up - dot, 2 * dot, 2 * dot}, dot,
                st[own      ? Role::Accent
                   : inside ? Role::Inverse
                            : Role::Background],
                st[own || !inside ? Role::Text : Role::Background], st.px(own || !inside ? 2.5f : 1));
    }
  }
  const float y = area.bottom() - foot, type = size * 0.8f;
  float free = area.x;  // left of it a tick has its words
  const double one = typed_number("1", question).value_or(1);
  for (const double tick : reach.ticks(one)) {
    const std::string words = tick_words(tick / one, question.unit);
    const float w = text_width(words, Face::Mono, type) + st.px(4), x = x_of(tick);
    const float left = std::clamp(x - w / 2, area.x, std::max(area.x, area.right() - w));
    scene.line({x, y - st.px(4)}, {x, y + st.px(2)}, st[Role::Border], st.px(2));
    if (left < free) continue;
    scene.label({left, y, w, tick_h}, words, Face::Mono, type, st[Role::TextSecondary], Align::Center);
    free = left + w + st.px(8);
  }
  if (const std::string remark = reach.remark(); !remark.empty())
    scene.label({area.x, y + tick_h, area.w, foot - tick_h}, remark, Face::Sans,
                std::min(type, area.w / (text_width(remark, Face::Sans, 1) * 1.02f)), st[Role::TextSecondary]);
}

}  // namespace tilewalk
