#include "kernels/worker/verdict.h"

#include "core/run/tolerance.h"

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {

Errors judge(Format format, bool rounded_scores, std::span<const RowGap> rows) {
  Errors errors{.rows = int64_t(rows.size()), .passed = true};
  const double stored = rounded_scores ? score_rounding(format) : 0;
  const ErrorLimits limits = error_limits(format);
  const auto keep_worst = [](double& worst, double value) {
    if (!std::isnan(worst) && !(value <= worst)) worst = value;
  };
  double difference = 0, reference = 0;
  for (const RowGap& gap : rows) {
    difference += gap.difference;
    reference += gap.reference;
    const double row = gap.difference == 0 ? 0 : std::sqrt(gap.difference / gap.reference);
    const double lse = gap.lse == 0 ? 0 : gap.lse / std::max(1.0, std::fabs(gap.lse_reference));
    keep_worst(errors.worst_row, row);
    keep_worst(errors.lse, lse);
    if (!(row <= limits.row) || !(lse <= kMostLseError + stored * gap.widest)) errors.passed = false;
  }
  errors.whole = difference == 0 ? 0 : std::sqrt(difference / reference);
  if (!(errors.whole <= limits.whole)) errors.passed = false;
  return errors;
}

}  // namespace tilewalk::gpu
