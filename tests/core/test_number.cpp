#include "core/io/number.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

namespace tilewalk::test_number {

TEST_CASE("Doubles are read to the nearest, whichever library reads them") {
  CHECK(number_of<double>("0.1") == 0.1);
  CHECK(number_of<double>("-2.5e-3") == -0.0025);
  CHECK(number_of<double>("9007199254740993") == 9007199254740992.0);
  CHECK(number_of<double>("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(number_of<double>("4.9406564584124654e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(number_of<double>("0e999") == 0.0);
  CHECK(number_of<double>("inf") == std::numeric_limits<double>::infinity());
  CHECK(std::bit_cast<uint64_t>(number_of<double>("-0.0").value_or(1)) == uint64_t{1} << 63);
  uint64_t bits = 0x3ff0000000000001;
  for (int k = 0; k < 2000; ++k, bits = bits * 6364136223846793005u + 1442695040888963407u) {
    const double value = std::bit_cast<double>(bits & 0xbfffffffffffffff);
    char text[64];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    REQUIRE(error == std::errc());
    CHECK(number_of<double>(std::string_view(text, size_t(end - text))) == value);
  }
}

TEST_CASE("What no double holds, or is no number, is none") {
  for (const char* text : {"1e999", "-1e999", "1e-999", "2e-324", "", "+1", " 1", "1 ", "1,5", "e5", ".", "0x10", "1e"})
    CHECK_MESSAGE(!number_of<double>(text), text);
  std::string_view rest = "12.5e3x";
  CHECK(take_number<double>(rest) == 12500);
  CHECK(rest == "x");
  rest = "1e999x";
  CHECK_FALSE(take_number<double>(rest));
  CHECK(rest == "1e999x");
}

}  // namespace tilewalk::test_number
