#include "app/cli/console.h"

#include <algorithm>
#include <iterator>

namespace tilewalk {
namespace {

bool is_operator(std::string_view word) {
  constexpr std::string_view kOperators[] = {"=", "+", "−", "×", "/"};
  return std::find(std::begin(kOperators), std::end(kOperators), word) != std::end(kOperators);
}

}  // namespace

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
