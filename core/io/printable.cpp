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

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t length = utf8_length(text);
    if (length == 0) {
      out += '?';
      length = 1;
    } else if (const auto c = static_cast<unsigned char>(text[0]); c < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", c);
    } else {
      out += text.substr(0, length);
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
