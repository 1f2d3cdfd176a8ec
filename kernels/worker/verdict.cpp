#include "kernels/worker/verdict.h"

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {

ErrorLimits limits_of(Format format) {
  return format == Format::BFloat16 ? ErrorLimits{1.6e-2, 8e-3} : ErrorLimits{2e-3, 1e-3};
}

Errors judge(Format format, bool rounded_scores, std::span<const RowGap> rows) {
  Errors errors{.rows = int64_t(rows.size()), .passed = true};
  const double stored = rounded_scores ? (format == Format::BFloat16 ? 0x1p-8 : 0x1p-11) : 0;
  const ErrorLimits limits = limits_of(format);
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
    if (!(row <= limits.row) || !(lse <= 1e-4 + stored * gap.widest)) errors.passed = false;
  }
  errors.whole = difference == 0 ? 0 : std::sqrt(difference / reference);
  if (!(errors.whole <= limits.whole)) errors.passed = false;
  return errors;
}

}  // namespace tilewalk::gpu
