// A row followed on its own has the machine's numbers, bit for bit, at every playhead.
#include "core/playback/row_trace.h"

#include "core/playback/row_view.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

namespace tilewalk::test_row_trace {

namespace {

// Bit for bit, but a minus on zero is no difference.
bool same(double a, double b) { return std::bit_cast<uint64_t>(a + 0.0) == std::bit_cast<uint64_t>(b + 0.0); }

// Follows one row through a walk and compares it with the machine after every step that touches m, l or S.
void check_row(Replay& replay, int64_t row) {
  const Tiling& t = replay.plan().tiling;
  const int64_t i = row / t.br;
  for (int64_t playhead = 0; playhead <= replay.length(); ++playhead) {
    if (playhead > 0 && replay.steps()[size_t(playhead - 1)].i != i) continue;
    const RowTrace trace = trace_row(replay, playhead, row);
    REQUIRE(int64_t(trace.keys.size()) == t.n_k);
    if (playhead == 0) {
      CHECK(trace.visits.empty());
      continue;
    }
    const Step& step = replay.steps()[size_t(playhead - 1)];
    const RowView now = view_row(replay.at(playhead), step.i, step.j, row % t.br);
    if (step.kind == StepKind::RowSum) {
      REQUIRE(!trace.visits.empty());
      const RowTrace::Visit& last = trace.visits.back();
      CHECK(!trace.open);
      CHECK(last.step == playhead);
      CHECK(last.j == step.j);
      CHECK(same(last.m, now.m.value()));
      CHECK(same(last.l, now.l.value()));
      CHECK(same(last.alpha, now.alpha.value_or(1)));
      double sum = 0;
      for (double p : now.p) sum += p;
      CHECK(last.tile_sum == doctest::Approx(sum));
    }
    if (step.kind == StepKind::RowMax && !step.has(Step::kFinalMax)) {
      REQUIRE(trace.open);
      CHECK(same(trace.open->m, now.m.value()));
      CHECK(same(trace.open->alpha, now.alpha.value()));
      CHECK(same(trace.open->l, now.l.value()));  // not yet brought up to date
    }
    if (step.kind == StepKind::Score)
      for (int64_t c = 0; c < t.cols(step.j); ++c) {
        const RowTrace::Key& key = trace.keys[size_t(step.j * t.bc + c)];
        CHECK(key.seen);
        CHECK(key.tile == step.j);
        if (t.visible(row, step.j * t.bc + c))
          CHECK(same(key.score, now.s[size_t(c)]));
        else
          CHECK(key.score == -INFINITY);
      }
  }
}

}  // namespace

TEST_CASE("a followed row has the machine's m, alpha, l and scores after every step") {
  for (uint64_t number = 0; number < 60; ++number) {
    const test::Case c = test::make_case(number);
    for (const Schedule& schedule : schedules())
      for (VariantId variant : test::kVariants) {
        INFO(test::words_of(c) << " " << test::words_of(schedule, variant));
        Replay replay(schedule, make_plan(schedule, c.problem, variant), test::roomy(), c.inputs);
        if (replay.length() > 1500) continue;
        check_row(replay, int64_t(number) % c.problem.n_q);
        check_row(replay, c.problem.n_q - 1);
      }
  }
}

TEST_CASE("kernel arithmetic is followed as well") {
  for (const Schedule& schedule : schedules())
    for (VariantId variant : test::kVariants) {
      const Problem problem{.n_q = 13,
                            .n_k = 19,
                            .d = 5,
                            .br = 4,
                            .bc = 6,
                            .mask = Mask::Causal,
                            .arithmetic = Arithmetic::Kernel,
                            .distribution = Distribution::Outliers};
      Replay replay(schedule, make_plan(schedule, problem, variant), test::roomy(), generate_inputs(problem));
      for (int64_t row = 0; row < problem.n_q; ++row) check_row(replay, row);
    }
}

TEST_CASE("keys to come have their scores but are not seen, and rows beyond the last are the last") {
  const Problem problem{.n_q = 8, .n_k = 8, .d = 4, .br = 4, .bc = 4};
  Replay replay(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), problem, VariantId::Paper), test::roomy(),
                generate_inputs(problem));
  const RowTrace start = trace_row(replay, 0, 2), end = trace_row(replay, replay.length(), 2);
  for (size_t k = 0; k < 8; ++k) {
    CHECK(!start.keys[k].seen);
    CHECK(end.keys[k].seen);
    CHECK(start.keys[k].score == end.keys[k].score);
  }
  CHECK(end.visits.size() == 2);
  CHECK(trace_row(replay, replay.length() + 9, 99).visits.back().l ==
        trace_row(replay, replay.length(), 7).visits.back().l);
}

}  // namespace tilewalk::test_row_trace
