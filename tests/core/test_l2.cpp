// The L2 model against a plain one that keeps a list, and against what a counter saw.
#include "core/model/dram.h"
#include "core/model/l2.h"

#include "core/machine/cost.h"
#include "core/schedules/count.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <tuple>

namespace tilewalk::test_l2 {
using namespace tilewalk::test;

namespace {

// head, tensor, i, j, output, chunk
using Key = std::tuple<int64_t, Tensor, int32_t, int32_t, bool, int64_t>;

// Least recently used, as it is told in words: newest first.
struct PlainCache {
  struct Item {
    Key key;
    int64_t bytes;
    bool dirty;
  };
  int64_t capacity, read = 0, written = 0, used = 0;
  std::list<Item> items = {};

  bool touch(const Key& key, int64_t bytes, bool store) {
    if (bytes > capacity) {
      (store ? written : read) += bytes;
      return false;
    }
    const auto at = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.key == key; });
    const bool there = at != items.end();
    bool dirty = store;
    if (there) {
      dirty |= at->dirty;
      items.erase(at);
    } else if (!store) {
      read += bytes;
    }
    items.push_front({key, bytes, dirty});
    if (!there) used += bytes;
    for (; used > capacity; items.pop_back()) {
      used -= items.back().bytes;
      if (items.back().dirty) written += items.back().bytes;
    }
    return there;
  }
  int64_t dirty_bytes() const {
    int64_t sum = 0;
    for (const Item& item : items) sum += item.dirty ? item.bytes : 0;
    return sum;
  }
};

template <class Visit>
void each_tile(const Step& step, const Plan& plan, Visit&& visit) {
  const Engine engine = info_of(step.kind).engine;
  if (engine != Engine::Load && engine != Engine::Store) return;
  for (Tensor t : moved_tensors(step.kind)) {
    if (t == kNoTensor) continue;
    const bool keys = t == Tensor::K || t == Tensor::V, scores = t == Tensor::S || t == Tensor::P;
    const int64_t bytes = shape_of(t, step.i, step.j, plan.tiling).elements() * memory_bytes(t, step, plan);
    visit(t, keys ? 0 : step.i, keys || scores ? step.j : 0, t == Tensor::O && step.has(Step::kOutput), bytes,
          engine == Engine::Store);
  }
}

// The estimate in slow motion: resident blocks take turns of one K/V tile, and each chunk is looked up by itself.
DramEstimate plain_estimate(const Schedule& schedule, const Plan& plan, const MachineSpec& spec) {
  PlainCache cache{spec.l2_bytes};
  const std::vector<Step> steps = steps_of(schedule, plan);
  for (int pass = 0; pass < int(schedule.passes.size()); ++pass) {
    std::vector<std::pair<int64_t, std::vector<Step>>> blocks;  // head, steps
    for (int64_t head = 0; head < plan.problem.batch * plan.problem.heads; ++head) {
      int64_t section = -1;
      for (const Step& step : steps) {
        if (step.pass != pass) continue;
        if (section == -1 || (schedule.section_is_block && step.section != section)) blocks.push_back({head, {}});
        section = step.section;
        blocks.back().second.push_back(step);
      }
    }
    struct Running {
      size_t block, at = 0;
    };
    std::vector<Running> running;
    size_t next = 0;
    while (next < blocks.size() && int(running.size()) < spec.multiprocessors) running.push_back({next++});
    while (!running.empty()) {
      for (Running& r : running) {
        if (r.at == blocks[r.block].second.size()) {
          if (next == blocks.size()) continue;
          r = {next++};
        }
        const auto& [head, list] = blocks[r.block];
        const Step first = list[r.at];
        for (; r.at < list.size() && list[r.at].visit == first.visit && list[r.at].section == first.section; ++r.at)
          each_tile(list[r.at], plan, [&](Tensor t, int32_t i, int32_t j, bool output, int64_t bytes, bool store) {
            for (int64_t at = 0; at < bytes; at += 4096)
              cache.touch({head, t == Tensor::P && plan.variant.p_over_s ? Tensor::S : t, i, j, output, at},
                          std::min<int64_t>(4096, bytes - at), store);
          });
      }
      if (next == blocks.size())
        std::erase_if(running, [&](const Running& r) { return r.at == blocks[r.block].second.size(); });
    }
  }
  return {cache.read, cache.written, cache.dirty_bytes(), true};
}

Problem h200_problem() {
  Problem p;
  p.batch = 4;
  p.heads = 16;
  p.n_q = p.n_k = 4096;
  p.d = 128;
  p.br = 128;
  p.bc = 64;
  return p;
}

DramEstimate estimate(Method id, const Problem& p, VariantId variant, const MachineSpec& spec) {
  return estimate_dram(schedule_of(id), make_plan(schedule_of(id), p, variant), spec);
}

}  // namespace

TEST_CASE("the trace equals a plain least-recently-used list after every step") {
  for (uint64_t number = 0; number < 60; ++number) {
    const Case c = make_case(number);
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        const Plan plan = make_plan(schedule, c.problem, variant);
        const std::vector<Step> steps = steps_of(schedule, plan);
        const int64_t capacity = Random(number).between(0, 1500);
        INFO(words_of(c), ", ", words_of(schedule, variant), ", L2 of ", capacity);
        const L2Trace trace(steps, plan, capacity);
        PlainCache plain{capacity};
        REQUIRE(trace.contents(0).empty());
        for (size_t k = 0; k < steps.size(); ++k) {
          bool all = true;
          each_tile(steps[k], plan, [&](Tensor t, int32_t i, int32_t j, bool output, int64_t bytes, bool store) {
            all &= plain.touch({0, t, i, j, output, 0}, bytes, store);
          });
          const int64_t now = int64_t(k) + 1;
          REQUIRE(trace.dram_read(now) == plain.read);
          REQUIRE(trace.dram_written(now) == plain.written);
          if (info_of(steps[k].kind).engine == Engine::Load) REQUIRE(trace.hit(int64_t(k)) == all);

          std::map<Key, bool> expected;
          for (const PlainCache::Item& item : plain.items) expected[item.key] = item.dirty;
          const std::vector<L2Trace::Tile> contents = trace.contents(now);
          REQUIRE(contents.size() == expected.size());
          int64_t bytes = 0;
          for (const L2Trace::Tile& tile : contents) {
            const auto found = expected.find({0, tile.tensor, tile.i, tile.j, tile.output, 0});
            REQUIRE(found != expected.end());
            REQUIRE(found->second == tile.dirty);
            REQUIRE(trace.holds(tile.tensor, tile.i, tile.j, now));
            bytes += tile.bytes;
          }
          REQUIRE(bytes == plain.used);
          // And it holds nothing else.
          std::set<std::tuple<Tensor, int32_t, int32_t>> held;
          for (const auto& [key, dirty] : expected) held.insert({std::get<1>(key), std::get<2>(key), std::get<3>(key)});
          for (int32_t i = 0; i < plan.tiling.tr; ++i)
            for (Tensor t : {Tensor::Q, Tensor::O, Tensor::Lse})
              REQUIRE(trace.holds(t, i, 0, now) == held.contains({t, i, 0}));
          for (int32_t j = 0; j < plan.tiling.tc; ++j)
            REQUIRE(trace.holds(Tensor::K, 7, j, now) == held.contains({Tensor::K, 0, j}));
        }
      }
  }
}

TEST_CASE("contents are in the order in which they came in, far into a long program too") {
  Problem p;
  p.n_q = p.n_k = 200;
  const Plan plan = make_plan(schedule_of(Method::Standard), p, VariantId::Paper);
  const std::vector<Step> steps = steps_of(schedule_of(Method::Standard), plan);
  const int64_t capacity = 3000;
  const L2Trace trace(steps, plan, capacity);
  PlainCache plain{capacity};
  std::vector<Key> in_order;
  Random random(5);
  for (size_t k = 0; k < steps.size(); ++k) {
    each_tile(steps[k], plan, [&](Tensor t, int32_t i, int32_t j, bool output, int64_t bytes, bool store) {
      if (!plain.touch({0, t, i, j, output, 0}, bytes, store)) in_order.push_back({0, t, i, j, output, 0});
    });
    std::erase_if(in_order, [&](const Key& key) {
      return std::none_of(plain.items.begin(), plain.items.end(), [&](const auto& item) { return item.key == key; });
    });
    if (!random.one_in(100)) continue;
    std::vector<Key> got;
    for (const L2Trace::Tile& tile : trace.contents(int64_t(k) + 1))
      got.push_back({0, tile.tensor, tile.i, tile.j, tile.output, 0});
    REQUIRE(got == in_order);
  }
}

TEST_CASE("tile numbers are distinct and lead back to their tiles") {
  Problem p;
  p.n_q = 13;
  p.n_k = 21;
  const Tiling t(p);
  const TileNumbers numbers(t);
  std::set<int64_t> seen;
  const auto check = [&](Tensor tensor, int64_t i, int64_t j, bool output, int64_t i_back, int64_t j_back) {
    const int64_t number = numbers.of(tensor, i, j, output);
    REQUIRE(number >= 0);
    REQUIRE(number < numbers.size());
    CHECK(seen.insert(number).second);
    const TileNumbers::Name name = numbers.name(number);
    CHECK(name.tensor == tensor);
    CHECK(name.i == i_back);
    CHECK(name.j == j_back);
    CHECK(name.output == output);
    CHECK((number >= numbers.without_scores()) == is_scores(tensor));
  };
  for (int64_t i = 0; i < t.tr; ++i) {
    for (Tensor tensor : {Tensor::Q, Tensor::O, Tensor::M, Tensor::L, Tensor::Lse, Tensor::DO, Tensor::D, Tensor::DQ})
      check(tensor, i, 3, false, i, 0);
    for (Tensor tensor : {Tensor::O, Tensor::DQ}) check(tensor, i, 3, true, i, 0);
    for (int64_t j = 0; j < t.tc; ++j)
      for (Tensor tensor : {Tensor::S, Tensor::P, Tensor::DP, Tensor::DS}) check(tensor, i, j, false, i, j);
  }
  for (int64_t j = 0; j < t.tc; ++j)
    for (Tensor tensor : {Tensor::K, Tensor::V, Tensor::DK, Tensor::DV}) check(tensor, 2, j, false, 0, j);
  CHECK(int64_t(seen.size()) == numbers.size());
}

TEST_CASE("the estimate equals a plain one where tiles are single chunks") {
  for (uint64_t number = 0; number < 150; ++number) {
    Case c = make_case(number);
    Random random(number);
    c.problem.batch = random.between(1, 3);
    c.problem.heads = random.between(1, 3);
    MachineSpec spec = roomy();
    spec.l2_bytes = random.between(0, 4000);
    spec.multiprocessors = int(random.between(1, 7));
    INFO(words_of(c), ", L2 of ", spec.l2_bytes, ", ", spec.multiprocessors, " multiprocessors");
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, c.problem, variant);
        const DramEstimate got = estimate_dram(schedule, plan, spec, {.turns_lost = 0}),
                           expected = plain_estimate(schedule, plan, spec);
        CHECK(got.read_bytes == expected.read_bytes);
        CHECK(got.written_bytes == expected.written_bytes);
        CHECK(got.left_dirty_bytes == expected.left_dirty_bytes);
      }
  }
}

TEST_CASE("without L2 everything is DRAM traffic; with L2 for all, only what comes first and what is left") {
  Problem p = h200_problem();
  p.n_q = p.n_k = 512;
  MachineSpec spec = roomy();
  spec.multiprocessors = 5;
  const int64_t heads = p.batch * p.heads, nd = p.n_q * p.d * 2;
  for (const Schedule& schedule : schedules())
    for (VariantId variant : kVariants) {
      INFO(words_of(schedule, variant));
      const Meters m = count(schedule, make_plan(schedule, p, variant)).total;
      spec.l2_bytes = 0;
      const DramEstimate none = estimate(schedule.id, p, variant, spec);
      CHECK(none.read_bytes == m.fill_bytes() * heads);
      CHECK(none.written_bytes == m.drain_bytes() * heads);
      CHECK(none.left_dirty_bytes == 0);

      spec.l2_bytes = int64_t{1} << 40;
      const DramEstimate all = estimate(schedule.id, p, variant, spec);
      CHECK(all.read_bytes == 3 * nd * heads);
      CHECK(all.written_bytes == 0);
      if (schedule.id == Method::Fa2) CHECK(all.left_dirty_bytes == (nd + 4 * p.n_q) * heads);
      if (schedule.id == Method::Standard) {
        const int64_t matrices = variant == VariantId::Kernel ? 1 : 2;  // P over S, or both
        CHECK(all.left_dirty_bytes == (nd + matrices * 2 * p.n_q * p.n_q) * heads);
      }
    }
}

TEST_CASE("the estimate equals a plain one where tiles are several chunks") {
  Problem p;
  p.n_q = 4096;
  p.n_k = 320;
  p.br = 1024;  // so that m, l and L take one chunk
  p.bc = 64;
  p.d = 64;
  Random random(3);
  for (int n = 0; n < 25; ++n) {
    MachineSpec spec = roomy();
    spec.multiprocessors = int(random.between(1, 5));
    p.heads = random.between(1, 3);
    p.mask = random.one_in(2) ? Mask::Causal : Mask::Full;
    spec.l2_bytes = 4096 * random.between(64, n % 2 ? 100 : 300);  // from the largest tile, O in fp32, upwards
    INFO(p.heads, " heads, ", spec.l2_bytes, " bytes, ", spec.multiprocessors, " multiprocessors, ", name_of(p.mask));
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants) {
        INFO(words_of(schedule, variant));
        const Plan plan = make_plan(schedule, p, variant);
        const DramEstimate got = estimate_dram(schedule, plan, spec, {.turns_lost = 0}),
                           expected = plain_estimate(schedule, plan, spec);
        CHECK(got.read_bytes == expected.read_bytes);
        CHECK(got.written_bytes == expected.written_bytes);
        CHECK(got.left_dirty_bytes == expected.left_dirty_bytes);
      }
  }
}

TEST_CASE("FA2 on an H200: DRAM reads are little more than the compulsory ones, as its counter saw (206.4 MB)") {
  const Problem p = h200_problem();
  for (VariantId variant : kVariants) {
    const DramEstimate e = estimate(Method::Fa2, p, variant, default_machine());
    CHECK(e.modelled);
    CHECK(e.read_bytes >= 201'326'592);
    CHECK(double(e.read_bytes) == doctest::Approx(206.4e6).epsilon(0.03));
    CHECK(e.written_bytes + e.left_dirty_bytes == 67'108'864 + 1'048'576);
    CHECK(e.left_dirty_bytes < default_machine().l2_bytes);
  }
}

TEST_CASE("standard attention on an H200 comes within a percent of its counter, 8,827,795,712 bytes") {
  const DramEstimate e = estimate(Method::Standard, h200_problem(), VariantId::Kernel, default_machine());
  CHECK(e.read_bytes + e.written_bytes == doctest::Approx(8'827'795'712.0).epsilon(0.01));
}

TEST_CASE("P written over S lets S of 16 heads stay in L2 where both would not fit") {
  Problem p = h200_problem();
  p.batch = 1;
  p.n_q = p.n_k = 1024;
  p.d = 64;
  const DramEstimate apart = estimate(Method::Standard, p, VariantId::Paper, *machine_named("h100"));
  const DramEstimate over = estimate(Method::Standard, p, VariantId::Kernel, *machine_named("h100"));
  CHECK(over.read_bytes == 16 * 3 * 1024 * 64 * 2);
  CHECK(over.written_bytes == 0);
  CHECK(apart.written_bytes > 10'000'000);
}

TEST_CASE("FA1's Q and O overflow L2, and its DRAM traffic is many times FA2's") {
  const DramEstimate fa1 = estimate(Method::Fa1, h200_problem(), VariantId::Kernel, *machine_named("h100"));
  const DramEstimate fa2 = estimate(Method::Fa2, h200_problem(), VariantId::Kernel, *machine_named("h100"));
  CHECK(fa1.read_bytes > 20 * fa2.read_bytes);
}

TEST_CASE("what is too large to follow is said to be so") {
  Problem p = h200_problem();
  p.batch = 65535;
  p.heads = 65535;
  for (const Schedule& schedule : schedules()) {
    const DramEstimate e = estimate(schedule.id, p, VariantId::Kernel, *machine_named("h100"));
    CHECK(!e.modelled);
    CHECK(e.read_bytes == 0);
  }
}

}  // namespace tilewalk::test_l2
