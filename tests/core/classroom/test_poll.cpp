// A question that a room answers: counted, told, asked again.
#include "core/classroom/poll.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_poll {

TEST_CASE("Votes are counted by option and by how sure; another vote takes the place of the first") {
  Poll poll({.place = "tilewalk://lesson/6/beat/3", .question = "max", .options = 3});
  CHECK(poll.vote(1, {.option = 0, .sure = Sure::Guess}).empty());
  CHECK(poll.vote(2, {.option = 2, .sure = Sure::Sure}).empty());
  CHECK(poll.vote(1, {.option = 2, .sure = Sure::Sure}).empty());
  CHECK(poll.votes() == 2);
  CHECK(poll.rounds().back().options[2][size_t(Sure::Sure)] == 2);
  CHECK(poll.rounds().back().options[0][size_t(Sure::Guess)] == 0);
  for (const int option : {-1, 3, 1000}) CHECK_FALSE(poll.vote(3, {.option = option}).empty());
  CHECK(poll.votes() == 2);
}

TEST_CASE("A round that is closed takes no vote, forgets who voted for what, and stays beside the next") {
  Poll poll({.place = {}, .question = "max", .options = 2});
  poll.vote(1, {.option = 0});
  poll.vote(2, {.option = 0});
  CHECK(poll.vote_of(1)->option == 0);
  poll.tell();
  CHECK(poll.told());
  CHECK_FALSE(poll.vote_of(1));
  CHECK_FALSE(poll.vote(3, {.option = 1}).empty());
  CHECK(poll.kept().votes.empty());
  poll.ask_again();
  CHECK(poll.open());
  CHECK_FALSE(poll.told());
  CHECK(poll.round() == 2);
  poll.vote(1, {.option = 1});
  const auto rounds = poll.rounds();
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0].options[0][size_t(Sure::Rather)] == 2);
  CHECK(rounds[1].options[1][size_t(Sure::Rather)] == 1);
}

TEST_CASE("Numbers are kept in rising order, and only numbers") {
  Poll poll({.place = {}, .question = "bytes", .options = 0});
  for (const double number : {3.0, 1.0, 2.0}) CHECK(poll.vote(uint64_t(number), {.number = number}).empty());
  CHECK_FALSE(poll.vote(9, {.option = 1}).empty());
  CHECK_FALSE(poll.vote(9, {.number = std::nan("")}).empty());
  CHECK(poll.rounds().back().numbers == std::vector<double>{1, 2, 3});
}

}  // namespace tilewalk::test_poll
