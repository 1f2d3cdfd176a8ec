#include "app/session/number_text.h"

#include "core/io/number.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tilewalk {
namespace {

// Without spaces at the ends; a typographic minus as "-", hard and thin spaces as " ".
std::string plain(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size();) {
    bool found = false;
    for (const auto& [from, to] :
         {std::pair<std::string_view, char>{"−", '-'}, {"\u00A0", ' '}, {"\u2009", ' '}, {"\u202F", ' '}}) {
      if (text.substr(k, from.size()) != from) continue;
      out += to;
      k += from.size();
      found = true;
      break;
    }
    if (!found) out += text[k++];
  }
  const size_t first = out.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return out.substr(first, out.find_last_not_of(" \t") - first + 1);
}

// What was typed, short enough for a sentence.
std::string between_quotes(std::string_view text) {
  size_t end = std::min<size_t>(text.size(), 24);
  while (end < text.size() && end > 0 && (uint8_t(text[end]) & 0xC0) == 0x80) --end;
  const std::string_view shown = text.substr(0, end);
  return fmt::format("“{}{}”", shown, shown.size() < text.size() ? "…" : "");
}

// Takes out separators that stand before groups of three digits; nothing where they stand elsewhere.
std::optional<std::string> ungrouped(std::string_view digits) {
  std::string out;
  int since = -1;  // digits since the last separator; -1 before the first
  for (char c : digits) {
    if (is_digit(c)) {
      out += c;
      if (since >= 0) ++since;
      continue;
    }
    if (out.empty() || (since >= 0 && since != 3) || (since < 0 && out.size() > 3)) return std::nullopt;
    since = 0;
  }
  if (since >= 0 && since != 3) return std::nullopt;
  return out;
}

}  // namespace

ParsedNumber parse_whole(std::string_view typed, std::string_view label) {
  const std::string text = plain(typed);
  if (text.empty()) return {0, fmt::format("{} is empty; type a number such as 64, 1,024 or 4k.", label)};
  std::string_view rest = text;
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  int64_t unit = 1;
  if (!rest.empty() && (rest.back() == 'k' || rest.back() == 'K')) unit = 1024;
  if (!rest.empty() && (rest.back() == 'm' || rest.back() == 'M')) unit = 1024 * 1024;
  if (unit > 1) rest.remove_suffix(1);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);

  const bool only_number_signs = rest.find_first_not_of("0123456789,._ ") == std::string_view::npos;
  if (rest.empty() || !only_number_signs || rest.find_first_of("0123456789") == std::string_view::npos)
    return {0, fmt::format("{} is no number; type one such as 64, 1,024 or 4k.", between_quotes(text))};
  if (rest.find('.') != std::string_view::npos)
    return {0, fmt::format("{} must be a whole number; {} is not.", label, between_quotes(text))};
  const std::optional<std::string> digits = ungrouped(rest);
  if (!digits)
    return {0, fmt::format("{} cannot be read: a comma or a space separates thousands, as in 1,024.",
                           between_quotes(text))};

  const auto value = number_of<int64_t>(*digits);
  if (!value || *value > std::numeric_limits<int64_t>::max() / unit)
    return {0, fmt::format("{} is far too large for {}.", between_quotes(text), label)};
  return {negative ? -*value * unit : *value * unit, {}};
}

ParsedSeed parse_seed(std::string_view typed) {
  const std::string text = plain(typed);
  const std::string range = "type a whole number from 0 to 18446744073709551615";
  if (text.empty()) return {0, fmt::format("The seed is empty; {}.", range)};
  const auto value = number_of<uint64_t>(text);
  if (!value) return {0, fmt::format("{} is no seed; {}.", between_quotes(text), range)};
  return {*value, {}};
}

ParsedScale parse_scale(std::string_view typed) {
  const std::string text = plain(typed);
  if (text.empty() || text == "auto" || text == "1/√d" || text == "1/sqrt(d)") return {};
  const auto value = number_of<double>(text);
  if (!value || !std::isfinite(*value))
    return {0, fmt::format("{} is no scale; type a number such as 0.125, or leave it empty for 1/√d.",
                           between_quotes(text))};
  if (*value == 0) return {0, "A scale of 0 would make all scores equal; leave it empty for 1/√d."};
  return {*value, {}};
}

}  // namespace tilewalk
