#include "core/roofline/sheet.h"

#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

// The fastest that runs there. Where a rate is not known the fused methods' times are ranges, and the middle decides
// among them, on the scale of ratios; one that is not fused must be faster than the least of the best one's.
Method best_of(const EstimateSheet& sheet) {
  const auto middle = [&](Method m) {
    const double least = sheet.of(m).time, most = sheet.most[size_t(m)];
    return least * (std::isfinite(most) ? most : least);
  };
  std::optional<Method> fused, unfused;
  for (const MethodInfo& info : estimated_methods()) {
    if (!sheet.of(info.id).why_not.empty()) continue;
    std::optional<Method>& best = is_fused(info.id) ? fused : unfused;
    if (!best || (is_fused(info.id) ? middle(info.id) < middle(*best) : sheet.of(info.id).time < sheet.of(*best).time))
      best = info.id;
  }
  if (!fused || !unfused) return fused ? *fused : unfused.value_or(Method::Eager);
  return sheet.of(*unfused).time < sheet.of(*fused).time ? *unfused : *fused;
}

}  // namespace

EstimateSheet estimate_sheet(const Problem& problem, Direction direction, Levels levels, const Roofs& roofs,
                             std::optional<Method> fused) {
  EstimateSheet sheet;
  sheet.problem = problem, sheet.direction = direction, sheet.levels = levels, sheet.roofs = roofs;
  for (const MethodInfo& info : estimated_methods()) {
    sheet.works.push_back(
        work_of(info.id, problem, direction, released_splits(info.id, problem, direction, roofs.sms)));
    sheet.estimates.push_back(estimate(sheet.works.back(), roofs, levels));
    sheet.longest.push_back(sheet.square() ? longest_that_fits(info.id, problem, roofs, direction) : std::nullopt);
    // Bands are of estimates with L2.
    const bool held = levels == Levels::WithL2;
    sheet.bands.push_back(held ? band_of(info.id, problem, direction, roofs) : std::nullopt);
    sheet.both_bands.push_back(held && !sheet.bands.back() ? band_of(info.id, problem, HeldPass::Both, roofs)
                                                           : std::nullopt);
    sheet.most.push_back(most_time(sheet.estimates.back(), sheet.works.back(), roofs));
    if (sheet.works.back().splits > 1 && info.id == Method::Fa2)
      sheet.unsplit = estimate(work_of(info.id, problem, direction), roofs, levels);
  }
  sheet.best = best_of(sheet);
  sheet.fused = fused ? *fused : is_fused(sheet.best) ? sheet.best : best_fused(roofs, problem, direction);
  if (!sheet.square()) return sheet;
  sheet.bound = bound_along(sheet.fused, problem, roofs, direction, levels);
  if (sheet.of(sheet.fused).why_not.empty())
    sheet.saturation = saturation(Method::Standard, sheet.fused, problem, roofs, direction, levels);
  return sheet;
}

std::string win_words(const WinRange& win) {
  const auto words = [](double times) {
    return times > 0 && times < 0.01 ? number_words(times, 2) : fmt::format("{:.2f}", times);
  };
  const std::string most = words(win.most);
  if (most == words(win.least)) return most + "×";
  if (!(win.least > 0)) return "≤ " + most + "×";
  const std::string low = fmt::format("{:.1f}", win.least), high = fmt::format("{:.1f}", win.most);
  return low == high ? low + "×" : fmt::format("{}–{}×", low, high);
}

}  // namespace tilewalk
