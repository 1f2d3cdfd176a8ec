// Who comes in, and how often one may guess.
#include "core/classroom/door.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

using namespace tilewalk;

TEST_CASE("Codes have no letters that are taken for others, and are read as people type them") {
  std::set<std::string> all;
  for (uint64_t random = 0; random < 2000; ++random) {
    const std::string code = join_code(random * 0x9E3779B97F4A7C15u);
    CHECK(code.size() == 7);
    CHECK(code.find_first_of("01ilo") == std::string::npos);
    all.insert(code);
  }
  CHECK(all.size() > 1990);
  CHECK(same_code(" K7M 2XQ ", "k7m-2xq"));
  CHECK(same_code("k7m2xq", "k7m-2xq"));
  CHECK_FALSE(same_code("k7m-2x", "k7m-2xq"));
  CHECK_FALSE(same_code("", ""));
  CHECK(secret_of(1, 2).size() == 32);
  CHECK(same_secret("abc", "abc"));
  for (const char* wrong : {"", "ab", "abd", "abcd"}) CHECK_FALSE(same_secret(wrong, "abc"));
  CHECK_FALSE(same_secret("", ""));
}

TEST_CASE("Guesses of one address are slowed down, a right code among them too, and others come in meanwhile") {
  Door door("k7m-2xq", "secret");
  using Who = Door::Who;
  CHECK(door.let_in("a", "k7m-2xq", "", 0) == Who::Learner);
  CHECK(door.let_in("a", "k7m-2xq", "secret", 0) == Who::Teacher);
  CHECK(door.let_in("a", "k7m-2xq", "guess", 0) == Who::Nobody);
  for (int k = 0; k < 7; ++k) CHECK(door.let_in("a", "wrong", "", 0) == Who::Nobody);
  CHECK(door.let_in("a", "wrong", "", 0) == Who::TooOften);
  CHECK(door.let_in("a", "k7m-2xq", "", 0) == Who::TooOften);
  CHECK(door.let_in("b", "k7m-2xq", "", 0) == Who::Learner);
  CHECK(door.let_in("a", "k7m-2xq", "", 6) == Who::Learner);
}

TEST_CASE("A code of 888 million cannot be guessed in a day, from however many addresses") {
  Door door("k7m-2xq", "secret");
  int heard = 0;
  double now = 0;
  for (int k = 0; k < 200000; ++k, now += 0.0005)  // 2,000 guesses a second, each from another address
    heard += door.let_in(fmt::format("{}", k), "wrong", "", now) == Door::Who::Nobody;
  // 100 seconds: 20 a second and what there was at the start. In a day 1.7 million of 888 million.
  CHECK(heard <= 400 + int(20 * now) + 1);
}
