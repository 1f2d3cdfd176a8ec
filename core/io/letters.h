// Letters in any case. Bytes beyond ASCII are compared as they are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tilewalk {

constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; }
constexpr char raised(char c) { return c >= 'a' && c <= 'z' ? char(c & ~0x20) : c; }

inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lowered(c);
  return out;
}

inline bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lowered(x) == lowered(y); });
}

// Whether `part` stands in `text`; nothing stands in everything.
inline bool has_letters(std::string_view text, std::string_view part) {
  const auto same = [](char x, char y) { return lowered(x) == lowered(y); };
  return part.empty() || !std::ranges::search(text, part, same).empty();
}

}  // namespace tilewalk
