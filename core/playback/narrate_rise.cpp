// What becomes of what was summed when a row's max rises: as the program on the stage has it, which may be somebody's
// first try.
#include "core/playback/told_unit.h"
#include "core/judge/shrinks.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

std::string narrate_rise(const ToldUnit& unit, double m, bool summed) {
  const auto max = std::find_if(unit.steps.rbegin(), unit.steps.rend(),
                                [](const Step& step) { return step.kind == StepKind::RowMax; });
  const std::string to = in_caption(m);
  if (max->has(Step::kFinalMax))
    return fmt::format(
        "{} holds a larger score for row {}: its max rises to {}. {}", unit.name(Tensor::S), unit.row_number(), to,
        summed ? "What was summed before was weighed with the old max." : "No sum has begun, so nothing shrinks.");
  const Shrinks shrinks = shrinks_of(unit.schedule, unit.plan.variant, *max);
  const std::string_view then = !shrinks.sums() && !summed    ? ""
                                : shrinks.all()               ? ", so all that was summed shrinks"
                                : shrinks.l && shrinks.sums_l ? ", so l shrinks, but O does not"
                                : shrinks.o && shrinks.sums_o ? ", so O shrinks, but l does not"
                                                              : ", but nothing that was summed shrinks";
  return fmt::format("{} holds a larger score for row {}. Its max rises to {}{}.", unit.name(Tensor::K),
                     unit.row_number(), to, then);
}

}  // namespace tilewalk
