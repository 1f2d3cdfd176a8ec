// The order in which a causal launch's blocks come: as many heads at a time as the rule says.
#include "core/kernel/kernel_shapes.h"
#include "core/model/in_turns.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

using namespace tilewalk;

TEST_CASE("FA3 takes a power of two of heads at a time: those of 48 MB, or those with 512 Q tiles") {
  const auto group = [](int64_t d, int64_t n, int64_t heads, KernelVersion version = KernelVersion::Now) {
    return launch_group(Method::Fa3, true, heads, n, d, version);
  };
  CHECK(group(64, 4096, 128) == 32);
  CHECK(group(128, 4096, 64) == 16);
  CHECK(group(128, 16384, 16) == 4);
  CHECK(group(96, 16384, 16) == 8);
  CHECK(group(256, 4096, 32) == 8);
  CHECK(group(256, 8192, 16) == 8);
  CHECK(group(256, 16384, 8) == 4);
  CHECK(group(256, 65536, 8) == 1);
  CHECK(group(256, 1'000'000, 8) == 1);
  CHECK(group(128, 16384, 3) == 2);  // there are no more
  // As the recordings of before have it.
  CHECK(group(256, 8192, 16, KernelVersion::V0_1) == 4);
  CHECK(group(256, 16384, 8, KernelVersion::V0_1) == 2);
  CHECK(group(96, 16384, 16, KernelVersion::V0_1) == 4);
  for (const int64_t d : {64, 128})
    for (const int64_t n : {1024, 4096, 16384}) CHECK(group(d, n, 64) == group(d, n, 64, KernelVersion::V0_1));
  // FA2 takes those of 32 MB, any number; without a mask FA3 goes head by head, and so do the others.
  CHECK(launch_group(Method::Fa2, true, 16, 16384, 96) == 5);
  CHECK(launch_group(Method::Fa2, false, 16, 16384, 96) == 1);
  CHECK(launch_group(Method::Fa3, false, 16, 16384, 96) == 0);
  CHECK(launch_group(Method::Standard, true, 16, 16384, 96) == 0);
}

TEST_CASE("Whatever the group, every block is launched once, a group's longest first") {
  constexpr int64_t kHeads = 6, kTiles = 5;
  for (const int64_t group : {0, 1, 4, 6}) {
    std::set<std::pair<int64_t, int64_t>> seen;
    for (int64_t n = 0; n < kHeads * kTiles; ++n) {
      const Launched block = launched_as(n, kHeads, kTiles, group);
      CHECK(seen.insert({block.head, block.place}).second);
      if (group > 0 && n < group) CHECK(block.place == kTiles - 1);
    }
    CHECK(seen.size() == size_t(kHeads * kTiles));
    CHECK(seen.rbegin()->first == kHeads - 1);
  }
}
