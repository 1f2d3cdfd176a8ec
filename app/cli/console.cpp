#include "app/cli/console.h"

#include "core/io/printable.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tilewalk {
namespace {

bool is_operator(std::string_view word) {
  constexpr std::string_view kOperators[] = {"=", "+", "−", "×", "/"};
  return std::find(std::begin(kOperators), std::end(kOperators), word) != std::end(kOperators);
}

constexpr std::array<std::string_view, 4> kInks{"\033[1m", "\033[2m", "\033[35m", "\033[0m"};
constexpr size_t kLongestLine = 1 << 16;  // bytes that wait for the line's end

std::string with_inks(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto ink = std::ranges::find_if(kInks, [&](std::string_view each) { return text.starts_with(each); });
    if (ink != kInks.end()) {
      out += *ink;
      text.remove_prefix(ink->size());
      continue;
    }
    const size_t next = std::min(text.find('\033', 1), text.size());
    out += printable(text.substr(0, next), "\n\t");
    text.remove_prefix(next);
  }
  return out;
}

}  // namespace

void Console::document(std::string_view content) {
  out.flush();
  (bytes ? *bytes : out) << content;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize count) {
  line_.append(text, size_t(count));
  const size_t end = line_.rfind('\n');
  // A line without an end is passed on all the same, up to where a character begins.
  size_t ready = end == std::string::npos ? 0 : end + 1;
  if (ready == 0 && line_.size() > kLongestLine) {
    ready = line_.size() - 1;
    while (ready > 0 && (line_[ready] & 0xC0) == 0x80) --ready;
  }
  if (ready == 0) return count;
  const std::string_view whole = std::string_view(line_).substr(0, ready);
  to_ << (color_ ? with_inks(whole) : printable(whole, "\n\t"));
  line_.erase(0, ready);
  return to_.good() ? count : 0;
}

int PrintableBuffer::sync() {
  to_ << (color_ ? with_inks(line_) : printable(line_, "\n\t"));
  line_.clear();
  to_.flush();
  return to_.good() ? 0 : -1;
}

int width_of(std::string_view text) {
  return int(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, int width) {
  return std::string(text) + std::string(size_t(std::max(0, width - width_of(text))), ' ');
}

std::string right_aligned(std::string_view text, int width) {
  return std::string(size_t(std::max(0, width - width_of(text))), ' ') + std::string(text);
}

std::string wrapped(std::string_view text, int columns, int indent) {
  const auto word_end = [&](size_t start) { return std::min(text.find(' ', start), text.size()); };
  const auto word_start = [&](size_t from) { return std::min(text.find_first_not_of(' ', from), text.size()); };
  std::string out;
  int used = 0;
  bool fresh = true;  // nothing but the indent on this line yet
  for (size_t at = 0; at < text.size();) {
    // What stays on one line: a word, or a sum like "0.5 × 4 + 2 = 4". The spaces before it go where a line begins.
    const size_t start = word_start(at);
    size_t end = word_end(start);
    for (size_t next = word_start(end); next < text.size(); next = word_start(end)) {
      const size_t next_end = word_end(next);
      if (!is_operator(text.substr(next, next_end - next))) break;
      end = word_end(word_start(next_end));
    }
    const std::string_view word = text.substr(start, end - start), spaces = text.substr(at, start - at);
    if (!fresh && used + int(spaces.size()) + width_of(word) > columns) {
      out += "\n" + std::string(size_t(indent), ' ');
      used = indent;
    } else {
      out += spaces;
      used += int(spaces.size());
    }
    out += word;
    used += width_of(word);
    fresh = false;
    at = end;
  }
  return out;
}

std::string inked(const Console& console, Ink ink, std::string_view text) {
  if (!console.color) return std::string(text);
  const char* code = ink == Ink::Bold ? "\033[1m" : ink == Ink::Dim ? "\033[2m" : "\033[35m";
  return code + std::string(text) + "\033[0m";
}

}  // namespace tilewalk
