#include "app/panels/room_votes.h"

#include "app/text/text.h"
#include "core/lesson/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace tilewalk {
namespace {

int all_of(const std::array<int, kSureLevels>& votes) { return std::accumulate(votes.begin(), votes.end(), 0); }

int most_of(const ClassVotes& votes) {
  int most = 1;
  for (const ClassVotes::Round& round : votes.rounds)
    for (const auto& option : round.options) most = std::max(most, all_of(option));
  return most;
}

// Sure, rather sure, a guess: from full to empty, so that it reads without colours.
void part(Scene& scene, const Style& st, Rect r, int sure) {
  const Color fill = sure == int(Sure::Sure)     ? st[Role::Inverse]
                     : sure == int(Sure::Rather) ? with_alpha(st[Role::Inverse], 0.45f)
                                                 : st[Role::Background];
  scene.box(r, 0, fill, st[Role::Text], st.px(1.5f));
}

// The last two rounds are shown.
size_t first_shown(const ClassVotes& votes) { return votes.rounds.size() > 2 ? votes.rounds.size() - 2 : 0; }

}  // namespace

void draw_votes(Scene& scene, const Style& st, Rect area, const ClassVotes& votes, size_t option, float size) {
  const size_t first = first_shown(votes), shown = votes.rounds.size() - first;
  if (shown == 0) return;
  const float number_w = text_width("999", Face::MonoBold, size) + st.px(8), longest = area.w - number_w;
  const float gap = st.px(3), h = (area.h - gap * float(shown - 1)) / float(shown);
  const float most = float(most_of(votes));
  for (size_t k = 0; k < shown; ++k) {
    const ClassVotes::Round& round = votes.rounds[first + k];
    if (option >= round.options.size()) continue;
    const float y = area.y + float(k) * (h + gap);
    float x = area.x;
    for (int sure = kSureLevels - 1; sure >= 0; --sure) {
      const float w = longest * float(round.options[option][size_t(sure)]) / most;
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
  const std::string_view rounds = votes.rounds.size() > 1 ? "upper bar: before, lower: after talking it over" : "";
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
                  float size) {
  const size_t first = first_shown(votes), shown = votes.rounds.size() - first;
  // Two rounds have their names left of the line, where no dot and no answer comes.
  const float names = shown > 1 ? text_width("before", Face::Sans, size * 0.8f) + st.px(14) : 0;
  const Rect area{whole.x + names, whole.y, whole.w - names, whole.h};
  std::vector<double> all;
  for (size_t k = first; k < votes.rounds.size(); ++k)
    all.insert(all.end(), votes.rounds[k].numbers.begin(), votes.rounds[k].numbers.end());
  if (votes.answer) all.push_back(*votes.answer);
  if (all.empty() || shown == 0) return;
  // Guesses are often some powers of ten apart.
  const auto [least, most] = std::ranges::minmax(all);
  const bool logarithmic = least > 0 && most > 20 * least;
  const auto scaled = [&](double value) { return logarithmic ? std::log(value) : value; };
  const double low = scaled(least), span = std::max(scaled(most) - low, 1e-12);
  const float pad = size * 2.4f, foot = size * 1.5f, head = votes.answer ? size * 1.5f : 0;
  const auto x_of = [&](double value) {
    return area.x + pad + (area.w - 2 * pad) * (most > least ? float((scaled(value) - low) / span) : 0.5f);
  };
  const auto words_of = [&](double value) {
    const auto own = answer_in_unit(value, question);
    return own ? *own : fmt::format("{:.3g}", value);
  };
  const float rows = area.h - foot - head, strip = rows / float(shown), dot = std::min(strip * 0.14f, st.px(9));
  if (votes.answer) {
    const float x = x_of(*votes.answer), w = text_width(words_of(*votes.answer), Face::MonoBold, size) + st.px(4);
    scene.line({x, area.y + head}, {x, area.y + head + rows}, st[Role::RightText], st.px(3));
    const float left = std::clamp(x - w / 2, area.x, area.right() - w);
    scene.label({left, area.y, w, head}, words_of(*votes.answer), Face::MonoBold, size, st[Role::RightText],
                Align::Center);
  }
  for (size_t k = 0; k < shown; ++k) {
    const float base = area.y + head + strip * float(k + 1) - dot;
    scene.line({area.x, base + dot}, {area.right(), base + dot}, st[Role::Border], st.px(2));
    if (shown > 1)
      scene.label({whole.x, base + dot - size * 1.2f, names, size * 1.2f}, k == 0 ? "before" : "after", Face::Sans,
                  size * 0.8f, st[Role::TextSecondary]);
    // Those that would lie on one another stand on one another.
    std::vector<float> highest;
    for (const double number : votes.rounds[first + k].numbers) {
      const float x = x_of(number);
      const auto column = size_t(std::max(0.0f, (x - area.x) / (2 * dot)));
      if (highest.size() <= column) highest.resize(column + 1, 0);
      const float up = std::min(highest[column], strip - 3 * dot);
      highest[column] += 2 * dot;
      scene.box({x - dot, base - up - dot, 2 * dot, 2 * dot}, dot, st[Role::Inverse], st[Role::Background], st.px(1));
    }
  }
  const float y = area.bottom() - foot;
  if (most == least)
    return scene.label({area.x, y, area.w, foot}, words_of(least), Face::Mono, size * 0.8f, st[Role::TextSecondary],
                       Align::Center);
  scene.label({area.x, y, area.w / 2, foot}, words_of(least), Face::Mono, size * 0.8f, st[Role::TextSecondary]);
  scene.label({area.x + area.w / 2, y, area.w / 2, foot}, words_of(most), Face::Mono, size * 0.8f,
              st[Role::TextSecondary], Align::Right);
}

}  // namespace tilewalk
