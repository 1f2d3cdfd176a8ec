// A number read from text, in any locale: without blanks, a "+" or a country's commas.
#pragma once

#include "core/io/read_double.h"

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace tilewalk {

template <class Number>
std::from_chars_result read_number(const char* first, const char* last, Number& value) {
  if constexpr (std::same_as<Number, double>)
    return read_double(first, last, value);
  else
    return std::from_chars(first, last, value);
}

// The number with which the text begins, taken off it; none leaves the text alone. Out of the type's range is none.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number value{};
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  return value;
}

// The text as a number; all of it must be one.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  const std::optional<Number> value = take_number<Number>(text);
  return text.empty() ? value : std::nullopt;
}

// The number with which the text begins, whatever is behind it.
template <class Number>
Number number_or(std::string_view text, Number otherwise) {
  return take_number<Number>(text).value_or(otherwise);
}

inline std::optional<double> number_between(std::string_view text, double least, double most) {
  const std::optional<double> value = number_of<double>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;  // not-a-number is between nothing
}

}  // namespace tilewalk
