#include "core/classroom/stranger_words.h"

#include "core/io/number.h"
#include "core/machine/gpus.h"
#include "core/roofline/drawing.h"

#include <algorithm>
#include <cstddef>

namespace tilewalk {
namespace {

constexpr int64_t kMostTokens = int64_t{1} << 20, kMostWidth = 256;

bool is_numeral(char c) { return c >= '0' && c <= '9'; }
bool is_small_key(std::string_view words, size_t most) {
  return !words.empty() && words.size() <= most &&
         std::ranges::all_of(words, [](char c) { return is_numeral(c) || (c >= 'a' && c <= 'z') || c == '-'; });
}
bool is_count(std::string_view words, int64_t most) {
  const auto count = number_of<int64_t>(words);
  return std::ranges::all_of(words, is_numeral) && count && *count >= 1 && *count <= most;
}
// Nothing of it was left out.
bool all_read(std::string_view words, size_t read) {
  return read == (words.empty() ? 0 : size_t(std::ranges::count(words, ',')) + 1);
}

}  // namespace

bool is_puzzle_id(std::string_view id) { return is_small_key(id, 64); }

bool is_roofline_key(std::string_view of) {
  const size_t first = of.find('.'), second = first == of.npos ? first : of.find('.', first + 1);
  return second != of.npos && is_count(of.substr(0, first), kMostTokens) &&
         is_count(of.substr(first + 1, second - first - 1), kMostWidth) && gpu_named(of.substr(second + 1));
}

bool are_roofs(std::string_view words) { return all_read(words, read_drawn_roofs(words).size()); }
bool are_points(std::string_view words) { return all_read(words, read_drawn_points(words).size()); }

}  // namespace tilewalk
