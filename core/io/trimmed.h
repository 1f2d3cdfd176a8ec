// Text without the blanks around it; what is a digit, in any locale.
#pragma once

#include <string_view>

namespace tilewalk {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = kBlanks) {
  const size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace tilewalk
