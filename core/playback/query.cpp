#include "core/playback/query.h"

#include "core/io/number.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : std::string(text) + ' ') {
    if (std::isalnum(static_cast<unsigned char>(c)))
      word += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  return words;
}

std::optional<int64_t> number(std::string_view word) {
  const auto value = take_number<int64_t>(word);
  const bool ordinal = word == "st" || word == "nd" || word == "rd" || word == "th";
  return word.empty() || ordinal ? value : std::nullopt;
}

bool matches(const Step& step, const Query& q) {
  const Engine engine = info_of(step.kind).engine;
  const bool kind = q.any_store ? engine == Engine::Store : q.any_load ? engine == Engine::Load : step.kind == q.kind;
  return kind && (!q.i || *q.i == step.i) && (!q.j || *q.j == step.j);
}

}  // namespace

ParsedQuery parse_query(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  Query query;
  size_t at = 0;
  if (at < words.size()) {
    if (words[at] == "first" || words[at] == "last") {
      query.ordinal = words[at++] == "last" ? -1 : 0;
    } else if (const auto n = number(words[at])) {
      if (*n < 1) return {std::nullopt, "Steps count from 1: write \"1st rescale\" or \"first rescale\"."};
      query.ordinal = *n - 1;
      ++at;
    }
  }

  // The longest run of words that names a step.
  size_t taken = 0;
  for (size_t length = 1; length <= 3 && at + length <= words.size(); ++length) {
    std::string name;
    for (size_t w = at; w < at + length; ++w) name += words[w];
    if (const auto kind = step_named(name)) {
      query.kind = *kind;
      taken = length;
    }
  }
  if (!taken && at < words.size() && (words[at] == "store" || words[at] == "load")) {
    (words[at] == "store" ? query.any_store : query.any_load) = true;
    taken = 1;
  }
  if (!taken)
    return {std::nullopt,
            fmt::format("{} names no step. Try \"first rescale of Q tile 1\", \"last store\" or \"score of K tile 2\".",
                        in_quotes(text, 60))};
  at += taken;

  while (at < words.size()) {
    if (words[at] == "of" || words[at] == "at" || words[at] == "and" || words[at] == "in") {
      ++at;
      continue;
    }
    const bool q = words[at] == "q" || words[at] == "row",
               k = words[at] == "k" || words[at] == "v" || words[at] == "kv";
    size_t value_at = at + 1;
    if (value_at < words.size() && words[value_at] == "tile") ++value_at;
    const int64_t value = value_at < words.size() ? number(words[value_at]).value_or(0) : 0;
    if ((!q && !k) || value < 1 || value > std::numeric_limits<int32_t>::max())
      return {std::nullopt, fmt::format("{} is not understood in {}. Write \"Q tile 1\" or \"K tile 2\", from 1.",
                                        in_quotes(words[at], 40), in_quotes(text, 60))};
    (q ? query.i : query.j) = int32_t(value - 1);
    at = value_at + 1;
  }
  return {query, {}};
}

std::optional<int64_t> find(std::span<const Step> steps, const Query& query) {
  int64_t left = query.ordinal;
  if (left < 0) {
    for (int64_t k = int64_t(steps.size()); k > 0; --k)
      if (matches(steps[size_t(k - 1)], query)) return k;
    return std::nullopt;
  }
  for (size_t k = 0; k < steps.size(); ++k)
    if (matches(steps[k], query) && left-- == 0) return int64_t(k) + 1;
  return std::nullopt;
}

}  // namespace tilewalk
