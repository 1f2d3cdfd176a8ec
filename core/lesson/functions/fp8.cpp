// How exact eight bits are: attention with Q, K, V and P in e4m3, on inputs of which a few stand out.
#include "core/lesson/functions/arguments.h"

#include "core/attention/fp8.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

Evaluated fp8_rmse(std::span<const Argument> all) {
  Arguments a(all);
  const auto distribution = distribution_named(a.word("distribution", "outliers"));
  const auto seed = uint64_t(a.whole("seed", int64_t(Problem{}.seed), 0, int64_t{1} << 53));
  if (!distribution || *distribution == Distribution::Custom)
    a.fail("distribution must be normal, outliers or integers.");
  if (a.failed()) return failed(a.fault);
  const auto methods = fp8_methods();
  const auto method = std::ranges::find(methods, a.word(0), &Fp8Method::id);
  if (method == methods.end()) {
    std::string known;
    for (const Fp8Method& each : methods) known += fmt::format("{}{}", known.empty() ? "" : ", ", each.id);
    return failed(fmt::format("{} is no method; there are {}.", in_quotes(a.word(0), 40), known));
  }
  const auto study = fp8_study(*distribution, seed);
  const Problem& p = study->problem;
  return whole_quantity(study->rmse[size_t(method - methods.begin())], "",
                        fmt::format("root mean squared error of O against float64, {}; {} inputs, N = {}, d = {}",
                                    method->name, name_of(*distribution), p.n_q, p.d));
}

constexpr QuantityFunction kFunctions[] = {
    {"fp8_rmse", "METHOD, distribution=WORD, seed=",
     "Error of attention in e4m3 against float64, by the way scales are chosen.", fp8_rmse},
};

}  // namespace

std::span<const QuantityFunction> fp8_functions() { return kFunctions; }

}  // namespace tilewalk
