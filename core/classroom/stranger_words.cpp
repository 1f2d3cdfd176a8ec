#include "core/classroom/stranger_words.h"

#include "core/roofline/drawing.h"

#include <algorithm>
#include <cstddef>

namespace tilewalk {
namespace {

bool is_numeral(char c) { return c >= '0' && c <= '9'; }
bool is_small_key(std::string_view words, size_t most) {
  return !words.empty() && words.size() <= most &&
         std::ranges::all_of(words, [](char c) { return is_numeral(c) || (c >= 'a' && c <= 'z') || c == '-'; });
}
bool is_count(std::string_view words) {
  return !words.empty() && words.size() <= 12 && std::ranges::all_of(words, is_numeral);
}
// Nothing of it was left out.
bool all_read(std::string_view words, size_t read) {
  return read == (words.empty() ? 0 : size_t(std::ranges::count(words, ',')) + 1);
}

}  // namespace

bool is_puzzle_id(std::string_view id) { return is_small_key(id, 64); }

bool is_roofline_key(std::string_view of) {
  const size_t first = of.find('.'), second = first == of.npos ? first : of.find('.', first + 1);
  return second != of.npos && is_count(of.substr(0, first)) && is_count(of.substr(first + 1, second - first - 1)) &&
         is_small_key(of.substr(second + 1), 40);
}

bool are_roofs(std::string_view words) { return all_read(words, read_drawn_roofs(words).size()); }
bool are_points(std::string_view words) { return all_read(words, read_drawn_points(words).size()); }

}  // namespace tilewalk
