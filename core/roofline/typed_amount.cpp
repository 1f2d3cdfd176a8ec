#include "core/roofline/typed_amount.h"

#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace tilewalk {
namespace {

constexpr size_t kMostLetters = 120;  // characters: no depth to speak of
constexpr double kLeast = 1e-15, kMost = 1e30;

bool is_unit_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

class Reader {
 public:
  Reader(std::string_view text, AmountOf what, int64_t n, int64_t d) : rest_(text), what_(what), n_(n), d_(d) {}

  std::optional<double> whole() {
    const auto value = sum();
    take("×") || take("x");  // "4.7×"
    skip();
    return rest_.empty() ? value : std::nullopt;
  }
  bool had_unit() const { return unit_; }

 private:
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    if (rest_.starts_with("\u00a0")) rest_.remove_prefix(2), skip();
  }
  bool take(std::string_view sign) {
    skip();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  std::optional<double> sum() {
    auto value = product();
    while (value) {
      const bool plus = take("+");
      if (!plus && !take("-") && !take("−")) break;
      const auto next = product();
      value = next ? std::optional(plus ? *value + *next : *value - *next) : std::nullopt;
    }
    return value;
  }

  std::optional<double> product() {
    auto value = power();
    while (value) {
      const std::string_view before = rest_;
      if (take("/")) {
        const auto next = power();
        value = next ? std::optional(*value / *next) : std::nullopt;
        continue;
      }
      const bool sign = take("*") || take("·") || take("×");
      skip();
      const bool follows = !rest_.empty() && (rest_.front() == 'N' || rest_.front() == 'd' || rest_.front() == '(' ||
                                              (sign && (std::isdigit(static_cast<unsigned char>(rest_.front())) ||
                                                        rest_.front() == '.' || rest_.front() == '-')));
      if (!follows) {
        rest_ = before;
        break;
      }
      const auto next = power();
      value = next ? std::optional(*value * *next) : std::nullopt;
    }
    return value;
  }

  std::optional<double> power() {
    auto value = base();
    if (!value) return value;
    if (take("²")) return *value * *value;
    if (take("³")) return *value * *value * *value;
    if (!take("^")) return value;
    const auto exponent = base();
    return exponent ? std::optional(std::pow(*value, *exponent)) : std::nullopt;
  }

  std::optional<double> base() {
    if (take("-") || take("−")) {
      const auto value = power();
      return value ? std::optional(-*value) : std::nullopt;
    }
    if (take("(")) {
      const auto value = sum();
      return take(")") ? value : std::nullopt;
    }
    if (take("N")) return double(n_);
    if (take("d")) return double(d_);
    return number();
  }

  std::optional<double> number() {
    skip();
    std::string digits;
    size_t used = 0;
    while (used < rest_.size()) {
      const char c = rest_[used];
      const bool exponent = (c == 'e' || c == 'E') && used + 1 < rest_.size() && !digits.empty() &&
                            (std::isdigit(static_cast<unsigned char>(rest_[used + 1])) || rest_[used + 1] == '-' ||
                             rest_[used + 1] == '+');
      if (exponent) {
        digits += 'e';
        if (!std::isdigit(static_cast<unsigned char>(rest_[++used]))) {
          if (rest_[used] == '-') digits += '-';
          ++used;
        }
        continue;
      }
      if (c != ',' && c != '.' && !std::isdigit(static_cast<unsigned char>(c))) break;
      if (c != ',') digits += c;  // 2,048
      ++used;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
      return std::nullopt;
    if (error == std::errc::result_out_of_range) value = HUGE_VAL;
    rest_.remove_prefix(used);
    return value * unit();
  }

  // A prefix, a unit, or both behind a number. N and d are the sheet's, no units.
  double unit() {
    const std::string_view before = rest_;
    skip();
    if (rest_.empty() || rest_.front() == 'N' || rest_.front() == 'd') return rest_ = before, 1;
    double factor = 1;
    bool prefix = true;
    std::string_view after = rest_;
    constexpr std::array<std::pair<std::string_view, double>, 10> kPrefixes{{{"k", 1e3},
                                                                             {"K", 1e3},
                                                                             {"M", 1e6},
                                                                             {"G", 1e9},
                                                                             {"T", 1e12},
                                                                             {"P", 1e15},
                                                                             {"µ", 1e-6},
                                                                             {"μ", 1e-6},
                                                                             {"u", 1e-6},
                                                                             {"n", 1e-9}}};
    const auto* found = std::find_if(kPrefixes.begin(), kPrefixes.end(),
                                     [&](const auto& each) { return rest_.starts_with(each.first); });
    if (found != kPrefixes.end()) {
      factor = found->second;
      after.remove_prefix(found->first.size());
    } else if (what_ == AmountOf::Time && rest_.starts_with("ms")) {
      factor = 1e-3;
      after.remove_prefix(1);
    } else {
      prefix = false;
    }
    size_t word = 0;
    while (word < after.size() && is_unit_letter(after[word])) ++word;
    const std::string_view name = after.substr(0, word);
    constexpr std::array<std::string_view, 14> kUnits{"B",     "byte", "bytes", "FLOP", "FLOPs", "FLOPS", "flop",
                                                      "flops", "s",    "sec",   "exp",  "op",    "ops",   "us"};
    const bool known = name.empty() || std::find(kUnits.begin(), kUnits.end(), name) != kUnits.end();
    if (!known || (name.empty() && !prefix)) return rest_ = before, 1;
    after.remove_prefix(word);
    for (const std::string_view per : {"/s", "/byte", "/B"})
      if (after.starts_with(per)) {
        after.remove_prefix(per.size());
        break;
      }
    rest_ = after;
    unit_ = true;
    return factor;
  }

  std::string_view rest_;
  AmountOf what_;
  int64_t n_, d_;
  bool unit_ = false;
};

}  // namespace

TypedAmount read_amount(std::string_view text, AmountOf what, int64_t n, int64_t d) {
  const std::string shown = in_quotes(text, 24);
  if (text.find_first_not_of(" \t") == std::string_view::npos) return {0, "Nothing is typed yet."};
  if (text.size() > kMostLetters) return {0, "That is too long for a number."};
  Reader reader(text, what, n, d);
  const auto read = reader.whole();
  if (!read || std::isnan(*read)) return {0, fmt::format("{} is no number; write 3.35 T, 2e9 or 4 N² d.", shown)};
  double value = *read;
  if (!reader.had_unit()) {
    if (what == AmountOf::Time) value *= 1e-6;
    if (what == AmountOf::Rate && std::fabs(value) < 1e6) value *= 1e12;
  }
  if (!(value > 0)) return {0, fmt::format("{} is not above 0.", shown)};
  if (value > kMost) return {0, fmt::format("{} is larger than anything here can be.", shown)};
  if (value < kLeast) return {0, fmt::format("{} is smaller than anything here can be.", shown)};
  return {value, {}};
}

}  // namespace tilewalk
