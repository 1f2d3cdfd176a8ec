// Numbers with the minus of print, for columns and cells.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tilewalk {

inline std::string with_minus(std::string number) { return number[0] == '-' ? "−" + number.substr(1) : number; }

// "−0.500000": so many decimals; no minus before a zero.
inline std::string fixed_words(double value, int decimals) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  std::string text = fmt::format("{:.{}f}", value, decimals);
  return with_minus(text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos ? text.substr(1) : text);
}

// "−0.5": as short as so many digits are.
inline std::string general_words(double value, int digits) {
  return with_minus(fmt::format("{:.{}g}", value == 0 ? 0 : value, digits));
}

}  // namespace tilewalk
