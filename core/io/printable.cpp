// How foreign text is made fit for a sentence. See printable.h.
#include "core/io/printable.h"

#include <fmt/format.h>

#include <system_error>

namespace tilewalk {
size_t utf8_length(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  auto continues = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    const unsigned code = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    return code >= 0x800 && (code < 0xD800 || code > 0xDFFF) ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    const unsigned code = (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    return code >= 0x10000 && code <= 0x10FFFF ? 4 : 0;
  }
  return 0;
}

namespace {

// Whether a terminal may take the character for a command, or it changes the order in which others are read, or hides:
// controls of both sets, marks and overrides of direction, separators of lines, marks without a shape.
// Source: ECMA-48; Unicode Standard Annex #9, section 2.
bool hides(char32_t c) {
  const auto between = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c < 0x20 || between(0x7F, 0x9F) || c == 0x061C || c == 0x200B || between(0x200E, 0x200F) ||
         between(0x2028, 0x202E) || between(0x2060, 0x206F) || c == 0xFEFF || between(0xFFF9, 0xFFFB);
}

char32_t code_of(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first;
  char32_t code = first & (0x7Fu >> sequence.size());
  for (size_t k = 1; k < sequence.size(); ++k) code = code << 6 | (static_cast<unsigned char>(sequence[k]) & 0x3Fu);
  return code;
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  while (!text.empty()) {
    size_t length = utf8_length(text);
    if (length == 0) {
      out += '?';
      length = 1;
    } else if (const char32_t code = code_of(text.substr(0, length));
               !hides(code) || (length == 1 && kept.find(text[0]) != std::string_view::npos)) {
      out += text.substr(0, length);
    } else {
      out += code < 0x20 ? fmt::format("\\x{:02x}", uint32_t(code)) : fmt::format("\\u{:04x}", uint32_t(code));
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string printable_path(const std::filesystem::path& path) { return printable(path.native()); }

std::string in_quotes(std::string_view text, size_t longest) {
  std::string out = printable(text.substr(0, longest + 4));
  if (out.size() > longest) {
    // Cut between characters, never inside one.
    size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
    out = out.substr(0, end) + "...";
  }
  return '"' + out + '"';
}

std::string byte_count(uint64_t bytes) { return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes"); }

std::string shape_text(const std::vector<int64_t>& shape) {
  constexpr size_t most = 8;
  std::string out = "[";
  for (size_t i = 0; i < shape.size() && i < most; ++i) out += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return out + (shape.size() > most ? ", ...]" : "]");
}

std::string some_of(const std::vector<std::string>& names, size_t most) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < most; ++i) out += (i ? ", " : "") + in_quotes(names[i]);
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

std::string system_words(int error) { return std::generic_category().message(error); }

}  // namespace tilewalk
