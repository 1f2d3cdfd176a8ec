// The mathematics that expressions need beside their operators. Units pass through where that means something.
#include "core/lesson/functions/arguments.h"

#include <cmath>

namespace tilewalk {
namespace {

template <class Function>
Evaluated of_one(std::span<const Argument> all, bool keeps_unit, Function function) {
  const Arguments a(all);
  Quantity out = a.quantity(0);
  out.value = function(out.value);
  if (!keeps_unit) out.unit.clear();
  if (!std::isfinite(out.value)) return failed("the result is no number.");
  return {out, {}};
}

Evaluated larger(std::span<const Argument> all, double sign) {
  const Arguments a(all);
  const Quantity *x = &a.quantity(0), *y = &a.quantity(1);
  Quantity out = sign * x->value >= sign * y->value ? *x : *y;
  out.origin = std::max(x->origin, y->origin);
  return {out, {}};
}

using All = std::span<const Argument>;

constexpr QuantityFunction kArithmeticFunctions[] = {
    {"min", "a, b", "The smaller one.", [](All all) { return larger(all, -1); }},
    {"max", "a, b", "The larger one.", [](All all) { return larger(all, 1); }},
    {"ceil", "x", "The next whole number above.",
     [](All all) { return of_one(all, true, [](double x) { return std::ceil(x); }); }},
    {"floor", "x", "The next whole number below.",
     [](All all) { return of_one(all, true, [](double x) { return std::floor(x); }); }},
    {"round", "x", "The nearest whole number.",
     [](All all) { return of_one(all, true, [](double x) { return std::round(x); }); }},
    {"abs", "x", "Without its sign.", [](All all) { return of_one(all, true, [](double x) { return std::fabs(x); }); }},
    {"sqrt", "x", "The square root, a pure number.",
     [](All all) { return of_one(all, false, [](double x) { return std::sqrt(x); }); }},
    {"exp", "x", "e to the power of x.",
     [](All all) { return of_one(all, false, [](double x) { return std::exp(x); }); }},
    {"log", "x", "The natural logarithm.",
     [](All all) { return of_one(all, false, [](double x) { return std::log(x); }); }},
    {"log2", "x", "The logarithm to base 2.",
     [](All all) { return of_one(all, false, [](double x) { return std::log2(x); }); }},
};

}  // namespace

std::span<const QuantityFunction> arithmetic_functions() { return kArithmeticFunctions; }

}  // namespace tilewalk
