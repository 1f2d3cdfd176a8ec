// FP8: e4m3's grid, scales that fit values to it, the rotation, and the errors of the ways to choose scales.
#include "core/attention/fp8.h"
#include "core/attention/format.h"
#include "core/attention/reference.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tilewalk::test_fp8 {

namespace {

Matrix product_with_transpose(const Matrix& a, const Matrix& b) {
  Matrix s(a.rows, b.rows);
  for (int64_t r = 0; r < a.rows; ++r)
    for (int64_t c = 0; c < b.rows; ++c)
      for (int64_t e = 0; e < a.cols; ++e) s.at(r, c) += a.at(r, e) * b.at(c, e);
  return s;
}

double largest_gap(const Matrix& a, const Matrix& b) {
  double worst = 0;
  for (size_t k = 0; k < a.values.size(); ++k) worst = std::max(worst, std::fabs(a.values[k] - b.values[k]));
  return worst;
}

double largest(const Matrix& x) {
  double most = 0;
  for (double v : x.values) most = std::max(most, std::fabs(v));
  return most;
}

Problem outliers(int64_t n, int64_t d, uint64_t seed) {
  return {.n_q = n, .n_k = n, .d = d, .br = 128, .bc = 128, .distribution = Distribution::Outliers, .seed = seed};
}

}  // namespace

TEST_CASE("e4m3 has 127 numbers from 0 to 448, and rounding to it finds the nearest") {
  const auto grid = e4m3_values();
  CHECK(grid.front() == 0);
  CHECK(grid[1] == 0x1p-9);
  CHECK(grid.back() == kLargestE4M3);
  CHECK(std::ranges::is_sorted(grid));
  for (double v : grid) CHECK(round_to(Format::E4M3, v) == v);
  test::Random random(3);
  for (int n = 0; n < 2000; ++n) {
    const double x = kLargestE4M3 * std::pow(random.unit(), 8);
    double nearest = grid[0];
    for (double v : grid)
      if (std::fabs(v - x) < std::fabs(nearest - x)) nearest = v;
    CHECK(std::fabs(round_to(Format::E4M3, x) - x) == std::fabs(nearest - x));
  }
}

TEST_CASE("a scale fits its rows' largest value to 448, and outliers spoil it for the rest of their group") {
  Matrix x(4, 4, 0.01);
  x.at(3, 2) = -1000;
  std::vector<double> one, two;
  const Matrix whole = rounded_to_e4m3(x, 4, &one), halves = rounded_to_e4m3(x, 2, &two);
  REQUIRE(one.size() == 1);
  REQUIRE(two.size() == 2);
  CHECK(one[0] == 1000 / 448.0);
  CHECK(two[0] == 0.01 / 448);
  CHECK(two[1] == one[0]);
  CHECK(whole.at(3, 2) == doctest::Approx(-1000));
  CHECK(std::fabs(whole.at(0, 0) - 0.01) > 1e-4);  // 0.0045 of a unit: on the subnormal grid
  CHECK(halves.at(0, 0) == doctest::Approx(0.01));
  const Matrix zeros = rounded_to_e4m3(Matrix(2, 2), 2);
  CHECK(zeros == Matrix(2, 2));
}

TEST_CASE("the rotation keeps scores and lengths, and spreads an outlier over its row") {
  const Problem p = outliers(64, 64, 7);
  const Inputs in = generate_inputs(p);
  const Matrix q = rotated(in.q, p.seed), k = rotated(in.k, p.seed);
  CHECK(largest_gap(product_with_transpose(q, k), product_with_transpose(in.q, in.k)) < 1e-10);
  CHECK(largest_gap(rotated(in.q, 1), rotated(in.q, 2)) > 0.1);  // the signs are the seed's
  Matrix spike(1, 64);
  spike.at(0, 17) = 8;
  const Matrix spread = rotated(spike, 1);
  for (double v : spread.values) CHECK(std::fabs(v) == doctest::Approx(1));
  CHECK(largest(q) < largest(in.q));
  CHECK_THROWS_AS(rotated(Matrix(2, 24), 1), std::invalid_argument);
}

TEST_CASE("on outlier inputs finer scales help, and incoherent processing does nearly all of it") {
  std::map<std::string_view, double> error;
  const int seeds = 4;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    const Problem p = outliers(512, 128, seed);
    const Inputs in = generate_inputs(p);
    const Matrix o = reference(p, in).o;
    for (const Fp8Method& method : fp8_methods()) error[method.id] += rmse(fp8_attention(p, in, method), o) / seeds;
  }
  REQUIRE(error.size() == 4);
  CHECK(error["tile"] < error["tensor"]);
  CHECK(error["incoherent"] < 0.8 * error["tensor"]);
  CHECK(error["both"] < 0.8 * error["tensor"]);
  CHECK(error["both"] == doctest::Approx(error["incoherent"]).scale(0).epsilon(0.2));
  CHECK(error["both"] > 1e-3);  // it stays lossy
}

TEST_CASE("what e4m3 holds exactly loses nothing but P") {
  // One key: P is 1, and V's values lie on the grid times a power of two.
  Problem p{.n_q = 3, .n_k = 1, .d = 4, .br = 4, .bc = 4};
  Inputs in{Matrix(3, 4, 0.3), Matrix(1, 4, -2), Matrix(1, 4), ""};
  in.v.values = {448, -1.75, 0, 26};
  for (const Fp8Method& method : fp8_methods()) {
    const Matrix o = fp8_attention(p, in, method);
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t c = 0; c < 4; ++c) CHECK(o.at(r, c) == in.v.at(0, c));
  }
}

TEST_CASE("a row whose keys are all hidden is zero") {
  Problem p{.n_q = 4, .n_k = 2, .d = 4, .br = 4, .bc = 4, .mask = Mask::Causal};
  const Matrix o = fp8_attention(p, generate_inputs(p), fp8_methods()[0]);
  for (int64_t c = 0; c < 4; ++c) CHECK(o.at(0, c) == 0);
  CHECK(largest(o) > 0);
}

TEST_CASE("a study is made once, and its errors are those of its inputs") {
  const auto study = fp8_study(Distribution::Outliers, 5);
  CHECK(fp8_study(Distribution::Outliers, 5) == study);
  CHECK(fp8_study(Distribution::Normal, 5) != study);
  REQUIRE(study->rmse.size() == fp8_methods().size());
  const Matrix o = reference(study->problem, study->inputs).o;
  CHECK(study->rmse[2] == rmse(fp8_attention(study->problem, study->inputs, fp8_methods()[2]), o));
  CHECK(study->rmse[2] < study->rmse[0]);
}

}  // namespace tilewalk::test_fp8
