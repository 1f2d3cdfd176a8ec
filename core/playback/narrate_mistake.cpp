#include "core/playback/row_view.h"
#include "core/playback/told_unit.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {
namespace {

using enum StepKind;

std::string plus(double a, double b) { return fmt::format("{} {} {}", num(a), b < 0 ? "−" : "+", num(std::fabs(b))); }

Narration without_max(const ToldUnit& unit, const RowView& now) {
  const std::string row = std::to_string(unit.row_number());
  const auto infinite = std::find_if(now.p.begin(), now.p.end(), [](double p) { return std::isinf(p); });
  if (unit.did(RowSum) && infinite != now.p.end())
    return {fmt::format("Broken on purpose: without a max, a weight of row {} is larger than {} can hold.", row,
                        name_of(unit.plan.problem.format)),
            fmt::format("p = e^s = {};  l = {}", num(*infinite), num(now.l.value_or(0)))};
  if (unit.did(RowMax))
    return {fmt::format("Broken on purpose: no max is taken off, so row {}'s weights are e^s itself.", row), "m = 0"};
  return {fmt::format("Broken on purpose: the weights of row {} are e^s itself, as large as they come.", row),
          "p = e^s"};
}

// The row's max has risen and what was summed stays as it is.
Narration kept_sum(const ToldUnit& unit, const RowView& was, const RowView& now) {
  const double l_old = was.l.value_or(0), l = now.l.value_or(0);
  return {fmt::format("{} raises row {}'s max to {}, but what was summed does not shrink: broken on purpose.",
                      unit.name(Tensor::K), unit.row_number(), num(*now.m)),
          unit.did(RowSum) ? fmt::format("l = {} = {}", plus(l_old, l - l_old), num(l))
                           : fmt::format("m = {};  α is left out", num(*now.m))};
}

Narration kept_output(const ToldUnit& unit, const RowView& was, const RowView& now) {
  const std::string o = fmt::format("O[{}, 1]", unit.row_number());
  return {fmt::format("Row {} of O keeps its scale, whatever became of the max: broken on purpose.", unit.row_number()),
          unit.did(Accumulate) ? fmt::format("{} = {} = {}", o, plus(was.o[0], now.o[0] - was.o[0]), num(now.o[0]))
                               : fmt::format("{} = {}", o, num(now.o[0]))};
}

}  // namespace

std::optional<Narration> narrate_mistake(const ToldUnit& unit) {
  const Mistake mistake = unit.plan.problem.mistake;
  if (mistake == Mistake::None || mistake == Mistake::NoEarlyExit) return std::nullopt;
  const RowView was = view_row(unit.before, unit.last().i, unit.last().j, unit.row);
  const RowView now = view_row(unit.after, unit.last().i, unit.last().j, unit.row);
  if (mistake == Mistake::NoMax)
    return unit.did(RowMax) || unit.did(Exponentiate) || unit.did(RowSum) ? std::optional(without_max(unit, now))
                                                                          : std::nullopt;
  const bool rose = unit.did(RowMax) && was.m && now.m && std::isfinite(*was.m) && *now.m > *was.m;
  if (mistake == Mistake::NoRescale && rose) return kept_sum(unit, was, now);
  if (unit.did(Rescale) && !was.o.empty() && !now.o.empty()) return kept_output(unit, was, now);
  return std::nullopt;
}

}  // namespace tilewalk
