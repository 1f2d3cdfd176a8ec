// Who comes in, and how often one may guess.
#include "core/classroom/door.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

namespace tilewalk::test_door {

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
  Door at("k7m-2xq", "secret");
  using Who = Door::Who;
  const auto let_in = [&](const char* address, const char* code, const char* teacher, double now) {
    return at.let_in(address, code, teacher, now).who;
  };
  CHECK(let_in("a", "k7m-2xq", "", 0) == Who::Learner);
  CHECK(let_in("a", "k7m-2xq", "secret", 0) == Who::Teacher);
  CHECK(let_in("a", "k7m-2xq", "guess", 0) == Who::Nobody);
  for (int k = 0; k < 7; ++k) CHECK(let_in("a", "wrong", "", 0) == Who::Nobody);
  CHECK(let_in("a", "wrong", "", 0) == Who::TooOften);
  CHECK(let_in("a", "k7m-2xq", "", 0) == Who::TooOften);
  CHECK(let_in("b", "k7m-2xq", "", 0) == Who::Learner);
  CHECK(let_in("a", "k7m-2xq", "", 6) == Who::Learner);
}

TEST_CASE("A code of 888 million cannot be guessed in a day, from however many addresses") {
  Door door("k7m-2xq", "secret");
  int heard = 0;
  double now = 0;
  for (int k = 0; k < 200000; ++k, now += 0.0005)  // 2,000 guesses a second, each from another address
    heard += door.let_in(fmt::format("{}", k), "wrong", "", now).who == Door::Who::Nobody;
  // 100 seconds: 20 a second, what there was at the start, and one each of the first 4,096 addresses in ten minutes,
  // which might have been anybody's. In a day 2.4 million of 888 million.
  CHECK(heard <= 400 + int(20 * now) + 1 + 4096);
}

TEST_CASE("An address that guessed nothing is not kept out by others that do, and how long a wait is is true") {
  Door door("k7m-2xq", "secret");
  using Who = Door::Who;
  for (int k = 0; k < 450; ++k) door.let_in(fmt::format("{}", k), "wrong", "", 0);
  CHECK(door.let_in("new", "k7m-2xq", "", 0).who == Who::Learner);
  CHECK(door.let_in("new", "k7m-2xq", "secret", 0).who == Who::Teacher);
  CHECK(door.let_in("7", "k7m-2xq", "", 0).who == Who::TooOften);
  CHECK(door.let_in("7", "k7m-2xq", "", 0, true).who == Who::Learner);
  CHECK(door.let_in("7", "wrong", "", 0, true).who == Who::TooOften);
  for (int k = 0; k < 8; ++k) door.let_in("one", "wrong", "", 30);
  const Door::Answer answer = door.let_in("one", "k7m-2xq", "", 30);
  REQUIRE(answer.who == Who::TooOften);
  CHECK(answer.again > 4);
  CHECK(door.let_in("one", "k7m-2xq", "", 30 + answer.again - 0.1).who == Who::TooOften);
  CHECK(door.let_in("one", "k7m-2xq", "", 30 + answer.again + 0.01).who == Who::Learner);
}

TEST_CASE("Of an IPv6 address the first half counts, however it is written") {
  const std::string net = network_of("2001:db8:0:7::1");
  for (const char* same :
       {"2001:db8:0:7:1:2:3:4", "2001:0db8:0000:0007::", "2001:db8:0:7::ffff%eth0", "2001:db8::7:0:0:0:1"})
    CHECK(network_of(same) == net);
  for (const char* other : {"2001:db8:0:8::1", "2001:db8::7:0:0:1", "10.0.0.1", "::1"}) CHECK(network_of(other) != net);
  CHECK(network_of("::1") == network_of("::2"));
  CHECK(network_of("2001:db8::1:2:3:4:5") == network_of("2001:db8:0:1::"));
  CHECK(network_of("::ffff:10.0.0.9") == "10.0.0.9");
  CHECK(network_of("10.0.0.9") == "10.0.0.9");
  CHECK(network_of("17") == "17");
}

}  // namespace tilewalk::test_door
