#include "core/quantity/quantity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace tilewalk::test_quantity_format {

namespace {
std::string shown(double value, std::string_view format, std::string unit = "") {
  return format_quantity({value, std::move(unit), {}, {}}, format).value_or("none");
}
}  // namespace

TEST_CASE("Each format says a number as a person reads it") {
  CHECK(shown(1056, "count") == "1,056");
  CHECK(shown(2'363'392, "bytes") == "2.36 MB");
  CHECK(shown(65'536, "bytes") == "65.5 kB");
  CHECK(shown(1536, "bytes") == "1,536 bytes");
  CHECK(shown(2'363'392, "exact-bytes") == "2,363,392 bytes");
  CHECK(shown(2147483648.0, "binary") == "2 GiB");
  CHECK(shown(66.9e-6, "time") == "66.9 µs");
  CHECK(shown(1.2e-3, "time") == "1.20 ms");
  CHECK(shown(0, "time") == "0 s");
  CHECK(shown(2.039e12, "rate") == "2.04 TB/s");
  CHECK(shown(312e12, "flops", "flop/s") == "312 TFLOP/s");
  CHECK(shown(4.8, "ratio") == "4.8×");
  CHECK(shown(13.25, "ratio") == "13.2×");
  CHECK(shown(0.516, "percent") == "51.6 %");
  CHECK(shown(31.5076, "number") == "31.5");
  CHECK(shown(1.553002, "digits:6") == "1.553002");
  CHECK(shown(-0.25, "digits:2") == "−0.25");
  CHECK(shown(0.1, "plain") == "0.1");
}

TEST_CASE("Without a format the unit chooses one") {
  CHECK(shown(4096, "") == "4,096");
  CHECK(shown(0.333333, "") == "0.333");
  CHECK(shown(1e-6, "", "s") == "1.00 µs");
  CHECK(shown(2.5e6, "", "byte") == "2.50 MB");
  CHECK(shown(2e12, "", "byte/s") == "2 TB/s");
  CHECK(shown(4.3e9, "", "flop") == "4.30 GFLOP");
  CHECK(shown(153.4, "", "flop/byte") == "153 FLOP/B");
}

TEST_CASE("Numbers beyond all measure do no harm, and a format that is not known is nothing") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (std::string_view format : quantity_formats())
    for (const double value : {1e300, -1e300, 1e19, -1e19, infinity, -infinity, 1e-300, 0.0, -0.0, std::nan("")}) {
      CAPTURE(std::string(format));
      CAPTURE(value);
      CHECK_FALSE(shown(value, format).empty());
    }
  CHECK(shown(-infinity, "number") == "−∞");
  CHECK(shown(1e19, "count") == "1.00e+19");
  for (const char* format : {"none such", "digits:", "digits:x", "digits:99", "Count"}) {
    CAPTURE(format);
    CHECK_FALSE(format_quantity({1, "", {}, {}}, format));
  }
}

TEST_CASE("Every origin has its word") {
  std::set<std::string_view> words;
  for (const Origin origin : {Origin::Computed, Origin::Model, Origin::Published, Origin::Recorded, Origin::Measured})
    words.insert(name_of(origin));
  CHECK(words.size() == 5);
  CHECK(name_of(Origin::Computed) == "computed");
}

}  // namespace tilewalk::test_quantity_format
