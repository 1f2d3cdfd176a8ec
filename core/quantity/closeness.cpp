#include "core/quantity/closeness.h"

#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

bool same_to_three_digits(double a, double b) { return number_words(a) == number_words(b); }

}  // namespace

int score_of(double typed, double answer, bool exact) {
  if (answer <= 0) return same_to_three_digits(typed, answer) ? 100 : 0;
  if (!(typed > 0)) return 0;
  const double factor = std::max(typed / answer, answer / typed) * (1 - 1e-12);  // a factor of 1.1 itself is within
  if (exact) return factor <= 1.005 ? 100 : 0;
  return factor <= 1.1 ? 100 : factor <= 1.25 ? 80 : factor <= 1.5 ? 60 : factor <= 2 ? 30 : 0;
}

std::string score_words(double typed, double answer) {
  const double factor = answer > 0 && typed > 0 ? std::max(typed / answer, answer / typed) : 0;
  if (typed == answer) return "right";
  if (same_to_three_digits(typed, answer) || (factor && factor < 1.001)) return "right to three digits";
  if (factor && factor < 1.005) return "right within half a percent";
  if (!factor) return fmt::format("off by {}", number_words(std::fabs(typed - answer)));
  const std::string_view side = typed > answer ? "high" : "low";
  if (factor >= 100) return fmt::format("far too {}; is the unit right?", side);
  return fmt::format("{}× too {}", number_words(factor), side);
}

}  // namespace tilewalk
