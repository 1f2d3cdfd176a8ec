#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {

std::string time_words(double ms) {
  return std::abs(ms) < 1 ? fmt::format("{:.1f} us", ms * 1000) : fmt::format("{:.3f} ms", ms);
}

std::string bytes_words(const std::optional<double>& bytes) {
  if (!bytes) return "-";
  if (*bytes < 1e6) return fmt::format("{:.0f} B", *bytes);
  return *bytes >= 1e9 ? fmt::format("{:.3f} GB", *bytes / 1e9) : fmt::format("{:.3f} MB", *bytes / 1e6);
}

std::string count_words(const std::optional<double>& count) { return count ? fmt::format("{:.0f}", *count) : "-"; }

std::string over_words(const std::optional<double>& counted, double predicted) {
  if (!counted || !(predicted > 0)) return "-";
  return fmt::format("{:+.2f} %", 100 * (*counted / predicted - 1) + 0.0);  // no "-0.00"
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  for (const auto& row : rows) {
    for (size_t c = 0; c < row.size(); ++c)
      c ? fmt::print("  {:>{}}", row[c], widths[c]) : fmt::print("{:<{}}", row[c], widths[c]);
    fmt::print("\n");
  }
}

}  // namespace tilewalk::gpu
