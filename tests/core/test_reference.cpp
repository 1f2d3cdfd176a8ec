// The reference itself, on cases small enough to work out by hand.
#include "core/attention/reference.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tilewalk::test_reference {

namespace {

Matrix matrix(int64_t rows, int64_t cols, std::vector<double> values) {
  Matrix m(rows, cols);
  m.values = std::move(values);
  return m;
}

}  // namespace

TEST_CASE("two keys, one of them e times as heavy") {
  Problem p;
  p.n_q = 1;
  p.n_k = 2;
  p.d = 1;
  p.scale = 0.5;
  const Inputs in{matrix(1, 1, {2}), matrix(2, 1, {0, 1}), matrix(2, 1, {10, 20}), ""};
  const double e = std::exp(1.0);
  CHECK(reference_score(p, in, 0, 1) == 1.0);
  const Reference r = reference(p, in);
  CHECK(r.o.at(0, 0) == doctest::Approx((10 + 20 * e) / (1 + e)).epsilon(1e-14));
  CHECK(r.lse[0] == doctest::Approx(std::log(1 + e)).epsilon(1e-14));
}

TEST_CASE("equal scores give the mean; a causal mask gives the mean of what is seen") {
  Problem p;
  p.n_q = p.n_k = 3;
  p.d = 1;
  const Inputs in{matrix(3, 1, {0, 0, 0}), matrix(3, 1, {5, 6, 7}), matrix(3, 1, {3, 6, 12}), ""};
  CHECK(reference(p, in).o.values == std::vector<double>{7, 7, 7});
  p.mask = Mask::Causal;
  CHECK(reference(p, in).o.values == std::vector<double>{3, 4.5, 7});
}

TEST_CASE("a row with every key masked is 0, and its L is -inf") {
  Problem p;
  p.n_q = 3;
  p.n_k = 1;
  p.d = 1;
  p.mask = Mask::Causal;
  const Inputs in{matrix(3, 1, {1, 1, 1}), matrix(1, 1, {1}), matrix(1, 1, {9}), ""};
  const Reference bottom_right = reference(p, in);
  CHECK(bottom_right.o.values == std::vector<double>{0, 0, 9});
  CHECK(bottom_right.lse[0] == -std::numeric_limits<double>::infinity());
  CHECK(bottom_right.lse[2] == 1.0);
  p.align = CausalAlign::TopLeft;
  CHECK(reference(p, in).o.values == std::vector<double>{9, 9, 9});
}

TEST_CASE("a NaN is never a small gap") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(wider_gap(0.5, 1, 3) == 2);
  CHECK(wider_gap(4, 1, 3) == 4);
  CHECK(wider_gap(0, -infinity, -infinity) == 0);
  CHECK(std::isnan(wider_gap(0, nan, 1)));
  CHECK(std::isnan(wider_gap(0, nan, nan)));
  CHECK(std::isnan(wider_gap(nan, 1, 1)));
}

}  // namespace tilewalk::test_reference
