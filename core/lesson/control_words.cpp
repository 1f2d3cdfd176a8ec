#include "core/lesson/control_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 17> kBegins{
    "Press ",          "Drag ",   "Click ",         "Pick ",     "Step ",        "Type ",
    "Glue ",           "Choose ", "Point at ",      "Step on",   "Add a roof",   "Add a ceiling",
    "Add a bandwidth", "Lock it", "Fill the table", "Lift each", "Read the call"};
constexpr std::array<std::string_view, 11> kHolds{"button",
                                                  "click ",
                                                  "double-click",
                                                  "drag ",
                                                  "press ",
                                                  " knob",
                                                  "slider",
                                                  "Press ",
                                                  "Drag ",
                                                  "until the question is answered",
                                                  "give the answer away"};

bool speaks_of_controls(std::string_view clause) {
  return std::ranges::any_of(kBegins, [&](std::string_view word) { return clause.starts_with(word); }) ||
         std::ranges::any_of(kHolds, [&](std::string_view word) { return clause.find(word) != clause.npos; });
}

bool blank(char c) { return c == ' ' || c == '\n'; }

// One character of a text, or what stands for one that is no text: a number, code, a break.
struct Letter {
  char c;
  size_t span;
};

std::string words_of(std::span<const Letter> letters) {
  std::string words;
  for (const Letter& letter : letters) words += letter.c;
  return words;
}

// The letters that stay.
std::vector<Letter> kept(const std::vector<Letter>& all) {
  std::vector<Letter> out;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    while (end < all.size() && !((all[end].c == '.' || all[end].c == '?' || all[end].c == '!') &&
                                 (end + 1 == all.size() || blank(all[end + 1].c))))
      ++end;
    end = std::min(all.size(), end + 1);
    size_t next = end;
    while (next < all.size() && blank(all[next].c)) ++next;
    const std::span<const Letter> sentence(all.data() + begin, next - begin);
    const std::string words = words_of(sentence);
    const size_t colon = words.find(": ");
    const auto keep = [&](size_t from) {
      for (size_t k = from; k < sentence.size(); ++k) out.push_back(sentence[k]);
    };
    if (!speaks_of_controls(words)) {
      keep(0);
    } else if (colon != words.npos && speaks_of_controls(words.substr(0, colon)) &&
               !speaks_of_controls(words.substr(colon + 2))) {
      const size_t from = out.size();
      keep(colon + 2);
      if (from < out.size()) out[from].c = char(std::toupper(static_cast<unsigned char>(out[from].c)));
    }
    begin = next;
  }
  while (!out.empty() && blank(out.back().c)) out.pop_back();
  return out;
}

}  // namespace

std::string without_controls(std::string_view text) {
  std::vector<Letter> letters;
  for (const char c : text) letters.push_back({c, 0});
  return words_of(kept(letters));
}

Prose without_controls(const Prose& prose) {
  Prose out;
  for (const Block& block : prose) {
    if (block.kind != Block::Kind::Paragraph && block.kind != Block::Kind::Item) {
      out.push_back(block);
      continue;
    }
    std::vector<Letter> letters;
    for (size_t s = 0; s < block.spans.size(); ++s) {
      const Span& span = block.spans[s];
      if (span.kind != Span::Kind::Text)
        letters.push_back({span.kind == Span::Kind::Break ? '\n' : 'x', s});
      else
        for (const char c : span.text) letters.push_back({c, s});
    }
    Block left = block;
    left.spans.clear();
    size_t last = block.spans.size();
    for (const Letter& letter : kept(letters)) {
      const Span& span = block.spans[letter.span];
      if (letter.span != last) {
        left.spans.push_back(span);
        if (span.kind == Span::Kind::Text) left.spans.back().text.clear();
        last = letter.span;
      }
      if (span.kind == Span::Kind::Text) left.spans.back().text += letter.c;
    }
    if (!left.spans.empty()) out.push_back(std::move(left));
  }
  return out;
}

}  // namespace tilewalk
