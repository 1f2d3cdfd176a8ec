// Expressions of lessons: a recursive descent over the text, which computes as it reads.
//
//   comparison   sum [(< <= > >= == !=) sum]
//   sum          product {(+ -) product}
//   product      power {(* /) power}
//   power        [-] primary [^ power]
//   primary      number, (comparison), name, function(argument, name=argument ...)
#include "core/io/effort.h"
#include "core/io/printable.h"
#include "core/io/number.h"
#include "core/io/trimmed.h"
#include "core/lesson/quantity_arithmetic.h"
#include "core/quantity/published.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

namespace tilewalk {
namespace {

[[noreturn]] void fail(std::string sentence) { throw QuantityFault{std::move(sentence)}; }

constexpr int kMostDepth = 64;
constexpr int64_t kEffortOfCall = 50;
constexpr size_t kMostCharacters = 4096;

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// One argument of a function's list: "SCHEDULE" and "mask=WORD" take words, "x" and "N=" numbers.
struct Slot {
  std::string_view name;  // empty: by place
  bool word;
};
std::vector<Slot> slots_of(std::string_view list) {
  std::vector<Slot> out;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trimmed(list.substr(0, comma));
    const size_t equals = item.find('=');
    if (equals != std::string_view::npos)
      out.push_back({item.substr(0, equals), equals + 1 < item.size()});
    else
      out.push_back({{}, item[0] >= 'A' && item[0] <= 'Z'});
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return out;
}

// Functions have no side effects, and some take a while; a text is evaluated again whenever it is drawn.
Evaluated call(const QuantityFunction& function, std::span<const Argument> arguments) {
  constexpr size_t kMostKept = 4096;
  struct Kept {
    Evaluated value;
    int64_t effort;
  };
  static std::mutex mutex;
  static std::map<std::string, Kept> kept;

  std::string key(function.name);
  bool has_word = false;
  for (const Argument& argument : arguments) {
    const auto* word = std::get_if<std::string>(&argument.value);
    has_word |= word != nullptr;
    key += fmt::format("\n{}={}", argument.name,
                       word ? *word : fmt::format("{}", std::get<Quantity>(argument.value).value));
  }
  spend(kEffortOfCall);
  if (!has_word) return function.call(arguments);  // arithmetic: quicker than looking it up
  std::optional<Kept> found;
  {
    const std::lock_guard lock(mutex);
    if (const auto at = kept.find(key); at != kept.end()) found = at->second;
  }
  const bool first = Effort::first_time(key);
  if (found) {
    if (first) spend(found->effort);
    return found->value;
  }
  int64_t effort = 0;
  Evaluated result;
  {
    const Effort of_call(Effort::left());
    result = function.call(arguments);
    effort = of_call.spent();
  }
  const std::lock_guard lock(mutex);
  if (kept.size() >= kMostKept) kept.clear();
  kept.emplace(std::move(key), Kept{result, effort});
  return result;
}

class Reader {
 public:
  Reader(std::string_view text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  Quantity read() {
    const Quantity result = comparison();
    skip();
    if (at_ < text_.size()) fail(fmt::format("{} was not expected.", in_quotes(text_.substr(at_), 30)));
    return result;
  }

 private:
  struct Depth {
    explicit Depth(int& depth) : depth(depth) {
      if (++depth > kMostDepth) fail("the expression is nested too deeply.");
    }
    ~Depth() { --depth; }
    int& depth;
  };

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void need(std::string_view sign) {
    if (take(sign)) return;
    fail(at_ < text_.size() ? fmt::format("{} is expected before {}.", sign, in_quotes(text_.substr(at_), 30))
                            : fmt::format("{} is missing at the end.", sign));
  }

  Quantity comparison() {
    const Depth depth(depth_);
    Quantity a = sum_of_products();
    for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (!take(sign)) continue;
      const Quantity b = sum_of_products();
      agree_on_unit(a, b, "compared");
      const double x = a.value, y = b.value;
      const bool holds = sign == "<="   ? x <= y
                         : sign == ">=" ? x >= y
                         : sign == "==" ? x == y
                         : sign == "!=" ? x != y
                         : sign == "<"  ? x < y
                                        : x > y;
      mix(a, b);
      a.value = holds;
      a.unit.clear();
      break;
    }
    return a;
  }

  Quantity sum_of_products() {
    Quantity a = product_of_powers();
    for (;;) {
      if (take("+"))
        a = sum(std::move(a), product_of_powers(), 1);
      else if (take("-"))
        a = sum(std::move(a), product_of_powers(), -1);
      else
        return a;
    }
  }

  Quantity product_of_powers() {
    Quantity a = signed_power();
    for (;;) {
      if (take("*"))
        a = product(std::move(a), signed_power());
      else if (take("/"))
        a = ratio(std::move(a), signed_power());
      else
        return a;
    }
  }

  Quantity signed_power() {
    const Depth depth(depth_);
    if (take("-")) {
      Quantity a = signed_power();
      a.value = -a.value;
      return a;
    }
    const Quantity a = primary();
    return take("^") ? power(a, signed_power()) : a;
  }

  Quantity primary() {
    if (take("(")) {
      const Quantity inside = comparison();
      need(")");
      return inside;
    }
    skip();
    if (at_ == text_.size()) fail("the expression ends too soon.");
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (!is_name_letter(text_[at_])) fail(fmt::format("{} was not expected.", in_quotes(text_.substr(at_), 30)));
    const std::string_view name = word_from(at_, false);
    if (name.find('.') == std::string_view::npos) {
      const size_t before = at_;
      at_ += name.size();
      if (take("(")) return function(name);
      at_ = before;
    }
    return named(name);
  }

  Quantity number() {
    Quantity out;
    std::string_view rest = std::string_view(text_).substr(at_);
    const auto value = take_number<double>(rest);
    if (!value || !std::isfinite(*value)) fail(fmt::format("{} is no number.", in_quotes(text_.substr(at_), 30)));
    out.value = *value;
    at_ = text_.size() - rest.size();
    if (at_ < text_.size() && (is_name_letter(text_[at_]) || text_[at_] == '.'))
      fail(fmt::format("{} is not understood.", in_quotes(text_.substr(at_), 30)));
    return out;
  }

  std::string_view word_from(size_t at, bool hyphens) const {
    size_t end = at;
    while (end < text_.size() &&
           (is_name_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.' || (hyphens && text_[end] == '-')))
      ++end;
    return text_.substr(at, end - at);
  }

  // A dotted name may hold hyphens ("stage.dram-time"), where the longer name is known.
  Quantity named(std::string_view name) {
    if (name.find('.') != std::string_view::npos) {
      const std::string_view longer = word_from(at_, true);
      if (longer.size() > name.size())
        if (const auto found = known(longer)) return at_ += longer.size(), *found;
    }
    if (const auto found = known(name)) return at_ += name.size(), *found;
    if (name == "true" || name == "false") return at_ += name.size(), Quantity{double(name == "true"), {}, {}, {}};
    fail(fmt::format("{} is not known here.", in_quotes(name, 60)));
  }

  std::optional<Quantity> known(std::string_view name) const {
    if (lookup_)
      if (auto found = lookup_(name)) return found;
    if (name.starts_with("published.")) return published(name.substr(10));
    return std::nullopt;
  }

  Quantity function(std::string_view name) {
    const auto all = quantity_functions();
    const auto function = std::ranges::find(all, name, &QuantityFunction::name);
    if (function == all.end())
      fail(fmt::format("there is no function {}; `tilewalk check --quantities` lists them.", in_quotes(name, 40)));
    const std::vector<Slot> slots = slots_of(function->arguments);
    std::vector<Argument> arguments;
    size_t place = 0;
    if (!take(")")) {
      do {
        const Slot& slot = slot_of_next(*function, slots, place);
        if (slot.name.empty())
          ++place;
        else if (std::ranges::find(arguments, slot.name, &Argument::name) != arguments.end())
          fail(fmt::format("{} is given twice.", slot.name));
        Argument argument{std::string(slot.name), {}};
        if (slot.word)
          argument.value = std::string(word_argument());
        else
          argument.value = comparison();
        arguments.push_back(std::move(argument));
      } while (take(","));
      need(")");
    }
    if (std::ranges::count(slots, "", &Slot::name) > std::ptrdiff_t(place))
      fail(fmt::format("{} takes ({}).", name, function->arguments));
    Evaluated result = call(*function, arguments);
    if (!result.quantity) fail(fmt::format("{}: {}", name, result.fault));
    // What it was asked with may be a model's or someone's figure; so is the answer then.
    for (const Argument& argument : arguments)
      if (const auto* quantity = std::get_if<Quantity>(&argument.value);
          quantity && quantity->origin != Origin::Computed)
        mix(*result.quantity, *quantity);
    return *result.quantity;
  }

  // Takes "name=" where it stands there.
  const Slot& slot_of_next(const QuantityFunction& function, const std::vector<Slot>& slots, size_t place) {
    skip();
    const std::string_view name = at_ < text_.size() && is_name_letter(text_[at_]) ? word_from(at_, false) : "";
    const size_t before = at_;
    at_ += name.size();
    if (!name.empty() && take("=") && !take("=")) {
      const auto found = std::ranges::find(slots, name, &Slot::name);
      if (found == slots.end())
        fail(fmt::format("{} has no argument {}; it takes ({}).", function.name, name, function.arguments));
      return *found;
    }
    at_ = before;
    for (const Slot& slot : slots)
      if (slot.name.empty() && place-- == 0) return slot;
    fail(fmt::format("{} takes ({}).", function.name, function.arguments));
  }

  // A bare word (fa2, a100-80), or anything in quotes of either kind.
  std::string_view word_argument() {
    skip();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote == '\'' || quote == '"') {
      const size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos) fail("a quote is not closed.");
      const std::string_view word = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return word;
    }
    const std::string_view word = word_from(at_, true);
    if (word.empty()) fail("a word is missing.");
    at_ += word.size();
    return word;
  }

  std::string_view text_;
  const Lookup& lookup_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Evaluated evaluate(std::string_view expression, const Lookup& lookup) {
  try {
    if (expression.size() > kMostCharacters)
      fail(fmt::format("an expression has at most {} characters.", kMostCharacters));
    spend(100 + 2 * int64_t(expression.size()));
    return {Reader(expression, lookup).read(), {}};
  } catch (const Effort::Spent&) {
    return {std::nullopt, "this asks for more than is worked out for one lesson."};
  } catch (const QuantityFault& failure) {
    return {std::nullopt, failure.sentence};
  }
}

}  // namespace tilewalk
