#include "app/panels/number_tip.h"

#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tilewalk {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.'; }

// Where the bracket that opens at `open` is closed, or the end.
size_t close_of(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at;
  }
  return text.size() - 1;
}

// A name with the arguments behind it, from `at` on.
std::string_view operand_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && in_name(text[end])) ++end;
  if (end < text.size() && text[end] == '(') end = close_of(text, end) + 1;
  return text.substr(at, end - at);
}

// What a name of the front matter stands for, as long as it stands for another name alone.
std::string_view spelt_out(std::string_view expression, const Lesson& lesson) {
  for (size_t depth = 0; depth <= lesson.quantities.size(); ++depth) {
    const auto named = std::ranges::find(lesson.quantities, trimmed(expression),
                                         [](const auto& quantity) { return std::string_view(quantity.first); });
    if (named == lesson.quantities.end()) break;
    expression = named->second;
  }
  return trimmed(expression);
}

// The first clause of what the table of functions says of it.
std::string meaning_of_call(std::string_view expression) {
  if (expression.empty() || !begins_name(expression[0]) || operand_at(expression, 0).size() != expression.size())
    return {};
  const std::string_view name = expression.substr(0, expression.find('('));
  for (const QuantityFunction& function : quantity_functions())
    if (function.name == name) return std::string(function.meaning.substr(0, function.meaning.find_first_of(".;:")));
  return {};
}

std::string meaning_of(std::string_view expression, const Lesson& lesson) {
  for (size_t depth = 0; depth <= lesson.quantities.size(); ++depth) {
    if (const auto said = lesson.meanings.find(trimmed(expression)); said != lesson.meanings.end()) {
      std::string meaning = said->second;
      while (meaning.ends_with('.')) meaning.pop_back();
      return meaning;
    }
    const auto named = std::ranges::find(lesson.quantities, trimmed(expression),
                                         [](const auto& quantity) { return std::string_view(quantity.first); });
    if (named == lesson.quantities.end()) break;
    expression = named->second;
  }
  return meaning_of_call(trimmed(expression));
}

// "136 MB ÷ 2.04 TB/s"; empty where nothing is calculated, or an operand has no value.
std::string formula_of(std::string_view expression, const Worth& worth) {
  std::string out;
  bool calculated = false;
  for (size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    if (begins_name(c)) {
      const std::string_view operand = operand_at(expression, at);
      const Evaluated value = worth(operand);
      const auto text = value.quantity ? format_quantity(*value.quantity, "") : std::nullopt;
      if (!text) return {};
      out += *text;
      at += operand.size();
      continue;
    }
    const bool sign = c == '*' || c == '/' || c == '+' || c == '-' || c == '^';
    calculated = calculated || sign;
    out += c == '*' ? "×" : c == '/' ? "÷" : c == '-' ? "−" : std::string(1, c);
    ++at;
  }
  return calculated ? out : std::string();
}

}  // namespace

std::string number_tip(std::string_view expression, std::string_view shown, const Quantity& value, const Lesson& lesson,
                       const Worth& worth) {
  std::string tip = meaning_of(expression, lesson);
  if (!tip.empty()) tip += ". ";
  const std::string formula = formula_of(spelt_out(expression, lesson), worth);
  if (!formula.empty()) tip += fmt::format("{} = {}. ", formula, shown);
  if (tip.empty()) tip = fmt::format("{}. ", shown);
  std::string origin(name_of(value.origin));
  if (!origin.empty()) origin[0] = char(std::toupper(static_cast<unsigned char>(origin[0])));
  return fmt::format("{}{}{}{}", tip, origin, value.source.empty() ? "" : ": ", value.source);
}

}  // namespace tilewalk
