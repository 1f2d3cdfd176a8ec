// Thread blocks on multiprocessors: how many FA1 and FA2 launch, how many multiprocessors they reach, waves and tails.
#include "core/model/occupancy.h"
#include "core/schedules/count.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tilewalk::test_occupancy {

namespace {

Problem heads16(int64_t n, Mask mask = Mask::Full) {
  return {.heads = 16, .n_q = n, .n_k = n, .d = 128, .br = 128, .bc = 128, .mask = mask};
}

std::vector<int64_t> lengths(Method id, const Problem& p) {
  const Schedule& schedule = schedule_of(id);
  return block_lengths(schedule, make_plan(schedule, p, VariantId::Paper));
}

}  // namespace

TEST_CASE("FA1 launches B H blocks, FA2 B H Tr") {
  const Problem p = heads16(4096);
  const auto fa1 = lengths(Method::Fa1, p), fa2 = lengths(Method::Fa2, p);
  CHECK(fa1.size() == 16);
  CHECK(fa2.size() == 512);
  CHECK(lengths(Method::Fa3, p) == fa2);
  CHECK(std::accumulate(fa1.begin(), fa1.end(), int64_t{0}) == std::accumulate(fa2.begin(), fa2.end(), int64_t{0}));

  const Occupancy one = occupy(fa1, 108), two = occupy(fa2, 108);
  CHECK(one.used == 16);
  CHECK(one.used_share() == doctest::Approx(0.148).epsilon(0.002));
  CHECK(one.busy_share() == one.used_share());
  CHECK(one.waves() == 1);
  CHECK(one.span == 32 * 32);
  CHECK(two.used == 108);
  CHECK(two.waves() == 5);
  CHECK(two.span == 5 * 32);
  CHECK(two.busy_share() == doctest::Approx(512.0 / 540));

  const Problem causal = heads16(4096, Mask::Causal);
  CHECK(lengths(Method::Fa1, causal) == std::vector<int64_t>(16, 528));
  const auto rows = lengths(Method::Fa2, causal);
  for (int64_t i = 0; i < 32; ++i) CHECK(rows[size_t(i)] == i + 1);
}

TEST_CASE("longest first: the short blocks fill what is left") {
  const auto blocks = lengths(Method::Fa2, heads16(4096, Mask::Causal));
  const Occupancy launch = occupy(blocks, 108), longest = occupy(blocks, 108, 1, BlockOrder::LongestFirst);
  CHECK(longest.span < launch.span);
  CHECK(longest.tail < launch.tail);
  CHECK(longest.busy_share() > 0.97);
  CHECK(launch.busy_share() < 0.85);
  for (size_t k = 1; k < longest.runs.size(); ++k)
    CHECK(blocks[size_t(longest.runs[k].block)] <= blocks[size_t(longest.runs[k - 1].block)]);
}

TEST_CASE("every block once, none beyond what a multiprocessor holds, all its work done") {
  test::Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<int64_t> blocks(size_t(random.between(1, 60)));
    for (int64_t& length : blocks) length = random.between(1, 9);
    const int sms = int(random.between(1, 12)), resident = int(random.between(1, 3));
    const Occupancy o = occupy(blocks, sms, resident, trial % 2 ? BlockOrder::LongestFirst : BlockOrder::Launch);
    std::set<int32_t> seen;
    std::map<int, double> work;
    for (const BlockRun& run : o.runs) {
      seen.insert(run.block);
      CHECK(run.sm >= 0);
      CHECK(run.sm < sms);
      CHECK(run.end - run.begin >= double(blocks[size_t(run.block)]) - 1e-9);
      CHECK(run.end <= o.span);
      work[run.sm] += double(blocks[size_t(run.block)]);
      int held = 0;
      for (const BlockRun& other : o.runs)
        held += other.sm == run.sm && other.begin <= run.begin + 1e-9 && other.end > run.begin + 1e-9;
      CHECK(held <= resident);
    }
    CHECK(seen.size() == blocks.size());
    for (const auto& [sm, sum] : work) CHECK(sum <= o.span + 1e-9);
    CHECK(o.work == std::accumulate(blocks.begin(), blocks.end(), int64_t{0}));
    CHECK(o.span >= double(o.work) / sms - 1e-9);
    CHECK(o.used == std::min<int>(sms, int(blocks.size())));
    CHECK(int(work.size()) == o.used);
  }
}

TEST_CASE("blocks that share a multiprocessor share its pace") {
  const Occupancy o = occupy({4, 4, 2}, 1, 2);
  CHECK(o.runs[0].end == 8);  // beside the second all the time
  CHECK(o.runs[1].end == 8);
  CHECK(o.runs[2].begin == 8);
  CHECK(o.span == 10);
  CHECK(o.tail == 2);
  CHECK(o.waves() == 2);
}

TEST_CASE("divisions and round trips of O, counted from the steps") {
  const Problem p = heads16(4096);
  const auto kinds = [&](Method id) {
    const Schedule& schedule = schedule_of(id);
    return count_kinds(schedule, make_plan(schedule, p, VariantId::Paper));
  };
  const auto of = [](const std::array<int64_t, kStepKindCount>& counts, StepKind kind) { return counts[size_t(kind)]; };
  const auto fa1 = kinds(Method::Fa1), fa2 = kinds(Method::Fa2);
  CHECK(of(fa1, StepKind::Normalize) == 32 * 32);  // Tc for each of Tr
  CHECK(of(fa1, StepKind::LoadO) == 32 * 32);
  CHECK(of(fa1, StepKind::StoreO) == 33 * 32);  // and once as O = 0
  CHECK(of(fa2, StepKind::Normalize) == 32);
  CHECK(of(fa2, StepKind::LoadO) == 0);
  CHECK(of(fa2, StepKind::StoreO) == 32);
  CHECK(of(fa2, StepKind::Score) == 32 * 32);

  // As if every step were taken one by one.
  for (const Schedule& schedule : schedules())
    for (VariantId variant : test::kVariants)
      for (Mask mask : {Mask::Full, Mask::Causal}) {
        Problem ragged = heads16(300, mask);
        ragged.bc = 48;
        const Plan plan = make_plan(schedule, ragged, variant);
        std::array<int64_t, kStepKindCount> plain{};
        for (const Step& step : steps_of(schedule, plan)) ++plain[size_t(step.kind)];
        CHECK(count_kinds(schedule, plan) == plain);
      }
}

}  // namespace tilewalk::test_occupancy
