// Bytes, FLOP and exponentials of whole programs, against numbers and closed formulas from the papers
// (arXiv:2205.14135, 2307.08691); N stands for queries and keys alike, T for visited tiles, sizes in bytes.
#include "core/schedules/count.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

namespace tilewalk::test_traffic {

namespace {

Problem problem_of(int64_t n, int64_t d, int64_t br, int64_t bc, Mask mask = Mask::Full) {
  Problem p;
  p.n_q = p.n_k = n;
  p.d = d;
  p.br = br;
  p.bc = bc;
  p.mask = mask;
  return p;
}

Count count_of(Method id, const Problem& p, VariantId variant) {
  return count(schedule_of(id), make_plan(schedule_of(id), p, variant));
}

int64_t loaded(const Meters& m, Tensor t) { return m.loaded[size_t(t)]; }
int64_t stored(const Meters& m, Tensor t) { return m.stored[size_t(t)]; }

}  // namespace

TEST_CASE("standard attention moves 8 N^2 + 8 N d bytes in the papers' count, causal or not") {
  struct Row {
    int64_t n, d, bytes;
  };
  for (const Row& r : {Row{1024, 64, 8'912'896}, Row{2048, 128, 35'651'584}, Row{4096, 64, 136'314'880},
                       Row{4096, 128, 138'412'032}, Row{131072, 128, 137'573'171'200}})
    for (Mask mask : {Mask::Full, Mask::Causal})
      for (VariantId variant : {VariantId::Paper, VariantId::Kernel}) {
        const Count c = count_of(Method::Standard, problem_of(r.n, r.d, 128, 64, mask), variant);
        CHECK(c.total.paper_bytes() == r.bytes);
        CHECK(c.total.paper_bytes() == 8 * r.n * r.n + 8 * r.n * r.d);
        REQUIRE(c.passes.size() == 3);
        CHECK(c.passes[0].paper_bytes() == 4 * r.n * r.d + 2 * r.n * r.n);
        CHECK(c.passes[1].paper_bytes() == 4 * r.n * r.n);
        CHECK(c.passes[2].paper_bytes() == 4 * r.n * r.d + 2 * r.n * r.n);
        // What the multiprocessors really load: K and V once for every Q tile.
        CHECK(loaded(c.total, Tensor::K) == (r.n / 128) * r.n * r.d * 2);
        CHECK(loaded(c.total, Tensor::V) == (r.n / 128) * r.n * r.d * 2);
      }
}

TEST_CASE("FA1's loop, with the paper's tiles and with those of its first code") {
  struct Row {
    int64_t n, d, br, bc, bytes;
  };
  for (const Row& r :
       {Row{1024, 64, 64, 384, 1'490'944}, Row{2048, 128, 128, 192, 18'710'528}, Row{4096, 64, 64, 384, 19'070'976},
        Row{4096, 128, 128, 192, 72'744'960}, Row{131072, 128, 128, 192, 70'252'494'848},
        Row{1024, 64, 64, 256, 1'900'544}, Row{2048, 128, 128, 128, 26'738'688}, Row{4096, 64, 64, 256, 27'262'976}}) {
    const Count c = count_of(Method::Fa1, problem_of(r.n, r.d, r.br, r.bc), VariantId::Paper);
    CHECK(c.passes[1].paper_bytes() == r.bytes);
    CHECK(c.passes[1].fill_bytes() + c.passes[1].drain_bytes() == r.bytes);
    const int64_t tc = (r.n + r.bc - 1) / r.bc;
    CHECK(r.bytes == 4 * r.n * r.d + tc * (6 * r.n * r.d + 16 * r.n));
    // Before the loop: O = 0, l = 0, m = -inf are written.
    CHECK(c.passes[0].fill_bytes() == 0);
    CHECK(c.passes[0].drain_bytes() == 2 * r.n * r.d + 8 * r.n);
    CHECK(c.passes[2] == Meters{});
  }
  CHECK(count_of(Method::Fa1, problem_of(2048, 128, 128, 192), VariantId::Paper).passes[0].paper_bytes() == 540'672);
}

TEST_CASE("FA1, causal: the tiles that are skipped cost nothing") {
  const int64_t n = 4096, d = 128, br = 128, visited = 1056;
  const Count c = count_of(Method::Fa1, problem_of(n, d, br, 64, Mask::Causal), VariantId::Paper);
  CHECK(c.passes[1].paper_bytes() == 4 * n * d + visited * (3 * br * d * 2 + 16 * br));
}

TEST_CASE("FA1 as the kernel does it: fp32 O between visits, no first load, the output at the last visit") {
  for (const auto& [mask, visited] : {std::pair(Mask::Full, int64_t{2048}), std::pair(Mask::Causal, int64_t{1056})}) {
    const int64_t n = 4096, d = 128, br = 128, tr = n / br;
    const Count c = count_of(Method::Fa1, problem_of(n, d, br, 64, mask), VariantId::Kernel);
    const Meters& loop = c.passes[1];
    CHECK(loaded(loop, Tensor::K) == 2 * n * d);
    CHECK(loaded(loop, Tensor::V) == 2 * n * d);
    CHECK(loaded(loop, Tensor::Q) == visited * br * d * 2);
    CHECK(loaded(loop, Tensor::O) == (visited - tr) * br * d * 4);
    CHECK(stored(loop, Tensor::O) == (visited - tr) * br * d * 4 + 2 * n * d);
    CHECK(loaded(loop, Tensor::M) == (visited - tr) * br * 4);
    CHECK(stored(loop, Tensor::L) == (visited - tr) * br * 4);
    CHECK(stored(loop, Tensor::Lse) == 4 * n);
    CHECK(c.passes[0] == Meters{});
    CHECK(c.passes[2] == Meters{});
  }
}

TEST_CASE("FA2, full and causal, in both variants") {
  struct Row {
    int64_t n, d, br, bc, full, causal;
  };
  for (const Row& r : {Row{1024, 64, 128, 128, 2'363'392, 0}, Row{2048, 128, 128, 64, 17'833'984, 9'969'664},
                       Row{4096, 64, 128, 128, 34'619'392, 18'366'464}, Row{4096, 128, 128, 64, 69'222'400, 36'716'544},
                       Row{131072, 128, 128, 64, 68'787'109'888, 34'460'925'952}})
    for (VariantId variant : {VariantId::Paper, VariantId::Kernel}) {
      const Meters full = count_of(Method::Fa2, problem_of(r.n, r.d, r.br, r.bc), variant).total;
      CHECK(full.paper_bytes() == r.full);
      CHECK(full.fill_bytes() + full.drain_bytes() == r.full);
      CHECK(full.drain_bytes() == 2 * r.n * r.d + 4 * r.n);
      CHECK(full.fill_bytes() == 2 * r.n * r.d + (r.n / r.br) * 4 * r.n * r.d);
      if (!r.causal) continue;
      const Meters causal = count_of(Method::Fa2, problem_of(r.n, r.d, r.br, r.bc, Mask::Causal), variant).total;
      CHECK(causal.paper_bytes() == r.causal);
    }
}

TEST_CASE("what a counter on an H200 saw: FA2, B = 4, H = 16, N = 4096, d = 128") {
  Problem p = problem_of(4096, 128, 128, 64);
  p.batch = 4;
  p.heads = 16;
  const Meters m = count_of(Method::Fa2, p, VariantId::Kernel).total.times(p.batch * p.heads);
  CHECK(m.fill_bytes() == 4'362'076'160);
  CHECK(stored(m, Tensor::O) == 67'108'864);
  CHECK(stored(m, Tensor::Lse) == 1'048'576);
}

TEST_CASE("other formats move other bytes") {
  Problem p = problem_of(1024, 64, 128, 64);
  p.format = Format::Float32;
  const Meters m = count_of(Method::Fa2, p, VariantId::Paper).total;
  CHECK(m.drain_bytes() == 4 * 1024 * 64 + 4 * 1024);
  CHECK(loaded(m, Tensor::Q) == 4 * 1024 * 64);
}

TEST_CASE("matrix products are 4 N^2 d FLOP, exponentials N^2 and one per row and visit") {
  for (int64_t n : {1024, 2048, 4096, 131072}) {
    const Problem p = problem_of(n, 128, 128, 64);
    const int64_t tc = n / 64;
    for (const Schedule& schedule : schedules())
      for (VariantId variant : {VariantId::Paper, VariantId::Kernel})
        CHECK(count_of(schedule.id, p, variant).total.matrix_flop == 4 * n * n * 128);
    CHECK(count_of(Method::Standard, p, VariantId::Paper).total.exponentials == n * n);
    for (Method id : {Method::Fa1, Method::Fa2})
      for (VariantId variant : {VariantId::Paper, VariantId::Kernel})
        CHECK(count_of(id, p, variant).total.exponentials == n * n + n * tc);
  }
  // A causal mask counts the tiles that are visited: 528 of 1,024.
  const Problem causal = problem_of(4096, 64, 128, 128, Mask::Causal);
  CHECK(count_of(Method::Fa2, causal, VariantId::Paper).total.matrix_flop == int64_t{4} * 528 * 128 * 128 * 64);
}

TEST_CASE("a comparison, an addition or a multiplication is one FLOP, and nothing is counted twice") {
  // Of one tile of 4 queries and 8 keys, d = 2: what each row does by itself.
  const Plan plan = make_plan(schedule_of(Method::Fa2), problem_of(8, 2, 4, 8), VariantId::Paper);
  const auto flop = [&](StepKind kind, uint8_t flags = 0) {
    return cost_of({.kind = kind, .flags = flags}, plan).vector_flop;
  };
  int64_t seen = 0;  // by one row, counted as it goes
  const auto larger = [&](double a, double b) { return ++seen, a < b ? b : a; };
  const auto plus = [&](double a, double b) { return ++seen, a + b; };
  const auto times = [&](double a, double b) { return ++seen, a * b; };
  const auto row_does = [&](auto&& work) { return seen = 0, work(), 4 * seen; };
  const std::vector<double> s{3, 1, 4, 1, 5, 9, 2, 6};
  const auto max_of_row = [&] {
    double m = s[0];
    for (size_t k = 1; k < s.size(); ++k) m = larger(m, s[k]);
    return m;
  };
  const auto sum_of_row = [&] {
    double sum = s[0];
    for (size_t k = 1; k < s.size(); ++k) sum = plus(sum, s[k]);
    return sum;
  };
  double m = 2, l = 3;
  CHECK(flop(StepKind::RowMax) == row_does([&] {
          const double next = larger(m, max_of_row());
          std::exp(plus(m, -next));  // alpha's exponential is counted as one
        }));
  CHECK(flop(StepKind::RowMax, Step::kFinalMax) == row_does([&] { m = larger(m, max_of_row()); }));
  CHECK(flop(StepKind::RowSum) == row_does([&] { l = plus(times(0.5, l), sum_of_row()); }));
  CHECK(flop(StepKind::RowSum, Step::kFinalMax) == row_does([&] { l = plus(l, sum_of_row()); }));
  CHECK(flop(StepKind::Exponentiate) == row_does([&] {
          for (const double x : s) std::exp(plus(x, -m));
        }));
  CHECK(flop(StepKind::Score) == row_does([&] {
          for (const double x : s) times(x, 0.7);
        }));
  for (const StepKind kind : {StepKind::Rescale, StepKind::Normalize}) CHECK(flop(kind) == 4 * 2);
}

TEST_CASE("FA2 has fewer steps outside the matrix products than FA1") {
  const Problem p = problem_of(4096, 128, 128, 64);
  const Meters fa1 = count_of(Method::Fa1, p, VariantId::Paper).total;
  const Meters fa2 = count_of(Method::Fa2, p, VariantId::Paper).total;
  // Denormalize and Normalize at every visit, against one Normalize at the end.
  CHECK(fa1.vector_flop - fa2.vector_flop == (2 * 2048 - 32) * 128 * 128 - 2 * 4096);
  CHECK(fa1.operand_bytes == fa2.operand_bytes);
}

TEST_CASE(
    "statistics lie in memory as fp32, O and dQ between visits as the variant says, all else in the problem's format") {
  Problem p;
  p.format = Format::BFloat16;
  for (const Schedule& schedule : all_schedules())
    for (VariantId variant : test::kVariants) {
      const Plan plan = make_plan(schedule, p, variant);
      const bool wide = (schedule.id == Method::Fa1 || schedule.id == Method::SplitKv) && variant == VariantId::Kernel;
      const bool narrow = schedule.id == Method::Fa1Backward || schedule.id == Method::StandardBackward;
      for (int t = 0; t < kTensorCount; ++t) {
        const Tensor tensor = Tensor(t);
        INFO(test::words_of(schedule, variant), " ", symbol_of(tensor));
        const Format output = is_statistic(tensor) ? Format::Float32 : Format::BFloat16;
        const Format between = tensor == Tensor::O && wide       ? Format::Float32
                               : tensor == Tensor::DQ && !narrow ? Format::Float32
                                                                 : output;
        CHECK(memory_format(tensor, true, plan) == output);
        CHECK(memory_format(tensor, false, plan) == between);
        CHECK(memory_bytes(tensor, {.flags = Step::kOutput}, plan) == bytes_of(output));
        CHECK(memory_bytes(tensor, {}, plan) == bytes_of(between));
      }
    }
  CHECK(bytes_of(Format::Float32) == kStatisticBytes);
}

TEST_CASE("a schedule's facts are what its steps do") {
  for (const Schedule& schedule : schedules())
    for (VariantId variant : test::kVariants) {
      INFO(test::words_of(schedule, variant));
      const Plan plan = make_plan(schedule, Problem{}, variant);
      const Count counted = count(schedule, plan);
      CHECK(schedule.scores_in_memory == (counted.total.stored[size_t(Tensor::S)] > 0));
      CHECK(schedule.scores_in_memory == (counted.total.stored[size_t(Tensor::P)] > 0));
      // The K/V tiles are outside where the Q tile changes within a section that computes scores.
      bool changes = false;
      const std::vector<Step> steps = steps_of(schedule, plan);
      for (const Step& a : steps)
        for (const Step& b : steps)
          changes |= a.kind == StepKind::Score && b.kind == StepKind::Score && a.section == b.section && a.i != b.i;
      CHECK(schedule.keys_outside == changes);
    }
}

}  // namespace tilewalk::test_traffic
