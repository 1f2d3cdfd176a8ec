// Which problems are refused, field by field, and in which words.
#include "core/attention/problem.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace tilewalk::test_problem {

TEST_CASE("each number has its limits, and its fault names the field") {
  struct Row {
    const char* field;
    int64_t Problem::*member;
    int64_t largest;
  };
  const Row rows[] = {
      {"n_q", &Problem::n_q, 1 << 24},   {"n_k", &Problem::n_k, 1 << 24}, {"d", &Problem::d, 1024},
      {"br", &Problem::br, 1024},        {"bc", &Problem::bc, 1024},      {"batch", &Problem::batch, 65535},
      {"heads", &Problem::heads, 65535},
  };
  for (const Row& row : rows) {
    CAPTURE(row.field);
    for (int64_t bad : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min(), row.largest + 1,
                        std::numeric_limits<int64_t>::max()}) {
      Problem p;
      p.*row.member = bad;
      const auto faults = validate(p);
      REQUIRE(faults.size() == 1);
      CHECK(faults[0].field == row.field);
      CHECK(faults[0].message.find(std::to_string(bad)) != std::string::npos);
      CHECK(faults[0].message.find("between 1 and " + std::to_string(row.largest)) != std::string::npos);
      CHECK(faults[0].message.back() == '.');
    }
    for (int64_t good : {int64_t{1}, row.largest}) {
      Problem p;
      p.br = p.bc = 1024;  // the most keys in small tiles would be more tiles than are counted
      p.*row.member = good;
      CHECK(validate(p).empty());
    }
  }
}

TEST_CASE("more tiles than can be counted are refused") {
  Problem p;
  p.n_q = 1 << 20;
  p.br = 4;
  CHECK(validate(p).empty());
  p.br = 3;
  const auto faults = validate(p);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].field == "br");
  CHECK(faults[0].message.find("349526 tiles") != std::string::npos);
}

TEST_CASE("all faults are told at once") {
  Problem p;
  p.n_q = 0;
  p.d = -3;
  p.br = 5000;
  p.scale = std::numeric_limits<double>::quiet_NaN();
  p.format = Format::E4M3;
  CHECK(validate(p).size() == 5);
}

TEST_CASE("the scale may be any finite number; 0 means 1/sqrt(d)") {
  Problem p;
  p.d = 16;
  CHECK(p.softmax_scale() == 0.25);
  p.scale = -2;
  CHECK(p.softmax_scale() == -2);
  CHECK(validate(p).empty());
  p.scale = std::numeric_limits<double>::infinity();
  REQUIRE(validate(p).size() == 1);
  CHECK(validate(p)[0].field == "scale");
}

TEST_CASE("choices have names that are read back") {
  for (Mask m : {Mask::Full, Mask::Causal}) CHECK(mask_named(name_of(m)) == m);
  for (CausalAlign a : {CausalAlign::BottomRight, CausalAlign::TopLeft}) CHECK(align_named(name_of(a)) == a);
  for (Arithmetic a : {Arithmetic::Exact, Arithmetic::Kernel}) CHECK(arithmetic_named(name_of(a)) == a);
  for (Distribution d :
       {Distribution::Normal, Distribution::Outliers, Distribution::SmallIntegers, Distribution::Custom})
    CHECK(distribution_named(name_of(d)) == d);
  CHECK(name_of(Mask::Causal) == "causal");
  CHECK(name_of(CausalAlign::TopLeft) == "top-left");
  CHECK(!mask_named(""));
  CHECK(!mask_named("Causal "));
}

}  // namespace tilewalk::test_problem
