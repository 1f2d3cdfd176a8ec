// The integers that Q, K and V are made of, which CUDA and the simulator compile from one header. The expected values
// come from a program of its own, in another language.
#include "core/attention/input_bits.h"
#include "core/attention/inputs.h"

#include <doctest/doctest.h>

namespace tilewalk {
namespace {

constexpr int64_t element(Distribution distribution, uint64_t seed, uint64_t tensor, uint64_t batch, uint64_t head,
                          uint64_t row, uint64_t col) {
  return input_bits::element(distribution,
                             input_bits::element_key(input_bits::row_key(seed, tensor, batch, head, row), col));
}

// As constant expressions, which is how device code may call them.
static_assert(element(Distribution::Normal, 4, 0, 0, 0, 0, 0) == 58603);
static_assert(element(Distribution::Normal, 4, 2, 3, 15, 4095, 127) == 34617);
static_assert(element(Distribution::Normal, ~uint64_t{0}, 1, 1, 1, 1, 1) == 15988);
static_assert(element(Distribution::SmallIntegers, 7, 1, 0, 2, 9, 3) == -65536);
static_assert(element(Distribution::Normal, 4, 1, 0, 0, 0, 2369) == 10072);
static_assert(element(Distribution::Outliers, 4, 1, 0, 0, 0, 2369) == -678518);

}  // namespace

TEST_CASE("every element fits a float before it is rounded, and rounds alike from float and from double") {
  for (const Distribution distribution : {Distribution::Normal, Distribution::Outliers, Distribution::SmallIntegers}) {
    Problem p{.n_q = 200, .d = 64, .distribution = distribution};
    for (const Format format : {Format::Float16, Format::BFloat16}) {
      p.format = format;
      for (int64_t r = 0; r < p.n_q; ++r)
        for (int64_t c = 0; c < p.d; ++c) {
          const int64_t fixed = element(distribution, p.seed, 1, 0, 0, uint64_t(r), uint64_t(c));
          REQUIRE(std::abs(fixed) < (1 << 23));
          REQUIRE(int64_t(float(fixed)) == fixed);
          REQUIRE(round_to(format, double(float(fixed) * 0x1p-16f)) ==
                  generated_element(p, InputTensor::K, 0, 0, r, c));
        }
    }
  }
}

}  // namespace tilewalk
