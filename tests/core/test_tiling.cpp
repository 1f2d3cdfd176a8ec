// Tiles against the mask, element by element; counts from FlashAttention-2 section 3.1.1's rule.
#include "core/attention/tiling.h"

#include "tests/core/support.h"

#include <doctest/doctest.h>

namespace tilewalk::test_tiling {

namespace {

struct Tally {
  int64_t full = 0, masked = 0, skipped = 0;
  bool operator==(const Tally&) const = default;
};

Tally tally(int64_t n, int64_t br, int64_t bc) {
  Problem p;
  p.n_q = p.n_k = n;
  p.br = br;
  p.bc = bc;
  p.mask = Mask::Causal;
  const Tiling t(p);
  Tally out;
  for (int64_t i = 0; i < t.tr; ++i)
    for (int64_t j = 0; j < t.tc; ++j)
      ++(t.kind(i, j) == TileKind::Full ? out.full : t.kind(i, j) == TileKind::Masked ? out.masked : out.skipped);
  return out;
}

}  // namespace

TEST_CASE("known counts of causal tiles") {
  CHECK(tally(12, 4, 4) == Tally{3, 3, 3});
  CHECK(tally(1024, 128, 128) == Tally{28, 8, 28});
  CHECK(tally(2048, 128, 64) == Tally{240, 32, 240});
  CHECK(tally(4096, 128, 128) == Tally{496, 32, 496});
  CHECK(tally(4096, 128, 64) == Tally{992, 64, 992});
}

TEST_CASE("tile kinds, visits and borders agree with the mask of every element") {
  for (uint64_t number = 0; number < 3000; ++number) {
    const Problem p = test::make_case(number).problem;
    Tiling t(p);
    if (number % 3 == 0) t.fewer = int64_t(number / 3) % (t.tr * t.br - t.n_q + 1);  // a short first tile
    INFO(test::words_of({p, {}, {}}));
    REQUIRE(t.first_row(0) == 0);
    for (int64_t i = 1; i < t.tr; ++i) REQUIRE(t.first_row(i) == t.first_row(i - 1) + t.rows(i - 1));
    REQUIRE(t.first_row(t.tr - 1) + t.rows(t.tr - 1) == t.n_q);
    REQUIRE((t.tc - 1) * t.bc + t.cols(t.tc - 1) == t.n_k);

    const int64_t offset = p.align == CausalAlign::BottomRight ? p.n_k - p.n_q : 0;
    const auto seen = [&](int64_t i, int64_t j) {  // how many elements of tile (i, j) the mask lets through
      int64_t count = 0;
      for (int64_t r = t.first_row(i); r < t.first_row(i) + t.rows(i); ++r)
        for (int64_t c = j * t.bc; c < j * t.bc + t.cols(j); ++c) {
          const bool visible = p.mask == Mask::Full || c <= r + offset;
          REQUIRE(t.visible(r, c) == visible);
          count += visible;
        }
      return count;
    };
    for (int64_t i = 0; i < t.tr; ++i) {
      int64_t visits = 0, whole = 0;
      for (int64_t j = 0; j < t.tc; ++j) {
        const int64_t count = seen(i, j), all = t.rows(i) * t.cols(j);
        REQUIRE(t.kind(i, j) == (count == 0 ? TileKind::Skipped : count == all ? TileKind::Full : TileKind::Masked));
        if (count > 0) visits = j + 1;
        if (count == all && t.cols(j) == t.bc && whole == j) whole = j + 1;
        REQUIRE((count > 0) == (i >= t.first_row_tile(j)));
      }
      REQUIRE(t.visits(i) == visits);
      REQUIRE(t.whole_tiles(i) == whole);
    }
  }
}

}  // namespace tilewalk::test_tiling
