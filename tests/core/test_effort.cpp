#include "core/io/effort.h"

#include <doctest/doctest.h>

namespace tilewalk::test_effort {

TEST_CASE("without an effort nothing ends; with one its units do") {
  spend(int64_t{1} << 60);
  Effort::stop_if_wanted();
  Effort effort(10);
  spend(4);
  CHECK(effort.spent() == 4);
  CHECK(!effort.used_up());
  spend(6);
  CHECK_THROWS_AS(spend(), Effort::Spent);
  CHECK(effort.used_up());
  CHECK_THROWS_AS(spend(), Effort::Spent);  // once more, whoever caught it
}

TEST_CASE("an effort within another is charged to both") {
  Effort outer(100);
  {
    Effort inner(10);
    CHECK_THROWS_AS(spend(11), Effort::Spent);
  }
  CHECK(outer.spent() == 11);
  {
    Effort inner;
    spend(90);
  }
  CHECK(outer.used_up());
  CHECK_THROWS_AS(spend(), Effort::Spent);
}

TEST_CASE("another thread's word ends it within a few thousand units, through inner efforts too") {
  std::atomic<bool> stop{false};
  Effort outer(Effort::kUnbounded, &stop);
  Effort inner;
  for (int k = 0; k < 10'000; ++k) spend();
  stop = true;
  CHECK_THROWS_AS(Effort::stop_if_wanted(), Effort::Stopped);
  int more = 0;
  CHECK_THROWS_AS(for (; more < 100'000; ++more) spend(), Effort::Stopped);
  CHECK(more < 5'000);
}

}  // namespace tilewalk::test_effort
