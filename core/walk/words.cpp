#include "core/walk/words.h"

#include <algorithm>
#include <numeric>
#include <array>
#include <cctype>
#include <utility>

namespace tilewalk {
namespace {

using enum StepKind;

// Every statement that is no load and no store.
constexpr WalkForm kForms[] = {
    {"O = 0", InitO},
    {"m = -inf", InitStats, 0, {}, "l = 0"},
    {"l = 0", InitStats, 0, {}, "m = -inf"},
    {"S = Q[i] K[j]^T * scale", Score},
    {"S = -inf where key > query", Mask, 0, {}, {}, "left out, the mask follows S by itself"},
    {"m' = max(m, rowmax(S))", RowMax, 0, {}, "alpha = exp(m - m')"},
    {"alpha = exp(m - m')", RowMax, 0, {}, "m' = max(m, rowmax(S))"},
    {"m = max(m, rowmax(S))", RowMax, Step::kFinalMax, {}, {}, "where m is final before the first exponential"},
    {"P = exp(S - m')", Exponentiate},
    {"P = exp(S - m)", Exponentiate, Step::kFinalMax, {}, {}, "where m is final"},
    {"P = exp(S - m) / l", Exponentiate, Step::kFinalMax, NormalizeP, {}, "backward"},
    {"l = alpha l + rowsum(P)", RowSum},
    {"l = l + rowsum(P)", RowSum, Step::kFinalMax, {}, {}, "where m is final"},
    {"O = l O", Denormalize},
    {"O = alpha O", Rescale, 0, {}, {}, "nothing at the first visit, where O is 0"},
    {"O = O + P V[j]", Accumulate},
    {"O = alpha O + P V[j]", Rescale, 0, Accumulate},
    {"O = O / l", Normalize},
    {"P = P / l", NormalizeP},
    {"L = m + log(l)", LogSumExp},
    {"O = round(O)", Convert},
    {"dQ = 0", InitDQ},
    {"dK = 0", InitDK},
    {"dV = 0", InitDV},
    {"D = rowsum(dO .* O)", DotO},
    {"D = D + rowsum(P .* dP)", DotP, 0, {}, {}, "D is 0 at the first turn"},
    {"P = exp(S - L)", Recompute},
    {"dV = dV + P^T dO[i]", AccumulateDV},
    {"dP = dO[i] V[j]^T", GradientP},
    {"dS = P .* (dP - D)", GradientS},
    {"dQ = dQ + dS K[j] * scale", AccumulateDQ},
    {"dQ[i] += dS K[j] * scale", AccumulateDQ, Step::kFresh, AddDQ, {}, "in memory, by atomic adds"},
    {"dK = dK + dS^T Q[i] * scale", AccumulateDK},
    {"dQ = round(dQ)", ConvertDQ},
    {"m' = max(m, L[i,s])", MergeMax, 0, {}, "alpha = exp(m - m')"},
    {"w = exp(L[i,s] - m')", MergeWeight},
    {"l = alpha l + w", MergeSum},
    {"O = O + w O[i,s]", MergeOut},
    {"O = alpha O + w O[i,s]", Rescale, 0, MergeOut},
};

struct Sign {
  std::string_view glyph, typed;
};
// What may be typed for what is shown.
constexpr Sign kSigns[] = {{"′", "'"}, {"α", "alpha"},  {"−", "-"},   {"∞", "inf"}, {"ᵀ", "^T"}, {"∘", ".*"},
                           {"·", "*"}, {"ᵢₛ", "[i,s]"}, {"ᵢ", "[i]"}, {"ⱼ", "[j]"}, {"‚", ","}};

std::string typed_signs(std::string_view line, std::vector<int>& columns) {
  std::string out;
  int column = 0;
  for (size_t at = 0; at < line.size();) {
    ++column;
    const auto sign = std::ranges::find_if(kSigns, [&](const Sign& s) { return line.substr(at).starts_with(s.glyph); });
    size_t bytes = 1;
    if (sign != std::end(kSigns)) {
      bytes = sign->glyph.size();
      out += sign->typed;
    } else {
      while (at + bytes < line.size() && (static_cast<unsigned char>(line[at + bytes]) & 0xC0) == 0x80) ++bytes;
      out += line.substr(at, bytes);
    }
    columns.resize(out.size(), column);
    at += bytes;
  }
  return out;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }

// "i", "j", "i,j", "j-1" in brackets; empty where it is none of them.
std::string index_at(std::string_view text, size_t& at) {
  const size_t end = text.find(']', at);
  if (end == std::string_view::npos || end - at > 16) return {};
  std::string inside;
  for (char c : text.substr(at + 1, end - at - 1))
    if (c != ' ') inside += c;
  constexpr std::array<std::string_view, 6> kAll{"i", "j", "i,j", "j-1", "i,j-1", "i,s"};
  if (std::ranges::find(kAll, inside) == kAll.end()) return {};
  at = end + 1;
  return inside;
}

std::string key_of(std::span<const WalkToken> tokens) {
  std::string key;
  for (const WalkToken& token : tokens) key += (key.empty() ? "" : " ") + token.text;
  return key;
}

const std::vector<std::string>& form_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> out;
    for (const WalkForm& form : kForms) out.push_back(key_of(walk_tokens(form.typed)));
    return out;
  }();
  return keys;
}

// What is one statement in any order: summands, and the factors of them that are numbers a row ("l alpha" for
// "alpha l").
std::string unordered_key(std::span<const WalkToken> tokens) {
  constexpr std::array<std::string_view, 4> kNumbers{"alpha", "scale", "w", "l"};
  const auto equals = std::ranges::find(tokens, "=", &WalkToken::text);
  if (equals == tokens.end() || std::ranges::count(tokens, "(", &WalkToken::text) ||
      std::ranges::count(tokens, "-", &WalkToken::text) || std::ranges::count(tokens, "/", &WalkToken::text))
    return key_of(tokens);
  std::vector<std::string> summands(1);
  std::vector<std::string> numbers;
  const auto close = [&] {
    std::ranges::sort(numbers);
    std::string all;
    for (const std::string& number : numbers) all += number + " ";
    summands.back() = all + summands.back();
    numbers.clear();
  };
  for (const WalkToken& token : std::span(equals + 1, tokens.end()))
    if (token.text == "+")
      close(), summands.emplace_back();
    else if (std::ranges::find(kNumbers, token.text) != kNumbers.end() && summands.back() != "log ")
      numbers.push_back(token.text);
    else
      summands.back() += token.text + " ";
  close();
  std::ranges::sort(summands);
  std::string key = key_of(std::span(tokens.begin(), equals)) + " =";
  for (const std::string& summand : summands) key += " + " + summand;
  return key;
}

// Letters of two words, or words of two lines, to put in, leave out or change.
template <class Row>
size_t changes(const Row& a, const Row& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (size_t r = 0; r < a.size(); ++r) {
    size_t corner = std::exchange(row[0], r + 1);
    for (size_t k = 0; k < b.size(); ++k) {
      const size_t change = corner + (a[r] != b[k]);
      corner = row[k + 1];
      row[k + 1] = std::min({change, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

// "m_new", "mnew" and the like, as people call m' elsewhere.
std::vector<WalkToken> with_new_max(std::span<const WalkToken> typed) {
  std::vector<WalkToken> out;
  for (size_t k = 0; k < typed.size(); ++k) {
    out.push_back(typed[k]);
    std::string& word = out.back().text;
    const bool joined = (word == "m" || word == "new") && k + 2 < typed.size() && typed[k + 1].text == "_" &&
                        is_letter(typed[k + 2].text[0]);
    if (joined) k += 2;
    if (joined || word == "mnew" || word == "newm" || word == "mn") word = "m'";
  }
  // "O /= l", "l += rowsum(P)".
  const bool joint = out.size() > 2 && out[1].text == "+=";
  const bool apart = out.size() > 3 && out[2].text == "=" && (out[1].text == "/" || out[1].text == "+");
  if (joint || apart) {
    const WalkToken made = out[0], sign{joint ? "+" : out[1].text, out[1].column, {}};
    out.erase(out.begin() + 1, out.begin() + (joint ? 2 : 3));
    out.insert(out.begin() + 1, {WalkToken{"=", sign.column, {}}, made, sign});
  }
  return out;
}

}  // namespace

std::vector<WalkToken> walk_tokens(std::string_view line) {
  std::vector<int> columns;
  const std::string text = typed_signs(line, columns);
  std::vector<WalkToken> out;
  const auto add = [&](std::string token, size_t at) { out.push_back({std::move(token), columns[at], {}}); };
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t begin = at;
    if (c == '#') break;
    if (c == ' ' || c == '*' || c == '\r') {
      ++at;
    } else if (is_letter(c)) {
      while (at < text.size() && is_letter(text[at])) ++at;
      if (at < text.size() && text[at] == '\'') ++at;
      add(text.substr(begin, at - begin), begin);
      if (out.back().text == "exp" && at < text.size() && text[at] == '(') out.back().text = "e^";
      if (out.back().text == "e" && at < text.size() && text[at] == '^') out.back().text = "e^", ++at;
      if (at < text.size() && text[at] == '[') out.back().index = index_at(text, at);
    } else if (text.compare(at, 2, "^T") == 0 || text.compare(at, 2, ".*") == 0 || text.compare(at, 2, "+=") == 0) {
      add(text.substr(at, 2), begin);
      at += 2;
    } else if (text.compare(at, 4, "-inf") == 0) {
      add("-inf", begin);
      at += 4;
    } else {
      do ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
      add(text.substr(begin, at - begin), begin);
    }
  }
  // Brackets round one word; those of e^( stay.
  for (size_t k = 0; k + 2 < out.size(); ++k)
    if (out[k].text == "(" && out[k + 2].text == ")" && is_letter(out[k + 1].text[0]) && k > 0 &&
        out[k - 1].text != "e^") {
      out.erase(out.begin() + std::ptrdiff_t(k) + 2);
      out.erase(out.begin() + std::ptrdiff_t(k));
    }
  return out;
}

ShownWalk walk_with_glyphs(std::string_view line) {
  ShownWalk out{std::string(line.substr(0, line.find('#'))), {}};
  std::string& text = out.text;
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.pop_back();
  out.typed.resize(text.size());
  std::iota(out.typed.begin(), out.typed.end(), size_t{0});
  const auto replace = [&](std::string_view what, std::string_view by) {
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
      const auto from = out.typed.begin() + std::ptrdiff_t(at);
      const size_t typed = *from;
      out.typed.insert(out.typed.erase(from, from + std::ptrdiff_t(what.size())), by.size(), typed);
      text.replace(at, what.size(), by);
    }
  };
  replace("exp(", "e^(");
  replace("-inf", "−∞");
  for (const Sign& sign : kSigns)
    if ((sign.typed.size() > 1 || sign.typed == "'" || sign.typed == "*") && sign.typed != "inf")
      replace(sign.typed, sign.glyph);
  replace(" - ", " − ");
  replace("[i,j]", "ᵢⱼ");
  for (std::string_view word : {"rowmax", "log"})  // brackets round one letter
    for (std::string_view letter : {"S", "l"})
      replace(std::string(word) + "(" + std::string(letter) + ")", std::string(word) + " " + std::string(letter));
  replace("rowsum(P)", "rowsum P");
  return out;
}

std::string walk_shown(std::string_view line) { return walk_with_glyphs(line).text; }

std::span<const WalkForm> walk_forms() { return kForms; }

const WalkForm* walk_form(std::span<const WalkToken> statement) {
  static const std::vector<std::string> unordered = [] {
    std::vector<std::string> out;
    for (const WalkForm& form : kForms) out.push_back(unordered_key(walk_tokens(form.typed)));
    return out;
  }();
  const auto found = std::ranges::find(unordered, unordered_key(statement));
  return found == unordered.end() ? nullptr : &kForms[found - unordered.begin()];
}

std::string_view why_no_statement(std::span<const WalkToken> typed) {
  constexpr std::pair<std::string_view, std::string_view> kMistakes[] = {
      {"m = m'", "m' is m from the next tile on by itself: this line is not needed."},
      {"alpha = e^ ( m' - m )",
       "m' is never less than m, and what was summed before has to shrink: alpha is exp(m - m')."},
      {"O = alpha ( O + P V )", "this tile's P is weighed with m' already: alpha belongs to the O before it alone."},
      {"O = alpha O + alpha P V", "this tile's P is weighed with m' already: alpha belongs to the O before it alone."},
      {"O = O / alpha + P V", "what was summed before has to shrink, and alpha is at most 1: multiply by it."},
      {"l = alpha", "there is no *= here: write l = alpha l + rowsum(P)."},
      {"O = alpha", "there is no *= here: write O = alpha O."},
      {"P = e^ S", "e^S overflows where a score is large: the max is taken off first, as in exp(S - m')."},
      {"l = l + alpha rowsum P", "this tile's P is weighed with m' already: alpha belongs to the l before it."},
      {"L = m - log l", "L stands for the log of m's and l's sum: m + log(l)."},
      {"m = 0", "no score may be above m: it begins below all of them, m = -inf."},
      {"l = l / alpha + rowsum P", "what was summed before has to shrink, and alpha is at most 1: multiply by it."},
  };
  const std::vector<WalkToken> statement = with_new_max(typed);
  // "acc = ...": names are the language's.
  if (statement.size() > 2 && statement[1].text == "=" && is_letter(statement[0].text[0]) &&
      std::ranges::none_of(form_keys(),
                           [&](const std::string& form) { return form.starts_with(statement[0].text + " "); }))
    return "names are given here: Q, K, V, S, P, O; m, m', alpha, l, L; and those of the backward pass.";
  const auto found = std::ranges::find(kMistakes, key_of(statement), [](const auto& row) { return row.first; });
  return found == std::end(kMistakes) ? std::string_view() : found->second;
}

size_t letters_apart(std::string_view a, std::string_view b) { return changes(a, b); }

const WalkForm& nearest_walk_form(std::span<const WalkToken> typed) {
  const std::vector<WalkToken> statement = with_new_max(typed);
  const std::string key = key_of(statement);
  const auto made = [](const std::string& of) { return of.substr(0, of.find(" = ")); };  // what stands left of "="
  const bool known = std::ranges::any_of(form_keys(), [&](const std::string& form) { return made(form) == made(key); });
  std::vector<std::string> words;
  for (const WalkToken& token : statement) words.push_back(token.text);
  size_t best = 0;
  std::pair<size_t, size_t> fewest{size_t(-1), 0};  // words, then letters
  for (size_t k = 0; k < form_keys().size(); ++k) {
    if (known && made(form_keys()[k]) != made(key)) continue;
    std::vector<std::string> other;
    for (const WalkToken& token : walk_tokens(kForms[k].typed)) other.push_back(token.text);
    if (const std::pair now{changes(words, other), changes(key, form_keys()[k])}; now < fewest) best = k, fewest = now;
  }
  return kForms[best];
}

std::string trimmed_words(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  while (!out.empty() && (out.back() == ' ' || out.back() == '\r')) out.pop_back();
  return out;
}

std::string_view walk_name(Tensor tensor) { return tensor == Tensor::Alpha ? "alpha" : symbol_of(tensor); }
std::string_view walk_index(Tensor tensor) { return !by_key_tile(tensor) ? "i" : by_query_tile(tensor) ? "i,j" : "j"; }

std::optional<Tensor> walk_tensor(std::string_view name) {
  for (int t = 0; t < kTensorCount; ++t)
    if (walk_name(Tensor(t)) == name) return Tensor(t);
  return std::nullopt;
}

}  // namespace tilewalk
