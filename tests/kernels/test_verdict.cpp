// What is near enough to float64, on errors that are written down here.
#include "kernels/worker/verdict.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tilewalk::gpu {
namespace {

// A row of O with that relative error, of length 1, and an L with that absolute one.
RowGap gap(double o, double lse, double l = 1, double widest = 4) { return {o * o, 1, lse, l, widest}; }

bool passes(Format format, std::vector<RowGap> rows, bool rounded_scores = false) {
  return judge(format, rounded_scores, rows).passed;
}

}  // namespace

TEST_CASE("L may be off by 1e-4 of its size, and by 1e-4 where it is small") {
  CHECK(passes(Format::Float16, {gap(1e-4, 9e-5, 0.1)}));
  CHECK_FALSE(passes(Format::Float16, {gap(1e-4, 2e-4, 0.1)}));
  CHECK(passes(Format::Float16, {gap(1e-4, 2e-4, -500)}));
  CHECK_FALSE(passes(Format::Float16, {gap(1e-4, 0.06, 500)}));
  CHECK(judge(Format::Float16, false, std::vector{gap(0, 0.02, 500)}).lse == doctest::Approx(4e-5).scale(0));
}

TEST_CASE("one row, all rows and the format each have their limit") {
  CHECK(passes(Format::Float16, {gap(1.9e-3, 0), gap(1e-5, 0), gap(1e-5, 0), gap(1e-5, 0)}));
  CHECK_FALSE(passes(Format::Float16, {gap(2.1e-3, 0), gap(1e-5, 0), gap(1e-5, 0), gap(1e-5, 0), gap(1e-5, 0)}));
  CHECK_FALSE(passes(Format::Float16, {gap(1.9e-3, 0), gap(1.9e-3, 0)}));  // the whole: 1e-3
  CHECK(passes(Format::BFloat16, {gap(7e-3, 0)}));
}

TEST_CASE("L of standard attention may be off by the rounding of stored scores; O may not") {
  CHECK(passes(Format::Float16, {gap(3e-4, 1e-2, 1, 40)}, true));
  CHECK_FALSE(passes(Format::Float16, {gap(3e-4, 1e-2, 1, 40)}));
  CHECK_FALSE(
      passes(Format::Float16, {gap(2.1e-3, 0, 1, 40), gap(1e-5, 0), gap(1e-5, 0), gap(1e-5, 0), gap(1e-5, 0)}, true));
}

TEST_CASE("what is no number never passes; a row without keys does") {
  CHECK_FALSE(passes(Format::Float16, {gap(NAN, 0)}));
  CHECK_FALSE(passes(Format::Float16, {gap(0, NAN)}));
  CHECK(passes(Format::Float16, {{0, 0, 0, -INFINITY, 0}, gap(1e-4, 0)}));
}

}  // namespace tilewalk::gpu
