// Generated inputs: the same bits everywhere, and the distributions they claim. The fixed values come from an
// implementation of its own, written from the description in inputs.h.
#include "core/attention/inputs.h"
#include "core/attention/presets.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>

namespace tilewalk::test_inputs {

namespace {

Problem problem_of(uint64_t seed, Distribution distribution, Format format) {
  Problem p;
  p.seed = seed;
  p.distribution = distribution;
  p.format = format;
  return p;
}

}  // namespace

TEST_CASE("elements have fixed values") {
  struct Row {
    uint64_t seed;
    InputTensor tensor;
    int64_t batch, head, row, col;
    double fp64, fp16;
  };
  const Row rows[] = {
      {4, InputTensor::Q, 0, 0, 0, 0, 0x1.c9d6p-1, 0x1.c9cp-1},
      {4, InputTensor::Q, 0, 0, 0, 1, 0x1.3ecp-4, 0x1.3ecp-4},
      {4, InputTensor::K, 0, 0, 3, 5, -0x1.75bp-1, -0x1.75cp-1},
      {4, InputTensor::V, 1, 2, 100, 63, -0x1.52eep+0, -0x1.53p+0},
      {0, InputTensor::V, 0, 0, 0, 0, -0x1.39ep-4, -0x1.3ap-4},
      {~uint64_t{0}, InputTensor::Q, 65534, 65534, 16777215, 1023, 0x1.b49p-4, 0x1.b48p-4},
  };
  for (const Row& r : rows) {
    CHECK(generated_element(problem_of(r.seed, Distribution::Normal, Format::Float64), r.tensor, r.batch, r.head, r.row,
                            r.col) == r.fp64);
    CHECK(generated_element(problem_of(r.seed, Distribution::Normal, Format::Float16), r.tensor, r.batch, r.head, r.row,
                            r.col) == r.fp16);
  }
  const Problem outliers = problem_of(4, Distribution::Outliers, Format::Float16);
  CHECK(generated_element(outliers, InputTensor::Q, 0, 0, 16, 52) == -0x1.8d4p+2);
  CHECK(generated_element(outliers, InputTensor::Q, 0, 0, 19, 27) == -0x1.58p+1);
  CHECK(generated_element(outliers, InputTensor::Q, 0, 0, 0, 0) == 0x1.c9cp-1);

  const double integers[] = {1, 2, -1, 1, -2, 2, -2, -1, -1, 2, 0, 0, 2, 2, -2, 1};
  for (int64_t e = 0; e < 16; ++e)
    CHECK(generated_element(problem_of(7, Distribution::SmallIntegers, Format::Float16), InputTensor::Q, 0, 0, e / 8,
                            e % 8) == integers[e]);
}

TEST_CASE("hashes are fixed, and tell inputs apart") {
  Problem toy;
  const Inputs inputs = generate_inputs(toy);
  CHECK(hash_of(inputs) == 0xc4aaf907148902d2u);

  Problem outliers = problem_of(9, Distribution::Outliers, Format::Float64);
  outliers.n_q = 5;
  outliers.n_k = 7;
  outliers.d = 32;
  CHECK(hash_of(generate_inputs(outliers, 2, 3)) == 0xb0822c07adc88c0fu);
  CHECK(hash_of(generate_inputs(outliers, 2, 4)) != 0xb0822c07adc88c0fu);
  CHECK(hash_of(generate_inputs(outliers, 3, 3)) != 0xb0822c07adc88c0fu);

  Problem integers = problem_of(1, Distribution::SmallIntegers, Format::Float16);
  integers.n_q = 3;
  integers.n_k = 4;
  integers.d = 2;
  CHECK(hash_of(generate_inputs(integers)) == 0x101fed95ca04b58bu);

  Inputs changed = inputs;
  changed.v.at(15, 7) = std::nextafter(changed.v.at(15, 7), 9);
  CHECK(hash_of(changed) != hash_of(inputs));
  Inputs reshaped = inputs;  // the same numbers in another shape
  std::swap(reshaped.q.rows, reshaped.q.cols);
  CHECK(hash_of(reshaped) != hash_of(inputs));
}

TEST_CASE("an element does not depend on the problem's size") {
  Problem small, large;
  large.n_q = large.n_k = 40;
  const Inputs a = generate_inputs(small), b = generate_inputs(large);
  for (int64_t r = 0; r < small.n_q; ++r)
    for (int64_t c = 0; c < small.d; ++c) CHECK(a.q.at(r, c) == b.q.at(r, c));
}

TEST_CASE("normal inputs are nearly normal, outliers come once in a thousand") {
  for (Distribution distribution : {Distribution::Normal, Distribution::Outliers}) {
    Problem p = problem_of(4, distribution, Format::Float64);
    const Problem plain = problem_of(4, Distribution::Normal, Format::Float64);
    const int64_t rows = 2000, cols = 100;
    double sum = 0, squares = 0, fourth = 0, outlier_squares = 0;
    int64_t within = 0, outliers = 0;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        const double x = generated_element(p, InputTensor::K, 0, 0, r, c);
        const double without = generated_element(plain, InputTensor::K, 0, 0, r, c);
        if (x != without) {
          ++outliers;
          outlier_squares += (x - without) * (x - without);
          continue;
        }
        REQUIRE(std::fabs(x) <= 6);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
        within += std::fabs(x) < 1;
      }
    // Bounds lie at four to five standard errors.
    const double n = double(rows * cols - outliers);
    CHECK(std::fabs(sum / n) < 0.01);
    CHECK(squares / n == doctest::Approx(1).epsilon(0.015));
    CHECK(fourth / n == doctest::Approx(2.9).epsilon(0.03));  // 3 - 1.2 / 12, the sum of twelve uniforms
    CHECK(double(within) / n == doctest::Approx(0.680).epsilon(0.01));
    if (distribution == Distribution::Normal) {
      CHECK(outliers == 0);
    } else {
      CHECK(outliers > 140);
      CHECK(outliers < 260);
      CHECK(outlier_squares / double(outliers) == doctest::Approx(100).epsilon(0.4));
    }
  }
}

TEST_CASE("small integers are -2 to 2, all equally often") {
  std::map<double, int> seen;
  for (int64_t r = 0; r < 1000; ++r)
    for (int64_t c = 0; c < 10; ++c)
      ++seen[generated_element(problem_of(3, Distribution::SmallIntegers, Format::Float16), InputTensor::V, 0, 0, r,
                               c)];
  REQUIRE(seen.size() == 5);
  CHECK(seen.begin()->first == -2);
  CHECK(seen.rbegin()->first == 2);
  for (const auto& [value, times] : seen) CHECK(std::abs(times - 2000) < 200);
}

TEST_CASE("inputs have the problem's shapes and say where they are from") {
  Problem p;
  p.n_q = 3;
  p.n_k = 5;
  p.d = 2;
  const Inputs inputs = generate_inputs(p);
  CHECK(inputs.q.rows == 3);
  CHECK(inputs.k.rows == 5);
  CHECK(inputs.v.rows == 5);
  CHECK(inputs.v.cols == 2);
  CHECK(inputs.source == "normal, seed 4");
  Inputs rounded = inputs;
  rounded.q.at(0, 0) = 1.0001;
  round_inputs(rounded, Format::Float16);
  CHECK(rounded.q.at(0, 0) == 1.0);
  CHECK(rounded.v == inputs.v);
}

TEST_CASE("presets have inputs of their problem's shape and are valid") {
  CHECK(presets().size() >= 3);
  for (const Preset& preset : presets()) {
    CAPTURE(preset.id);
    CHECK(preset_named(preset.id) == &preset);
    CHECK(validate(preset.problem).empty());
    const Inputs inputs = inputs_of(preset);
    CHECK(inputs.q.rows == preset.problem.n_q);
    CHECK(inputs.k.rows == preset.problem.n_k);
    CHECK(inputs.v.values.size() == size_t(preset.problem.n_k * preset.problem.d));
  }
  CHECK(!preset_named("none"));
}

}  // namespace tilewalk::test_inputs
