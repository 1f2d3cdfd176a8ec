#include "core/io/background.h"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <string>

namespace tilewalk::test_background {
namespace {

// Gives the background its turns where it has no thread, until `done` says so.
template <class Done>
void until(Done done) {
  for (int turn = 0; turn < 100'000'000 && !done(); ++turn) background_turn();
}

}  // namespace

TEST_CASE("What waits is done once somebody is woken, piece after piece, and nothing before") {
  std::atomic<int> left = 3, calls = 0;
  Background background([&] {
    ++calls;
    return left > 0 && left-- > 0;
  });
  background_turn();
  CHECK(calls == 0);
  background.wake();
  until([&] { return calls >= 4; });
  CHECK(left == 0);
  CHECK(calls == 4);
  left = 2;
  background.wake();
  until([&] { return calls >= 7; });
  CHECK(left == 0);
}

TEST_CASE("Ending waits for the piece that is being done, and begins no other") {
  std::atomic<int> begun = 0, ended = 0;
  {
    std::optional<Background> background;
    background.emplace([&] {
      ++begun;
      for (std::atomic<int> spin = 0; spin < 100'000; ++spin) {
      }
      ++ended;
      return true;
    });
    background->wake();
    until([&] { return begun > 0; });
  }
  CHECK(begun > 0);
  CHECK(begun == ended);
  CHECK_FALSE(background_turn());
}

TEST_CASE("One piece with a result comes when it is asked for") {
  CHECK(beside([] { return std::string("done"); }).get() == "done");
}

}  // namespace tilewalk::test_background
