#include "core/lesson/answer.h"

#include "core/quantity/closeness.h"
#include "core/io/trimmed.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace tilewalk {
namespace {

// Fixed on every machine, so that a seed is the same question everywhere. Source: SplitMix64 (Steele, Lea, Flood,
// 2014).
class Dice {
 public:
  Dice(uint64_t seed, std::string_view id) : state_(seed) {
    for (const char c : id) state_ = (state_ ^ uint8_t(c)) * 0x100000001B3;
  }
  size_t below(size_t count) {
    uint64_t x = state_ += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return size_t((x ^ (x >> 31)) % count);
  }

 private:
  uint64_t state_;
};

// What a name is, worked out once however often it is asked for on the way to one answer: names made of each other
// would take time without end otherwise.
constexpr int kMostNested = 256;  // names made of names; more would need a deep stack
struct Working {
  std::map<std::string, std::optional<Quantity>, std::less<>> known;
  int depth = 0;
};

Lookup names_while(const Lesson& lesson, const Instance* instance, Lookup outer, std::shared_ptr<Working> working) {
  return [&lesson, instance, outer, working](std::string_view name) -> std::optional<Quantity> {
    if (instance)
      if (const auto found = instance->variables.find(name); found != instance->variables.end()) return found->second;
    const auto made = std::ranges::find(lesson.quantities, name, &std::pair<std::string, std::string>::first);
    if (made == lesson.quantities.end()) return outer ? outer(name) : std::nullopt;

    if (const auto found = working->known.find(name); found != working->known.end()) return found->second;
    if (working->depth == kMostNested) return std::nullopt;
    working->known.emplace(name, std::nullopt);  // while it is being made
    ++working->depth;
    const std::optional<Quantity> value =
        evaluate(made->second, names_while(lesson, instance, outer, working)).quantity;
    working->known.insert_or_assign(std::string(name), value);
    if (--working->depth == 0) working->known.clear();  // by the next time the stage may have changed
    return value;
  };
}

struct Unit {
  std::string_view name;
  double size;
};
constexpr Unit kUnits[] = {
    {"%", 1e-2},     {"×", 1},        {"x", 1},         {"B", 1},          {"byte", 1},       {"bytes", 1},
    {"kB", 1e3},     {"KB", 1e3},     {"MB", 1e6},      {"GB", 1e9},       {"TB", 1e12},      {"KiB", 0x1p10},
    {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},  {"s", 1},          {"ms", 1e-3},      {"µs", 1e-6},
    {"μs", 1e-6},    {"us", 1e-6},    {"ns", 1e-9},     {"B/s", 1},        {"MB/s", 1e6},     {"GB/s", 1e9},
    {"TB/s", 1e12},  {"FLOP", 1},     {"kFLOP", 1e3},   {"MFLOP", 1e6},    {"GFLOP", 1e9},    {"TFLOP", 1e12},
    {"PFLOP", 1e15}, {"FLOP/s", 1},   {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}, {"FLOP/B", 1}};

const Unit* unit_named(std::string_view name) {
  const auto found = std::ranges::find(kUnits, name, &Unit::name);
  return found == std::end(kUnits) ? nullptr : &*found;
}

// Without the commas of "2,048"; nothing where a comma stands elsewhere.
std::optional<std::string> without_commas(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != ',') {
      out += text[k];
      continue;
    }
    size_t after = k + 1;
    while (after < text.size() && is_digit(text[after])) ++after;
    if (k == 0 || !is_digit(text[k - 1]) || after - k != 4) return std::nullopt;
  }
  return out;
}

// "2,62", where a comma is what elsewhere is a point.
std::optional<std::string> with_a_point(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find_first_of(",.", comma + 1) != std::string_view::npos ||
      text.substr(0, comma).find('.') != std::string_view::npos || comma == 0 || !is_digit(text[comma - 1]))
    return std::nullopt;
  return std::string(text).replace(comma, 1, 1, '.');
}

// "GB" for "GiB" where the number typed is the answer in that other family.
std::string_view other_family(double typed, double answer, std::string_view name) {
  const Unit *asked = unit_named(name), *decimal = nullptr;
  if (!asked || name.size() != 3 || name[1] != 'i') return {};
  for (const Unit& each : kUnits)
    if (each.name.size() == 2 && each.name.ends_with('B') && (each.name[0] | 0x20) == (name[0] | 0x20)) decimal = &each;
  if (!decimal || !(answer > 0)) return {};
  return std::fabs(typed / answer / (asked->size / decimal->size) - 1) < 0.005 ? decimal->name : std::string_view();
}

}  // namespace

Lookup names_of(const Lesson& lesson, const Instance* instance, Lookup outer) {
  return names_while(lesson, instance, std::move(outer), std::make_shared<Working>());
}

Instance instance_of(const Lesson& lesson, const Question& question, uint64_t seed, const Lookup& lookup) {
  Instance out;
  Dice dice(seed, question.id);
  const Lookup names = names_of(lesson, &out, lookup);
  const auto value = [&](const std::string& expression) {
    Evaluated result = evaluate(expression, names);
    if (!result.quantity && out.fault.empty()) out.fault = std::move(result.fault);
    return result.quantity;
  };
  for (const Variable& variable : question.vary) {
    if (variable.choices.empty()) continue;
    if (auto picked = value(variable.choices[dice.below(variable.choices.size())]))
      out.variables.emplace(variable.name, std::move(*picked));
  }
  out.order.resize(question.options.size());
  std::iota(out.order.begin(), out.order.end(), 0);
  for (size_t left = out.order.size(); left > 1; --left) std::swap(out.order[left - 1], out.order[dice.below(left)]);
  for (const AnswerOption& option : question.options) {
    const auto right = value(option.right);
    out.right.push_back(right && right->value != 0);
  }
  if (question.options.empty()) out.answer = value(question.answer);
  return out;
}

uint64_t seed_of_other_numbers(const Question& question, std::string_view before, uint64_t seed) {
  const auto picked = [&](uint64_t from, std::string_view id) {
    Dice dice(from, id);
    std::vector<std::string> out;
    for (const Variable& variable : question.vary)
      if (!variable.choices.empty()) out.push_back(variable.choices[dice.below(variable.choices.size())]);
    return out;
  };
  const std::vector<std::string> first = picked(1, before);
  for (uint64_t next = seed; next < seed + 64; ++next)
    if (picked(next, question.id) != first) return next;
  return seed;
}

std::optional<double> typed_number(std::string_view text, const Question& question, std::optional<double> answer) {
  text = trimmed(text);
  // A unit of its own goes before the question's. The longest that fits: "ms" is no "s".
  const Unit* unit = unit_named(question.unit);
  size_t longest = 0;
  for (const Unit& each : kUnits)
    if (text.ends_with(each.name) && each.name.size() > longest) unit = &each, longest = each.name.size();
  if (question.unit.size() > longest && text.ends_with(question.unit))  // "tiles"
    unit = unit_named(question.unit), longest = question.unit.size();
  text = trimmed(text.substr(0, text.size() - longest));

  const double size = unit ? unit->size : 1;
  const auto read = [&](const std::optional<std::string>& plain) -> std::optional<double> {
    // Sums, products and powers of numbers; no names and no functions.
    if (!plain || plain->empty() || plain->find_first_not_of("0123456789.eE+-*/^() ") != std::string::npos)
      return std::nullopt;
    const auto value = evaluate(*plain).quantity;
    if (!value || !std::isfinite(value->value)) return std::nullopt;
    return value->value * size;
  };
  const std::optional<double> grouped = read(without_commas(text)), pointed = read(with_a_point(text));
  if (!grouped || !pointed) return grouped ? grouped : pointed;
  if (!answer || *answer == 0) return grouped;
  const auto off = [&](double value) { return std::fabs(std::log(std::fabs(value / *answer))); };
  return off(*pointed) < off(*grouped) ? pointed : grouped;
}

bool is_unit(std::string_view unit) { return unit_named(unit) != nullptr; }

std::optional<std::string> answer_in_unit(double answer, const Question& question) {
  const Unit* unit = unit_named(question.unit);
  if (!unit) return std::nullopt;
  const double value = answer / unit->size;
  const bool whole = std::fabs(value) >= 999.5 && std::fabs(value) < 1e15;
  const std::string_view space = question.unit == "×" ? "" : " ";
  return fmt::format("{}{}{}", whole ? with_commas(std::llround(value)) : number_words(value), space, question.unit);
}

std::string score_words(double typed, double answer, std::string_view unit) {
  if (const std::string_view other = other_family(typed, answer, unit); !other.empty())
    return fmt::format("{}× too high: that is in {}, asked were {}", number_words(typed / answer), other, unit);
  return score_words(typed, answer);
}

}  // namespace tilewalk
