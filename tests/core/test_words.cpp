// Tiles, bytes and numbers in words.
#include "core/machine/words.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tilewalk::test_words {

TEST_CASE("bytes: exact below a million, three digits above") {
  CHECK(bytes_words(0) == "0 bytes");
  CHECK(bytes_words(1) == "1 byte");
  CHECK(bytes_words(512) == "512 bytes");
  CHECK(bytes_words(1536) == "1,536 bytes");
  CHECK(bytes_words(4096) == "4 KiB");
  CHECK(bytes_words(5000) == "5,000 bytes");
  CHECK(bytes_words(65536) == "64 KiB");
  CHECK(bytes_words(227 * 1024) == "227 KiB");
  CHECK(bytes_words(999999) == "999,999 bytes");
  CHECK(bytes_words(1000000) == "1.00 MB");
  CHECK(bytes_words(67108864) == "67.1 MB");
  CHECK(bytes_words(206400000) == "206 MB");
  CHECK(bytes_words(999499999) == "999 MB");
  CHECK(bytes_words(999500000) == "1.00 GB");
  CHECK(bytes_words(4362076160) == "4.36 GB");
  CHECK(bytes_words(137573171200) == "138 GB");
  CHECK(bytes_words(int64_t{9'995'000'000'000}) == "10.0 TB");
}

TEST_CASE("numbers with commas") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1000) == "1,000");
  CHECK(with_commas(4362076160) == "4,362,076,160");
  CHECK(with_commas(-123456) == "-123,456");
}

TEST_CASE("values in three significant digits") {
  CHECK(number_words(0) == "0");
  CHECK(number_words(0.135335) == "0.135");
  CHECK(number_words(1) == "1.00");
  CHECK(number_words(1.5530) == "1.55");
  CHECK(number_words(-12.345) == "−12.3");
  CHECK(number_words(9.996) == "10.0");
  CHECK(number_words(0.9996) == "1.00");
  CHECK(number_words(999.6) == "1000");
  CHECK(number_words(12345) == "12345");
  CHECK(number_words(0.0012345) == "0.00123");
  CHECK(number_words(0.00012345) == "1.23e-04");
  CHECK(number_words(1234567) == "1.23e+06");
  CHECK(number_words(2.5e-300) == "2.50e-300");
  CHECK(number_words(1.553002, 7) == "1.553002");
  CHECK(number_words(-std::numeric_limits<double>::infinity()) == "−∞");
  CHECK(number_words(std::numeric_limits<double>::infinity()) == "∞");
  CHECK(number_words(std::nan("")) == "NaN");
}

TEST_CASE("whole numbers are said as they are") {
  CHECK(num(7) == "7");
  CHECK(num(-128) == "−128");
  CHECK(num(0.125) == "0.125");
  CHECK(num(2.5) == "2.50");
  CHECK(num(1234567) == "1.23e+06");
}

TEST_CASE("tiles count from 1") {
  CHECK(tile_name(Tensor::K, 0, 2) == "K₃");
  CHECK(tile_name(Tensor::Q, 11, 0) == "Q₁₂");
  CHECK(tile_name(Tensor::S, 1, 2) == "S₂‚₃");
  CHECK(tile_name(Tensor::M, 4, 0) == "m");
  CHECK(tile_words(Tensor::V, 5, 0) == "V tile 1");
  CHECK(tile_words(Tensor::P, 1, 2) == "P tile (2, 3)");
  CHECK(tile_words(Tensor::Lse, 1, 0) == "L of Q tile 2");
  CHECK(subscript(9876543210) == "₉₈₇₆₅₄₃₂₁₀");
}

}  // namespace tilewalk::test_words
