#include "core/lesson/figures.h"

#include "core/io/number.h"
#include "core/io/trimmed.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace tilewalk {
namespace {

constexpr int kMostCount = 12, kFirstYear = 1990, kLastYear = 2039;

// A number behind one of these is a name: section 3.1, Algorithm 1, PyTorch 2.2, lesson 6.
constexpr std::array<std::string_view, 41> kNaming = {
    "section",    "sections", "§",          "algorithm",   "algorithms", "alg.",     "table", "tables",   "figure",
    "figures",    "fig.",     "theorem",    "proposition", "appendix",   "equation", "page",  "version",  "lesson",
    "lessons",    "phase",    "pytorch",    "torch",       "cuda",       "python",   "cudnn", "xformers", "triton",
    "flash-attn", "cutlass",  "capability", "cc",          "sm",         "rtx",      "gpt",   "llama",    "tesla",
    "row",        "key",      "keys",       "tile",        "step"};

// Behind a number they make it a figure, however small.
constexpr std::array<std::string_view, 33> kUnits = {
    "%",    "×",     "B",     "bytes",   "byte",    "kB",     "KB",      "KiB",    "MB", "MiB", "GB",
    "GiB",  "TB",    "TiB",   "TB/s",    "GB/s",    "MB/s",   "s",       "ms",     "µs", "us",  "ns",
    "FLOP", "GFLOP", "TFLOP", "TFLOP/s", "GFLOP/s", "FLOP/B", "percent", "cycles", "Hz", "GHz", "MHz"};

constexpr std::array<std::string_view, 6> kWidths = {"4-bit", "8-bit", "16-bit", "32-bit", "64-bit", "128-bit"};

bool is_word_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (uint8_t(c) & 0x80); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return out;
}

template <size_t Count>
bool among(const std::array<std::string_view, Count>& names, std::string_view word) {
  return std::ranges::find(names, word) != names.end();
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(" \t\n", at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t\n", begin), text.size());
    std::string_view word = text.substr(begin, at - begin);
    // Brackets and the marks of a sentence are no part of it.
    for (const std::string_view mark : {"(", "[", "\"", "'", "“", "‘", "≈", "~"})
      if (word.starts_with(mark)) word.remove_prefix(mark.size());
    for (bool more = true; more;) {
      more = false;
      for (const std::string_view mark : {"'s", "’s", ")", "]", "\"", "'", "”", "’", ",", ".", ";", ":", "?", "!", "…"})
        if (word.ends_with(mark) && !word.empty()) word.remove_suffix(mark.size()), more = true;
    }
    out.push_back(word);
  }
  return out;
}

// "3", "3.1", "2.2.1": digits and dots.
bool is_plain_number(std::string_view word) {
  return !word.empty() && is_digit(word[0]) && word.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_arxiv(std::string_view word) {
  if (word.starts_with("arXiv:")) return true;
  return word.size() == 10 && word[4] == '.' && is_plain_number(word);
}

bool is_count_or_year(std::string_view word) {
  if (word.empty() || word.size() > 4 || !std::ranges::all_of(word, is_digit)) return false;
  const int value = number_or(word, 0);
  return value <= kMostCount || (value >= kFirstYear && value <= kLastYear);
}

// "FA2", "L2", "fp16", "e4m3", "sm_90", "xFormers": a letter comes first; but not "N4096" and "d128".
bool is_name(std::string_view word) {
  if (!is_word_letter(word[0])) return false;
  const bool size = word.size() > 1 && (word[0] == 'N' || word[0] == 'd') && is_digit(word[1]);
  return !size && word.find('=') == std::string_view::npos && word.find("×") == std::string_view::npos;
}

bool allowed(std::string_view word, std::string_view before, std::string_view after, bool ends_clause) {
  if (word.find_first_of("0123456789") == std::string_view::npos) return true;
  if (is_arxiv(word) || among(kWidths, lower(word))) return true;
  // "3-4", "1–5", "2/3": each part for itself.
  for (const std::string_view dash : {"–", "-", "/"})
    if (const size_t at = word.find(dash); at != std::string_view::npos && at > 0 && is_digit(word[0]))
      return allowed(word.substr(0, at), before, {}, false) &&
             (at + dash.size() == word.size() || allowed(word.substr(at + dash.size()), before, after, ends_clause));
  if (is_name(word)) return true;
  if (is_plain_number(word) && (among(kNaming, lower(before)) || std::ranges::count(word, '.') > 1)) return true;
  if (!ends_clause && among(kUnits, after)) return false;
  // "1st", "2nd", "3rd", "4th"
  for (const std::string_view ending : {"st", "nd", "rd", "th"})
    if (word.ends_with(ending)) return is_count_or_year(word.substr(0, word.size() - 2));
  return is_count_or_year(word);
}

}  // namespace

std::vector<std::string> bare_figures(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  std::vector<std::string> out;
  std::string_view before;
  for (size_t k = 0; k < words.size(); ++k) {
    const std::string_view after = k + 1 < words.size() ? words[k + 1] : std::string_view();
    // A mark between the two keeps a unit from its number: "of 3, s is".
    const bool ends_clause = !after.empty() && words[k].data() + words[k].size() + 1 != after.data();
    if (!allowed(words[k], before, after, ends_clause))
      out.emplace_back(among(kUnits, after) && !ends_clause ? std::string(words[k]) + " " + std::string(after)
                                                            : std::string(words[k]));
    // "sections 2 and 3.1", "versions 2.0 to 2.2": the word counts for the whole list.
    const bool joins = words[k] == "and" || words[k] == "to" || words[k] == "or" || is_plain_number(words[k]);
    if (!(joins && among(kNaming, lower(before)))) before = words[k];
  }
  return out;
}

std::vector<BareFigure> bare_figures(const Prose& prose) {
  std::vector<BareFigure> out;
  const auto look = [&](const std::vector<Span>& spans, int line) {
    std::string text;  // code and quantities leave a word that is none of ours
    for (const Span& span : spans)
      text += span.kind == Span::Kind::Text ? span.text : span.kind == Span::Kind::Break ? " " : "x";
    for (std::string& figure : bare_figures(text)) out.push_back({std::move(figure), line});
  };
  for (const Block& block : prose) {
    look(block.spans, block.line);
    for (const auto& row : block.rows)
      for (const auto& cell : row) look(cell, block.line);
  }
  return out;
}

}  // namespace tilewalk
