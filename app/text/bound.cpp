#include "app/text/bound.h"

#include <algorithm>
#include <array>

namespace tilewalk {

namespace {

constexpr std::string_view kNoBreak = "\u00A0";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A number stays with its unit: "8 %" and "1.02 MiB" are never parted.
void bind_numbers(std::string& text) {
  constexpr auto kUnits = std::to_array<std::string_view>(
      {"B",    "kB",   "MB",  "GB",  "TB",   "KiB",   "MiB",   "GiB",   "TiB",    "ns",      "µs",      "ms",     "s",
       "GB/s", "TB/s", "MHz", "GHz", "FLOP", "GFLOP", "TFLOP", "PFLOP", "FLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"});
  replace_all(text, " %", "\u00A0%");
  for (size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    if (at == 0 || text[at - 1] < '0' || text[at - 1] > '9') continue;
    std::string_view word = std::string_view(text).substr(at + 1);
    word = word.substr(0, word.find_first_of(" \n"));
    while (!word.empty() && std::string_view(".,:;?!)").find(word.back()) != std::string_view::npos)
      word.remove_suffix(1);
    if (std::ranges::find(kUnits, word) != kUnits.end()) text.replace(at, 1, kNoBreak);
  }
}

// One character, or a name with a capital: "P", "−", "l", "dO", "Kᵀ".
bool is_symbol(std::string_view word) {
  const auto characters =
      std::ranges::count_if(word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return characters == 1 || (characters <= 3 && std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; }));
}

// Between brackets of letters alone, a product or a sum: "(P V)", "(dP − D)".
void bind_brackets(std::string& text) {
  for (size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1)) {
    const size_t close = text.find_first_of("()\n", open + 1);
    if (close == std::string::npos || text[close] != ')') continue;
    std::string within = text.substr(open + 1, close - open - 1);
    bool symbols = true;
    for (std::string_view rest = within; symbols && !rest.empty();) {
      const size_t end = std::min(rest.find(' '), rest.size());
      symbols = end > 0 && is_symbol(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!symbols) continue;
    replace_all(within, " ", kNoBreak);
    text.replace(open + 1, close - open - 1, within);
  }
}

// The words between plain spaces, each changed in its place.
template <typename Change>
std::string each_word(std::string_view text, Change change) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    out += change(text.substr(at, end - at));
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string bind_formulas(std::string text) {
  bind_brackets(text);
  replace_all(text, "L = m + log l", "L\u00A0=\u00A0m\u00A0+\u00A0log\u00A0l");
  replace_all(text, "m + log l", "m\u00A0+\u00A0log\u00A0l");
  replace_all(text, " = ", "\u00A0=\u00A0");
  replace_all(text, " × ", "\u00A0×\u00A0");
  bind_numbers(text);
  return text;
}

std::string bind_all(std::string_view text) {
  std::string out(text);
  replace_all(out, " ", kNoBreak);
  return out;
}

std::string loosen(std::string_view bound, const std::function<bool(std::string_view)>& fits) {
  const auto too_wide = [&](std::string_view word) { return word.find(kNoBreak) != word.npos && !fits(word); };
  return each_word(bound, [&](std::string_view word) {
    std::string looser(word);
    if (!too_wide(word)) return looser;
    replace_all(looser, "\u00A0=", " =");
    return each_word(looser, [&](std::string_view part) {
      std::string parted(part);
      if (too_wide(part)) bind_numbers(parted = unbound(std::move(parted)));
      return parted;
    });
  });
}

std::string unbound(std::string text) {
  replace_all(text, kNoBreak, " ");
  return text;
}

}  // namespace tilewalk
