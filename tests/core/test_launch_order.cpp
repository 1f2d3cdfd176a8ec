// The order in which a causal launch's blocks come: as many heads at a time as the rule says.
#include "core/kernel/launch_order.h"
#include "core/model/in_turns.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

namespace tilewalk::test_launch_order {

TEST_CASE("A group is as many heads as have K and V in 32 MB, in FA3 a power of two") {
  const auto group = [](int64_t d, int64_t n, int64_t heads) { return launch_group(Method::Fa3, true, heads, n, d); };
  CHECK(group(64, 4096, 128) == 32);
  CHECK(group(128, 4096, 64) == 16);
  CHECK(group(128, 16384, 16) == 4);
  CHECK(group(96, 16384, 16) == 4);
  CHECK(group(256, 4096, 32) == 8);
  CHECK(group(256, 16384, 8) == 2);
  CHECK(group(256, 65536, 8) == 1);
  CHECK(group(256, 1'000'000, 8) == 1);
  CHECK(group(128, 16384, 3) == 2);  // there are no more
  // FA2 takes any number; without a mask FA3 goes head by head, and so do the others.
  CHECK(launch_group(Method::Fa2, true, 16, 16384, 96) == 5);
  CHECK(launch_group(Method::Fa2, false, 16, 16384, 96) == 1);
  CHECK(launch_group(Method::Fa3, false, 16, 16384, 96) == 0);
  CHECK(launch_group(Method::Standard, true, 16, 16384, 96) == 0);
}

// The table of launch_order.h: three Q tiles a head, five heads, groups of two.
constexpr bool is_drawn_order() {
  constexpr int head[] = {0, 0, 0, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4};
  constexpr int tile[] = {2, 1, 0, 2, 2, 1, 1, 0, 0, 2, 2, 1, 1, 0, 0};
  for (int n = 0; n < 15; ++n)
    if (launched_as(n, 5, 3, 2) != Launched<int>{head[n], tile[n]}) return false;
  return true;
}
static_assert(is_drawn_order());
static_assert(launched_as(4, 3, 3, 4) == Launched<int>{1, 1});  // fewer heads than a group: they are all left over

TEST_CASE("Every block is launched once, a group's longest first, heads left over first or last") {
  constexpr int64_t kHeads = 6, kTiles = 5;
  for (const bool rest_last : {false, true})
    for (const int64_t group : {0, 1, 4, 6}) {
      std::set<std::pair<int64_t, int64_t>> seen;
      for (int64_t n = 0; n < kHeads * kTiles; ++n) {
        const auto block = launched_as(n, kHeads, kTiles, group, rest_last);
        CHECK(seen.insert({block.head, block.place}).second);
        if (group == 0) continue;
        const int64_t left = kHeads % group, side_by_side = !rest_last && left ? left : group;
        if (n < side_by_side) CHECK(block == Launched<int64_t>{n, kTiles - 1});
        const int64_t end = rest_last && left ? left : group;
        if (n >= kHeads * kTiles - end) CHECK(block.place == 0);
        if (n < side_by_side * kTiles) CHECK(block.head < side_by_side);
      }
      CHECK(seen.size() == size_t(kHeads * kTiles));
      CHECK(seen.rbegin()->first == kHeads - 1);
    }
}

TEST_CASE("A block that is taken ahead waits while others are free") {
  // Two multiprocessors; block n has so many turns.
  const int turns[] = {9, 2, 2, 2};
  const auto order_of = [&](bool ahead) {
    std::vector<std::pair<int, int64_t>> began;  // on which multiprocessor
    struct Block {
      int64_t number;
      int left;
      bool fresh = true;
    };
    in_turns(
        4, 2, 1,
        [&](int64_t n) {
          return Block{n, turns[n]};
        },
        [&](Block& block, int multiprocessor) {
          if (std::exchange(block.fresh, false)) began.emplace_back(multiprocessor, block.number);
          return block.left-- > 0;
        },
        ahead);
    return began;
  };
  CHECK(order_of(false) == std::vector<std::pair<int, int64_t>>{{0, 0}, {1, 1}, {1, 2}, {1, 3}});
  CHECK(order_of(true) == std::vector<std::pair<int, int64_t>>{{0, 0}, {1, 1}, {1, 3}, {0, 2}});
}

}  // namespace tilewalk::test_launch_order
