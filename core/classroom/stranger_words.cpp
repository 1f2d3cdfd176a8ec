#include "core/classroom/stranger_words.h"

#include "core/io/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace tilewalk {
namespace {

// core/roofline knows these, and what they mean; a class only has to know that they are none of a stranger's.
constexpr std::array<std::string_view, 6> kRoofKinds{"dram", "l2", "sram", "tensor", "exponential", "vector"};
constexpr std::array<std::string_view, 6> kMethodKinds{"eager", "standard", "fa1", "fa2", "fa3", "fa4"};
constexpr size_t kMostKeptPoints = 12;

bool is_numeral(char c) { return c >= '0' && c <= '9'; }
bool is_small_key(std::string_view words, size_t most) {
  return !words.empty() && words.size() <= most &&
         std::ranges::all_of(words, [](char c) { return is_numeral(c) || (c >= 'a' && c <= 'z') || c == '-'; });
}
bool is_count(std::string_view words) {
  return !words.empty() && words.size() <= 12 && std::ranges::all_of(words, is_numeral);
}
bool is_drawn_amount(std::string_view words) {
  const auto value = number_of<double>(words);
  return value && std::isfinite(*value) && *value > 0;
}
bool is_among(std::string_view word, const auto& all) { return std::ranges::find(all, word) != all.end(); }

std::vector<std::string_view> split_at(std::string_view words, char between) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = words.find(between);
    parts.push_back(words.substr(0, end));
    if (end == words.npos) return parts;
    words.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_puzzle_id(std::string_view id) { return is_small_key(id, 64); }

bool is_roofline_key(std::string_view of) {
  const size_t first = of.find('.'), second = first == of.npos ? first : of.find('.', first + 1);
  return second != of.npos && is_count(of.substr(0, first)) && is_count(of.substr(first + 1, second - first - 1)) &&
         is_small_key(of.substr(second + 1), 40);
}

bool are_roofs(std::string_view words) {
  if (words.empty()) return true;
  std::vector<std::string_view> kinds;
  for (const std::string_view part : split_at(words, ',')) {
    const size_t colon = std::min(part.find(':'), part.size());
    const std::string_view kind = part.substr(0, colon);
    if (!is_among(kind, kRoofKinds) || is_among(kind, kinds) || colon == part.size()) return false;
    if (!is_drawn_amount(part.substr(colon + 1))) return false;
    kinds.push_back(kind);
  }
  return true;
}

bool are_points(std::string_view words) {
  if (words.empty()) return true;
  const std::vector<std::string_view> points = split_at(words, ',');
  return points.size() <= kMostKeptPoints && std::ranges::all_of(points, [](std::string_view point) {
           const std::vector<std::string_view> parts = split_at(point, ':');
           std::string_view kind = parts.front();
           if (kind.ends_with("-causal")) kind.remove_suffix(7);
           if (kind.ends_with("-bwd")) kind.remove_suffix(4);
           // FLOP, bytes and where it was put: each once at most.
           return is_among(kind, kMethodKinds) && parts.size() >= 2 && parts.size() <= 4 &&
                  std::all_of(parts.begin() + 1, parts.end(), [](std::string_view number) {
                    return is_drawn_amount(number.starts_with('b') || number.starts_with('x') ? number.substr(1)
                                                                                              : number);
                  });
         });
}

}  // namespace tilewalk
