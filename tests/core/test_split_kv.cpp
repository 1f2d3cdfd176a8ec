// Split-KV, Flash-Decoding: what the tests of the schedules ask, where a split's L stands for its scores. L keeps no
// more of log l than the scores' size leaves room for, so that huge scores are asked elsewhere.
#include "core/attention/reference.h"
#include "core/model/dram.h"
#include "core/playback/narrate.h"
#include "core/playback/output_state.h"
#include "core/playback/row_trace.h"
#include "core/playback/row_view.h"
#include "core/playback/units.h"
#include "core/schedules/count.h"
#include "core/judge/judge.h"
#include "core/schedules/own.h"
#include "core/walk/reader.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace tilewalk::test_split_kv {

namespace {

bool near(double a, double b) { return a == b || std::fabs(a - b) <= 1e-9 * (1 + std::fabs(b)); }

const std::string& text() {
  static const std::string all =
      "pass attention\n"
      "for each Q tile i and split s of 4, in parallel:\n"
      "  load Q[i];  O = 0;  l = 0;  m = -inf\n"
      "  for each K/V tile j of split s that i sees, in any order:\n"
      "    load K[j], V[j]\n"
      "    S = Q[i] K[j]^T * scale\n"
      "    m' = max(m, rowmax(S));  alpha = exp(m - m')\n"
      "    P = exp(S - m');  l = alpha l + rowsum(P)\n"
      "    O = alpha O + P V[j]\n"
      "  O = O / l;  L = m + log(l)\n"
      "  store O[i,s], L[i,s]\n"
      "pass merge\n"
      "for each Q tile i, in parallel:\n"
      "  O = 0;  l = 0;  m = -inf\n"
      "  for each split s of 4:\n"
      "    load O[i,s], L[i,s]\n"
      "    m' = max(m, L[i,s]);  alpha = exp(m - m')\n"
      "    w = exp(L[i,s] - m');  l = alpha l + w\n"
      "    O = alpha O + w O[i,s]\n"
      "  O = O / l;  L = m + log(l)\n"
      "  store O[i], L[i]\n";
  return all;
}

std::string with(std::string_view what, std::string_view by) {
  std::string changed = text();
  const size_t at = changed.find(what);
  REQUIRE(at != changed.npos);
  return changed.replace(at, what.size(), by);
}
Verdict verdict(std::string_view what, std::string_view by) {
  WalkRead read = read_walk(with(what, by));
  REQUIRE_MESSAGE(read.program, (read.faults.empty() ? "" : read.faults[0].message));
  return judge(*read.program);
}
std::string fault(std::string_view what, std::string_view by) {
  const WalkRead read = read_walk(with(what, by));
  return read.faults.empty() ? "" : read.faults[0].message;
}

}  // namespace

TEST_CASE("split-KV equals the reference, its counts are its steps, and O, L are told as they are") {
  int ordinary = 0;
  for (uint64_t number = 0; number < 1000; ++number) {
    const test::Case c = test::make_case(number);
    if (c.scores == test::Scores::Huge) continue;
    ++ordinary;
    const Problem& p = c.problem;
    const Tiling t(p);
    const Reference expected = reference(p, c.inputs);
    for (VariantId variant : test::kVariants) {
      INFO(test::words_of(c), ", ", name_of(variant));
      const Plan plan = make_plan(schedule_of(Method::SplitKv), p, variant);
      Replay replay(schedule_of(Method::SplitKv), plan, test::roomy(), c.inputs);
      const MachineState end = replay.at(replay.length());
      const Matrix o = test::gathered(end.o, t, p.d);
      for (int64_t r = 0; r < p.n_q; ++r)
        for (int64_t e = 0; e < p.d; ++e) REQUIRE(near(o.at(r, e), expected.o.at(r, e)));
      const Meters counted = count(schedule_of(Method::SplitKv), plan).total;
      CHECK(counted == end.meters);
      // K and V once for each Q tile that sees them, as in FA2; Q once for each split.
      const Meters whole = count(schedule_of(Method::Fa2), make_plan(schedule_of(Method::Fa2), p, variant)).total;
      CHECK(counted.loaded[size_t(Tensor::K)] == whole.loaded[size_t(Tensor::K)]);
      CHECK(counted.loaded[size_t(Tensor::Q)] ==
            whole.loaded[size_t(Tensor::Q)] * schedule_of(Method::SplitKv).splits(plan));
      CHECK(counted.matrix_flop == whole.matrix_flop);
    }
  }
  CHECK(ordinary > 700);
}

TEST_CASE("split-KV is followed: the row, O, captions and back again") {
  std::set<StepKind> met;
  for (uint64_t number = 0; number < 60; ++number) {
    const test::Case c = test::make_case(number);
    if (c.scores == test::Scores::Huge) continue;
    const Tiling t(c.problem);
    Replay replay(schedule_of(Method::SplitKv), make_plan(schedule_of(Method::SplitKv), c.problem, VariantId::Paper),
                  test::roomy(), c.inputs);
    if (replay.length() > 600) continue;
    const int64_t row = int64_t(number) % c.problem.n_q, i = row / t.br;
    std::vector<uint64_t> forward;
    for (int64_t playhead = 0; playhead <= replay.length(); ++playhead) {
      forward.push_back(test::fingerprint(replay.at(playhead)));
      if (playhead == 0) continue;
      const Step& step = replay.steps()[size_t(playhead - 1)];
      INFO(test::words_of(c), " step ", playhead, " ", info_of(step.kind).name);
      met.insert(step.kind);
      const Narration words = narrate(replay, playhead - 1, playhead, row);
      CHECK(words.caption.ends_with('.'));
      if (step.i != i) continue;
      const RowTrace trace = trace_row(replay, playhead, row);
      const RowView now = view_row(replay.at(playhead), step.i, step.j, row % t.br);
      if (step.kind == StepKind::RowSum || step.kind == StepKind::MergeSum) {
        REQUIRE(!trace.visits.empty());
        CHECK(near(trace.visits.back().m, now.m.value()));
        CHECK(near(trace.visits.back().l, now.l.value()));
      }
      if (step.kind == StepKind::MergeMax) {
        REQUIRE(trace.open);
        CHECK(near(trace.open->alpha, now.alpha.value()));
      }
      const OutputState state = output_state(replay.steps(), playhead, int32_t(i), schedule_of(Method::SplitKv));
      if (step.kind == StepKind::MergeOut) CHECK(state == OutputState::Sum);
      if (step.kind == StepKind::StorePart) CHECK(state == OutputState::Average);
    }
    for (int64_t k = replay.length(); k >= 0; --k) CHECK(test::fingerprint(replay.at(k)) == forward[size_t(k)]);
  }
  for (int k = int(StepKind::LoadPart); k < kStepKindCount; ++k) CHECK(met.contains(StepKind(k)));
}

TEST_CASE("what the splits leave lies in memory of its own: written, and read back out of L2") {
  Problem p = test::square(4096, 64, 128, 128);
  p.n_q = 128;
  p.format = Format::Float16;
  const Plan plan = make_plan(schedule_of(Method::SplitKv), p, VariantId::Kernel);
  const DramEstimate dram = estimate_dram(schedule_of(Method::SplitKv), plan, default_machine(), {});
  REQUIRE(dram.modelled);
  CHECK(dram.read_bytes == (128 + 2 * 4096) * 64 * 2);
  CHECK(dram.written_bytes + dram.left_dirty_bytes == 128 * (64 * 2 + 4) + 4 * 128 * (64 * 4 + 4));
}

TEST_CASE("splits are of whole tiles, and none is empty") {
  for (const auto& [tiles, made] : {std::pair(1, 1), {2, 2}, {3, 3}, {4, 4}, {5, 3}, {6, 3}, {7, 4}, {9, 3}, {64, 4}}) {
    Problem p = test::square(tiles * 4, 4, 4, 4);
    CHECK(schedule_of(Method::SplitKv).splits(make_plan(schedule_of(Method::SplitKv), p, VariantId::Paper)) == made);
  }
  CHECK(schedule_of(Method::Fa2)
            .splits(make_plan(schedule_of(Method::Fa2), test::square(16, 4, 4, 4), VariantId::Paper)) == 0);
}

TEST_CASE("a merge that is wrong is told where it broke") {
  CHECK(verdict("split s of 4", "split s of 4").kind == Verdict::Kind::Exact);
  const auto holds = [](const Verdict& v, int line, std::string_view words) {
    INFO(v.line, ": ", v.message);
    CHECK(v.kind == Verdict::Kind::Wrong);
    CHECK(v.line == line);
    CHECK(v.message.find(words) != v.message.npos);
  };
  holds(verdict("O = alpha O + w O[i,s]", "O = O + w O[i,s]"), 19, "O was not rescaled");
  holds(verdict("  O = O / l;  L = m + log(l)\n  store O[i,s]", "  L = m + log(l)\n  store O[i,s]"), 19, "is a sum");
  holds(verdict("O[i,s]\n  O = O / l;", "O[i,s]\n"), 21, "stored before it is divided");
  holds(verdict("  store O[i,s], L[i,s]\n", ""), 15, "never stored");
}

TEST_CASE("what is said of splits has to fit together") {
  CHECK(fault("for each split s of 4:", "for each split s of 3:") ==
        "the keys are cut into 4 splits above, and into 3 here.");
  CHECK(fault("split s of 4, in", "split s of 1, in") == "there are 2 to 64 splits: \"split s of 4\".");
  CHECK(fault("split s of 4, in", "split s of 99999999999, in") == "there are 2 to 64 splits: \"split s of 4\".");
  CHECK(fault("store O[i,s], L[i,s]", "store O[i,s]") == "a part's O and L move together: write store O[i,s], L[i,s].");
  CHECK(fault("i and split s of 4, in", "i, in").find("there is no split s here") == 0);
  CHECK(fault("    load O[i,s], L[i,s]", "    load K[j]") == "K[j] stands in a loop over splits: which j?");
}

}  // namespace tilewalk::test_split_kv
