// Reading UTF-8 one code point at a time. Bytes that are not UTF-8 come out as U+FFFD, one for each byte.
#pragma once

#include <cstddef>
#include <string_view>

namespace tilewalk {

// Code point at `pos`, which moves past it. `pos` must be inside `text`.
inline char32_t next_code_point(std::string_view text, size_t& pos) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(pos++);
  if (lead < 0x80) return lead;
  int extra = 0;
  char32_t code = 0, smallest = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    extra = 1, code = lead & 0x1F, smallest = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    extra = 2, code = lead & 0x0F, smallest = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    extra = 3, code = lead & 0x07, smallest = 0x10000;
  } else {
    return 0xFFFD;
  }
  size_t at = pos;
  for (int i = 0; i < extra; ++i, ++at) {
    if (at >= text.size() || (byte(at) & 0xC0) != 0x80) return 0xFFFD;
    code = code << 6 | (byte(at) & 0x3F);
  }
  if (code < smallest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0xFFFD;
  pos = at;
  return code;
}

// Start of the code point that ends just before `pos` (pos > 0).
inline size_t previous_start(std::string_view text, size_t pos) {
  do --pos;
  while (pos > 0 && (static_cast<unsigned char>(text[pos]) & 0xC0) == 0x80);
  return pos;
}

}  // namespace tilewalk
