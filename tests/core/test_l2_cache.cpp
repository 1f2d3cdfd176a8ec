// The L2 of a large GPU: what its rules come to, and against what reads and writes of plain data found on an H200.
#include "core/model/dram.h"
#include "core/model/l2_cache.h"
#include "core/schedules/count.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tilewalk::test_l2_cache {
using namespace tilewalk::test;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20, kPerMiB = kMiB / L2Cache::kChunk;
constexpr int kChunk = L2Cache::kChunk;

// Plain reads and writes of `mib` MiB from `first` on; a grid's share of each multiprocessor is scattered over it.
struct Bench {
  L2Cache l2;
  int multiprocessors;

  explicit Bench(const MachineSpec& spec)
      : l2(spec.l2_bytes, spec.l2, 1000 * kPerMiB), multiprocessors(spec.multiprocessors) {
    read_by_one(800, 2 * spec.l2_bytes / kMiB);
  }
  int owner(int64_t chunk) const { return int(chunk * 7919 % multiprocessors); }
  void read_by_one(int64_t first, int64_t mib) {
    for (int64_t c = first * kPerMiB; c < (first + mib) * kPerMiB; ++c) l2.load(owner(c), c, kChunk);
  }
  void read_by_all(int64_t first, int64_t mib) {
    for (int64_t c = first * kPerMiB; c < (first + mib) * kPerMiB; ++c)
      for (int m = 0; m < multiprocessors; m += 11) l2.load(m, c, kChunk);
  }
  void write(int64_t first, int64_t mib) {
    for (int64_t c = first * kPerMiB; c < (first + mib) * kPerMiB; ++c) l2.store(owner(c), c, kChunk);
  }
  // Share of `mib` that comes from DRAM when it is read a third time.
  template <class Read>
  double missed(int64_t mib, Read&& read) {
    read(), read();
    const int64_t before = l2.read();
    read();
    return double(l2.read() - before) / double(mib * kMiB);
  }
};

}  // namespace

TEST_CASE("what one multiprocessor reads finds more room than what all read, and neither is lost while it fits") {
  MachineSpec spec = default_machine();
  spec.l2.ways = 0;
  for (const auto& [mib, by_one, by_all] : {std::tuple(29, 0.0, 0.0), {31, 0.0, 1.0}, {38, 0.0, 1.0}, {45, 1.0, 1.0}}) {
    CAPTURE(mib);
    Bench one(spec), all(spec);
    CHECK(one.missed(mib, [&] { one.read_by_one(0, mib); }) == doctest::Approx(by_one).epsilon(0.02));
    CHECK(all.missed(mib, [&] { all.read_by_all(0, mib); }) == doctest::Approx(by_all).epsilon(0.02));
  }
}

TEST_CASE("every byte that is written once reaches DRAM or waits; the limit holds; what was written can be read") {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const L2Build build{random.one_in(2) ? 1 : 2, random.one_in(2) ? 0 : int(random.between(1, 40)),
                        random.one_in(2) ? 0 : random.between(1, 60) * kChunk};
    const int64_t chunks = random.between(1, 300), l2_bytes = random.between(1, 200) * kChunk;
    CAPTURE(seed);
    L2Cache l2(l2_bytes, build, chunks);
    int64_t stored = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      const int32_t bytes = int32_t(random.between(1, kChunk));
      l2.store(int(random.between(0, 131)), chunk, bytes);
      stored += bytes;
      CHECK(l2.written() + l2.dirty() == stored);
      if (build.dirty_bytes) CHECK(l2.dirty() <= build.dirty_bytes);
      CHECK(l2.dirty() <= l2_bytes);
      const int64_t before = l2.read();
      l2.load(int(random.between(0, 131)), chunk, bytes);
      if (l2_bytes / build.halves >= kChunk) CHECK(l2.read() == before);
    }
  }
}

TEST_CASE("an H200's L2: the model lies near what `tilewalk-gpu l2` counted there on 21 Nov 2026") {
  const MachineSpec& spec = default_machine();
  double worst = 0, squares = 0;
  int points = 0;
  const auto hold = [&](double model, double measured) {
    worst = std::max(worst, std::fabs(model - measured));
    squares += (model - measured) * (model - measured);
    ++points;
  };
  // Share that came from DRAM when it was read once more.
  for (const auto& [mib, share] : {std::pair(24, 0.015), {27, 0.316}, {30, 0.657}, {33, 0.886}, {36, 1.0}, {42, 1.0}}) {
    Bench bench(spec);
    hold(bench.missed(mib, [&, mib = mib] { bench.read_by_all(0, mib); }), share);
  }
  for (const auto& [mib, share] :
       {std::pair(30, 0.003), {36, 0.021}, {39, 0.141}, {42, 0.19}, {45, 0.444}, {48, 0.865}}) {
    Bench bench(spec);
    hold(bench.missed(mib, [&, mib = mib] { bench.read_by_one(0, mib); }), share);
  }
  // MiB that had reached DRAM when 120 were written.
  Bench bench(spec);
  const int64_t before = bench.l2.written();
  bench.write(0, 120);
  hold(double(bench.l2.written() - before) / double(120 * kMiB), 91.8 / 120);
  const double typical = std::sqrt(squares / points);
  MESSAGE("off by ", typical, " of the bytes as a rule, by ", worst, " at most");
  CHECK(typical < 0.18);
  CHECK(worst < 0.35);
}

TEST_CASE("pieces of 16 KiB that all read at random: the model lies on what an H100 counted on 27 Nov 2026") {
  MachineSpec spec = default_machine();
  spec.l2_bytes = 50 * kMiB;
  // Share of what was read that came from DRAM, of so many MiB.
  for (const auto& [half_mib, share] :
       {std::pair(40, 0.0), {50, 0.011}, {60, 0.089}, {75, 0.21}, {100, 0.374}, {125, 0.487}, {150, 0.567}}) {
    CAPTURE(half_mib);
    Bench bench(spec);
    Random random(1);
    const auto pass = [&, pieces = half_mib * kMiB / 2 / (4 * kChunk)] {
      for (int k = 0; k < 60 * spec.multiprocessors; ++k)
        for (int64_t c = 4 * random.between(0, pieces - 1), end = c + 4; c < end; ++c)
          bench.l2.load(k % spec.multiprocessors, c, kChunk);
    };
    pass();
    const int64_t before = bench.l2.read();
    pass();
    const double missed = double(bench.l2.read() - before) / double(60 * spec.multiprocessors * 4 * kChunk);
    CHECK(std::fabs(missed - share) < 0.03);
  }
}

TEST_CASE("what one multiprocessor reads and writes again: the model lies near what an H100 counted on 27 Nov 2026") {
  MachineSpec spec = default_machine();
  spec.l2_bytes = 50 * kMiB;
  spec.l2.dirty_bytes = 24'850'000;
  // Shares that came from DRAM and went there, of 2.5 MiB so often: what was written is in both halves' way.
  double squares = 0;
  int points = 0;
  for (const auto& [times, read, written] : {std::tuple(7, 0.0, 0.0),
                                             {8, 0.0, 0.009},
                                             {11, 0.029, 0.688},
                                             {12, 0.113, 0.741},
                                             {13, 0.297, 0.835},
                                             {14, 0.434, 0.911},
                                             {15, 0.633, 0.945},
                                             {16, 0.848, 0.982},
                                             {18, 0.97, 0.991},
                                             {20, 0.998, 0.996}}) {
    CAPTURE(times);
    Bench bench(spec);
    const auto pass = [&, end = times * 5 * kPerMiB / 2] {
      for (int64_t c = 0; c < end; ++c) {
        bench.l2.load(bench.owner(c), c, kChunk);
        bench.l2.store(bench.owner(c), c, kChunk);
      }
    };
    pass(), pass();
    const int64_t before = bench.l2.read(), gone = bench.l2.written();
    pass();
    const double bytes = double(times) * 2.5 * double(kMiB);
    const double off = double(bench.l2.read() - before) / bytes - read;
    squares += off * off;
    ++points;
    CHECK(std::fabs(off) < 0.3);
    // The model lets what is written wait up to its limit everywhere at once; an H100's leaves little by little.
    CHECK(std::fabs(double(bench.l2.written() - gone) / bytes - written) < 0.35);
  }
  CHECK(std::sqrt(squares / points) < 0.17);
}

TEST_CASE("more chunks than 31 bits number are refused, and never reached by what is followed") {
  CHECK_THROWS_AS(L2Cache(1 << 20, {}, int64_t{1} << 31), std::length_error);
  CHECK_THROWS_AS(L2Cache(int64_t{1} << 50, {2, 1, 0}, 16), std::length_error);
  // S in tiles of 1,024 rows and one column, Q in tiles of 2 MB: 4.3e9 chunks, if each tile had room for the largest;
  // but they lie as close as they are large.
  Problem p;
  p.n_q = p.n_k = 16384;
  p.d = 1024;
  p.br = 1024;
  p.bc = 1;
  p.heads = 8;
  const Schedule& standard = schedule_of(Method::Standard);
  const Plan plan = make_plan(standard, p, VariantId::Paper);
  CHECK(count(standard, plan).total.steps * p.heads < kMostL2Steps);
  CHECK(estimate_dram(standard, plan, default_machine()).modelled);
}

}  // namespace tilewalk::test_l2_cache
