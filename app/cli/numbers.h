// Numbers as they are typed: all of the text must be one, without spaces, signs like "+" or a country's commas.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewalk {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

inline std::optional<int64_t> whole_number_of(std::string_view text) { return number_of<int64_t>(text); }

inline std::optional<double> number_between(std::string_view text, double least, double most) {
  const std::optional<double> value = number_of<double>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;  // not-a-number is between nothing
}

}  // namespace tilewalk
