#include "core/io/toml_text.h"

#include <cstdint>

namespace tilewalk {
namespace {

// The line with a name of too many parts, from 1; 0 without one. Dots are counted until something stands there that no
// name goes on over; those in quotes are none.
uint32_t line_too_deep(std::string_view text) {
  uint32_t line = 1;
  int dots = 0;
  char quote = 0;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      dots = 0;
      quote = 0;
    } else if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '.') {
      if (++dots >= kMostNameParts) return line;
    } else if (std::string_view("=,[]{}#").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return 0;
}

}  // namespace

toml::table parse_toml_text(std::string_view text, std::string_view file) {
  if (const uint32_t line = line_too_deep(text))
    throw toml::parse_error("a name has too many parts", toml::source_position{line, 1});
  return toml::parse(text, file);
}

}  // namespace tilewalk
