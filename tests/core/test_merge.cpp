// Parts of a row that were computed apart become the row: two parts, splits of K/V, shards that go round a ring.
#include "core/attention/merge.h"
#include "core/attention/presets.h"
#include "core/attention/reference.h"
#include "core/attention/ring.h"
#include "core/attention/split_kv.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_merge {
using namespace tilewalk::test;

namespace {

// |a - b| relative to the larger of 1 and |b|; equal infinities agree.
bool near(double a, double b, double within = 1e-9) {
  return a == b || std::fabs(a - b) <= within * std::max(1.0, std::fabs(b));
}
void expect_row(const Share& share, const Reference& expected, int64_t row) {
  CHECK(near(share.lse, expected.lse[size_t(row)]));
  for (int64_t c = 0; c < expected.o.cols; ++c) CHECK(near(share.o[size_t(c)], expected.o.at(row, c)));
}

}  // namespace

TEST_CASE("the two halves of the worked example") {
  const Preset& micro = *preset_named("micro");
  const SplitRow row = split_row(micro.problem, inputs_of(micro), 0, 2);
  REQUIRE(row.shares.size() == 2);
  CHECK(std::fabs(row.shares[0].lse - 2.313262) < 5e-7);
  CHECK(std::fabs(row.shares[1].lse - 4.313262) < 5e-7);
  CHECK(std::fabs(row.merged.weights[0] - 0.119203) < 5e-7);
  CHECK(std::fabs(row.merged.weights[1] - 0.880797) < 5e-7);
  CHECK(std::fabs(row.merged.share.lse - 4.440190) < 5e-7);
  CHECK(std::fabs(row.merged.share.o[0] - 1.204824) < 5e-7);
  CHECK(std::fabs(row.merged.share.o[1] - 0.675973) < 5e-7);
}

TEST_CASE("any number of splits gives the reference") {
  for (uint64_t n = 0; n < 150; ++n) {
    const Case c = make_case(n);
    CAPTURE(words_of(c));
    if (c.scores == Scores::Huge) continue;  // 1e300 as a score leaves no digits to compare
    const Reference expected = reference(c.problem, c.inputs);
    for (int64_t splits : {1, 2, 3, 7})
      for (int64_t r = 0; r < c.problem.n_q; ++r)
        expect_row(split_row(c.problem, c.inputs, r, splits).merged.share, expected, r);
  }
}

TEST_CASE("shards that go round a ring give the reference, in every layout") {
  for (uint64_t n = 0; n < 60; ++n) {
    const Case c = make_case(n);
    CAPTURE(words_of(c));
    if (c.scores == Scores::Huge) continue;
    const Reference expected = reference(c.problem, c.inputs);
    for (int64_t devices : {1, 2, 3, 5})
      for (RingSplit split : {RingSplit::Shards, RingSplit::Striped, RingSplit::Zigzag})
        for (int64_t r = 0; r < c.problem.n_q; ++r) {
          const std::vector<RowPart> turns = ring_row(c.problem, c.inputs, {devices, split}, r);
          CHECK(int64_t(turns.size()) == devices + 1);
          expect_row(normalized(turns.back()), expected, r);
        }
  }
}

TEST_CASE("merging is commutative and associative, and nothing changes nothing") {
  const Problem p = preset_named("toy")->problem;
  const Inputs x = generate_inputs(p);
  const RowPart a = partial_of(p, x, 3, 0, 5), b = partial_of(p, x, 3, 5, 6), c = partial_of(p, x, 3, 6, 16);
  const RowPart left = merge(merge(a, b), c), right = merge(a, merge(b, c)), other = merge(c, merge(b, a));
  for (const RowPart& each : {right, other}) {
    CHECK(each.m == left.m);
    CHECK(near(each.l, left.l));
    for (size_t e = 0; e < left.o.size(); ++e) CHECK(near(each.o[e], left.o[e]));
  }
  const RowPart same = merge(a, RowPart{});
  CHECK(same.l == a.l);
  CHECK(same.o == a.o);
  const RowPart none = merge(RowPart{}, RowPart{});
  CHECK(none.l == 0);
  CHECK(normalized(none).lse == kMinusInfinity);
}

TEST_CASE("splits are whole tiles and cover every key once") {
  Problem p{.n_q = 1, .n_k = 1000, .d = 128, .br = 128, .bc = 64};
  for (int64_t splits = 1; splits < 40; ++splits) {
    int64_t at = 0;
    for (const Split& s : splits_of(p, splits)) {
      CHECK(s.first == at);
      CHECK(s.first % 64 == 0);
      CHECK(s.last > s.first);
      at = s.last;
    }
    CHECK(at == 1000);
    CHECK(int64_t(splits_of(p, splits).size()) <= splits);
  }
}

TEST_CASE("traffic of splits: K and V once, parts written and read again") {
  Problem p{.heads = 32, .n_q = 1, .n_k = 131072, .d = 128, .br = 128, .bc = 128};
  const int64_t kv = 2 * int64_t{131072} * 128 * 2 * 32;  // 2 GiB
  CHECK(kv == int64_t{1} << 31);
  const SplitTraffic one = split_traffic(p, 1), eight = split_traffic(p, 8);
  CHECK(one.split_loads == kv + 32 * 256);
  CHECK(one.merge_loads == 0);
  CHECK(eight.split_loads == kv + 8 * 32 * 256);
  CHECK(eight.split_stores == 32 * 8 * (128 * 4 + 4));
  CHECK(eight.merge_loads == eight.split_stores);
  CHECK(eight.merge_stores == one.split_stores);
  CHECK(split_blocks(p, 1) == 32);
  CHECK(split_blocks(p, 8) == 256);
}

TEST_CASE("splits are chosen to fill the multiprocessors") {
  Problem p{.heads = 32, .n_q = 1, .n_k = 131072, .d = 128, .br = 128, .bc = 128};
  CHECK(chosen_splits(p, 132) == 4);  // 128 of 132 busy in one wave
  p.heads = 8;
  CHECK(chosen_splits(p, 132) == 14);  // 112: within 85 % of the best, as lesson F says beside 16
  p.heads = 128;
  CHECK(chosen_splits(p, 132) == 1);  // full enough already
  p.heads = 1;
  p.n_k = 256;
  CHECK(chosen_splits(p, 132) == 2);  // no more splits than tiles
}

TEST_CASE("work on a ring: even without a mask, uneven under a causal one unless striped or zigzag") {
  Problem p{.n_q = 64, .n_k = 64, .d = 8, .br = 4, .bc = 4};
  const RingWork full = ring_work(p, {4, RingSplit::Shards});
  CHECK(full.total == 64 * 64);
  CHECK(full.busy() == 1);
  p.mask = Mask::Causal;
  const RingWork blocks = ring_work(p, {4, RingSplit::Shards}), striped = ring_work(p, {4, RingSplit::Striped});
  const RingWork zigzag = ring_work(p, {4, RingSplit::Zigzag});
  CHECK(blocks.total == 64 * 65 / 2);
  CHECK(striped.total == blocks.total);
  CHECK(blocks.busy() < 0.6);
  CHECK(striped.busy() > 0.9);
  CHECK(zigzag.total == blocks.total);
  CHECK(zigzag.busy() > 0.9);
  CHECK(ring_bytes_of_device(p, 4) == 4 * 16 * 8 * 2);
  for (int64_t turn = 0; turn < 4; ++turn) {  // every shard is somewhere, once
    int64_t sum = 0;
    for (int64_t d = 0; d < 4; ++d) sum += shard_at(d, turn, 4);
    CHECK(sum == 6);
  }
}

}  // namespace tilewalk::test_merge
