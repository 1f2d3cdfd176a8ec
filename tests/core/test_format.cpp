// Rounding to the number formats, against every value that they hold.
#include "core/attention/format.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace tilewalk::test_format {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double e4m3_to_double(int bits) {  // without sign; 0x7F is NaN
  const int exponent = bits >> 3, mantissa = bits & 7;
  return exponent ? std::ldexp(8 + mantissa, exponent - 10) : std::ldexp(mantissa, -9);
}

// Every finite value from 0 upwards; the index of each is its bit pattern, so that an even index is an even mantissa.
std::vector<double> magnitudes_of(Format format) {
  std::vector<double> values;
  if (format == Format::Float16)
    for (int bits = 0; bits < 0x7C00; ++bits) values.push_back(half_to_double(uint16_t(bits)));
  if (format == Format::BFloat16)
    for (int bits = 0; bits < 0x7F80; ++bits) values.push_back(bfloat16_to_double(uint16_t(bits)));
  if (format == Format::E4M3)
    for (int bits = 0; bits < 0x7F; ++bits) values.push_back(e4m3_to_double(bits));
  return values;
}

}  // namespace

TEST_CASE("16-bit values are read as IEEE 754 and bfloat16 define them") {
  CHECK(half_to_double(0x3C00) == 1.0);
  CHECK(half_to_double(0xC000) == -2.0);
  CHECK(half_to_double(0x7BFF) == 65504.0);
  CHECK(half_to_double(0x0001) == 0x1p-24);
  CHECK(half_to_double(0x03FF) == 0x3FFp-24);
  CHECK(half_to_double(0x3555) == 0x1.554p-2);
  CHECK(half_to_double(0x7C00) == kInfinity);
  CHECK(half_to_double(0xFC00) == -kInfinity);
  CHECK(std::isnan(half_to_double(0x7E01)));
  CHECK(std::signbit(half_to_double(0x8000)));
  CHECK(bfloat16_to_double(0x3F80) == 1.0);
  CHECK(bfloat16_to_double(0xC049) == -3.140625);
  CHECK(bfloat16_to_double(0x0001) == 0x1p-133);
  CHECK(bfloat16_to_double(0x7F7F) == 0x1.FEp127);
}

TEST_CASE("every value of a format rounds to itself") {
  for (int bits = 0; bits < 0x10000; ++bits) {
    for (const auto& [format, value] : {std::pair(Format::Float16, half_to_double(uint16_t(bits))),
                                        std::pair(Format::BFloat16, bfloat16_to_double(uint16_t(bits)))}) {
      const double rounded = round_to(format, value);
      const bool same =
          std::isnan(value) ? std::isnan(rounded) : std::bit_cast<uint64_t>(rounded) == std::bit_cast<uint64_t>(value);
      if (!same) FAIL(name_of(format) << " pattern " << bits << ": " << value << " became " << rounded);
    }
  }
}

TEST_CASE("a number between two values goes to the nearer one, a tie to the even one") {
  for (Format format : {Format::Float16, Format::BFloat16, Format::E4M3}) {
    CAPTURE(name_of(format));
    const std::vector<double> values = magnitudes_of(format);
    REQUIRE(std::is_sorted(values.begin(), values.end()));
    int64_t wrong = 0;
    for (size_t k = 0; k + 1 < values.size(); ++k) {
      const double low = values[k], high = values[k + 1], middle = low + (high - low) / 2;
      const double even = k % 2 == 0 ? low : high;
      wrong += round_to(format, middle) != even;
      wrong += round_to(format, -middle) != -even;
      wrong += round_to(format, std::nextafter(middle, 0)) != low;
      wrong += round_to(format, std::nextafter(middle, kInfinity)) != high;
      wrong += round_to(format, low + (high - low) * 0.25) != low;
      wrong += round_to(format, -(low + (high - low) * 0.75)) != -high;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("random numbers round to the nearest of all values") {
  tilewalk::test::Random random(11);
  for (Format format : {Format::Float16, Format::BFloat16, Format::E4M3}) {
    CAPTURE(name_of(format));
    const std::vector<double> values = magnitudes_of(format);
    for (int n = 0; n < 20000; ++n) {
      const double limit = values.back();
      const double x = std::min(limit, std::ldexp(1 + random.unit(), int(random.between(-30, 16))));
      const auto above = std::lower_bound(values.begin(), values.end(), x);
      double nearest = *above;
      if (above != values.begin() && x - *(above - 1) < *above - x) nearest = *(above - 1);
      if (round_to(format, x) != nearest) FAIL(x << " became " << round_to(format, x) << ", not " << nearest);
    }
  }
}

TEST_CASE("what is too large becomes infinity, in e4m3 the largest value") {
  CHECK(round_to(Format::Float16, 65519.999) == 65504.0);
  CHECK(round_to(Format::Float16, 65520.0) == kInfinity);
  CHECK(round_to(Format::Float16, -1e9) == -kInfinity);
  CHECK(round_to(Format::BFloat16, 0x1.FEFFFFp127) == 0x1.FEp127);
  CHECK(round_to(Format::BFloat16, 0x1.FFp127) == kInfinity);
  CHECK(round_to(Format::E4M3, 449.0) == 448.0);
  CHECK(round_to(Format::E4M3, -1e300) == -448.0);
  CHECK(round_to(Format::E4M3, kInfinity) == 448.0);
  CHECK(round_to(Format::Float32, 1e39) == kInfinity);
  CHECK(round_to(Format::Float16, -kInfinity) == -kInfinity);
  CHECK(std::isnan(round_to(Format::Float16, std::nan(""))));
}

TEST_CASE("tiny numbers become subnormal or zero and keep their sign") {
  CHECK(round_to(Format::Float16, 0x1p-25) == 0.0);
  CHECK(round_to(Format::Float16, 0x1.001p-25) == 0x1p-24);
  CHECK(round_to(Format::Float16, 0x1.8p-24) == 0x1p-23);
  CHECK(std::signbit(round_to(Format::Float16, -1e-30)));
  CHECK(round_to(Format::E4M3, 0x1p-10) == 0.0);
  CHECK(round_to(Format::Float32, 0x1.000001p0) == 1.0);
  CHECK(round_to(Format::Float64, 0x1.0000000000001p0) == 0x1.0000000000001p0);
}

TEST_CASE("formats have names and sizes") {
  constexpr std::pair<Format, int> kSizes[] = {
      {Format::Float64, 8}, {Format::Float32, 4}, {Format::Float16, 2}, {Format::BFloat16, 2}, {Format::E4M3, 1}};
  for (const auto& [format, bytes] : kSizes) {
    CHECK(bytes_of(format) == bytes);
    CHECK(format_named(name_of(format)) == format);
  }
  CHECK(!format_named("float"));
}

}  // namespace tilewalk::test_format
