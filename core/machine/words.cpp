#include "core/machine/words.h"

#include "core/attention/problem.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {

std::string subscript(int64_t number) {
  std::string out;
  for (char c : std::to_string(number)) {
    if (c == '-')
      out += "₋";
    else
      out += std::string("\xE2\x82") + char(0x80 + (c - '0'));  // U+2080 .. U+2089
  }
  return out;
}

std::string tile_name(Tensor tensor, int64_t i, int64_t j) {
  if (is_statistic(tensor)) return std::string(symbol_of(tensor));
  if (is_scores(tensor)) return fmt::format("{}{}‚{}", symbol_of(tensor), subscript(i + 1), subscript(j + 1));
  return fmt::format("{}{}", symbol_of(tensor), subscript((is_keyed(tensor) ? j : i) + 1));
}

std::string tile_words(Tensor tensor, int64_t i, int64_t j) {
  if (is_statistic(tensor)) return fmt::format("{} of Q tile {}", symbol_of(tensor), i + 1);
  if (is_scores(tensor)) return fmt::format("{} tile ({}, {})", symbol_of(tensor), i + 1, j + 1);
  return fmt::format("{} tile {}", symbol_of(tensor), (is_keyed(tensor) ? j : i) + 1);
}

std::string with_commas(int64_t number) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  for (int64_t at = int64_t(digits.size()) - 3; at > 0; at -= 3) digits.insert(size_t(at), ",");
  return number < 0 ? fmt::format("-{}", digits) : digits;
}

std::string queries_and_keys(const Problem& problem) {
  const auto counted = [](int64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
  };
  return fmt::format("{}, {}", counted(problem.n_q, "query", "queries"), counted(problem.n_k, "key", "keys"));
}

std::string bytes_words(int64_t bytes) {
  if (bytes >= 4096 && bytes < 1000000 && bytes % 1024 == 0) return fmt::format("{} KiB", bytes / 1024);
  if (bytes < 1000000) return fmt::format("{} {}", with_commas(bytes), bytes == 1 ? "byte" : "bytes");
  double value = double(bytes);
  const char* unit = "";
  for (const char* next : {"kB", "MB", "GB", "TB", "PB"}) {
    if (value < 999.5 && *unit) break;
    value /= 1000;
    unit = next;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, unit);
}

std::string number_words(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  if (value == 0) return "0";
  // The exponent after rounding: 9.999 is said as 10.0.
  const std::string rounded = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  const bool short_enough = exponent >= -3 && exponent < digits + 3;
  const std::string out = short_enough ? fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent)) : rounded;
  return out[0] == '-' ? fmt::format("−{}", std::string_view(out).substr(1)) : out;
}

std::string num(double value) {
  if (std::fabs(value) < 1000 && value == std::nearbyint(value)) return number_words(value, 1);
  return number_words(value);
}

std::string times_as_long(double times) {
  if (std::fabs(times - 1) < 0.005) return "as long";
  if (times < 1) return fmt::format("{:.1f} % faster", 100 * (1 - times));
  return times < 1.1 ? fmt::format("{:.1f} % longer", 100 * (times - 1)) : fmt::format("{:.2f}× as long", times);
}

}  // namespace tilewalk
