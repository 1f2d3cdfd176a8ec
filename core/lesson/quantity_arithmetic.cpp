#include "core/lesson/quantity_arithmetic.h"

#include "core/lesson/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

constexpr size_t kMostSource = 400;

[[noreturn]] void fail(std::string sentence) { throw QuantityFault{std::move(sentence)}; }

}  // namespace

// The later origin of two, and both sources, the later origin's first. What a model says with a published figure is
// still the model's.
void mix(Quantity& into, const Quantity& other) {
  const bool later = other.origin > into.origin;
  std::string first = later ? other.source : into.source, second = later ? into.source : other.source;
  const Origin last = std::max(into.origin, other.origin);
  const bool model = into.origin == Origin::Model || other.origin == Origin::Model;
  into.origin = model && last == Origin::Published ? Origin::Model : last;
  if (second.empty() || first.find(second) != std::string::npos)
    into.source = std::move(first);
  else if (first.empty())
    into.source = std::move(second);
  else if (first.size() + second.size() < kMostSource)
    into.source = first + "; " + second;
  else
    into.source = std::move(first);
}

Quantity checked(Quantity quantity) {
  if (std::isnan(quantity.value)) fail("the result is no number.");
  return quantity;
}

void agree_on_unit(Quantity& a, const Quantity& b, std::string_view what) {
  if (a.unit == b.unit || b.unit.empty()) return;
  if (!a.unit.empty()) fail(fmt::format("{} and {} cannot be {}.", a.unit, b.unit, what));
  a.unit = b.unit;
}

Quantity sum(Quantity a, const Quantity& b, double sign) {
  agree_on_unit(a, b, sign > 0 ? "added" : "subtracted");
  a.value += sign * b.value;
  mix(a, b);
  return checked(a);
}

Quantity product(Quantity a, const Quantity& b) {
  a.value *= b.value;
  a.unit = unit_product(a.unit, b.unit);
  mix(a, b);
  return checked(a);
}

Quantity ratio(Quantity a, const Quantity& b) {
  if (b.value == 0) fail("this divides by 0.");
  const bool rate = b.unit.ends_with("/s");
  a.value /= b.value;
  a.unit = unit_ratio(a.unit, b.unit);
  mix(a, b);
  // Work over a published rate is no published time: it is what a model says.
  if (rate && a.unit == "s" && a.origin == Origin::Published) a.origin = Origin::Model;
  return checked(a);
}

Quantity power(Quantity a, const Quantity& b) {
  if (!b.unit.empty()) fail("an exponent has no unit.");
  if (!a.unit.empty()) {
    if (b.value != std::round(b.value) || std::fabs(b.value) > 8)
      fail(fmt::format("{} can be raised to whole powers only.", a.unit));
    a.unit = unit_power(a.unit, int(b.value));
  }
  a.value = std::pow(a.value, b.value);
  mix(a, b);
  return checked(a);
}

}  // namespace tilewalk
