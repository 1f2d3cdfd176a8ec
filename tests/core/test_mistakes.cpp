// Mistakes on purpose: each changes what it says and nothing else, and the answer is wrong by the figures of the
// one-row example.
#include "core/attention/presets.h"
#include "core/attention/reference.h"
#include "core/playback/narrate.h"
#include "core/playback/replay.h"
#include "core/playback/row_trace.h"
#include "core/playback/units.h"
#include "core/schedules/count.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tilewalk::test_mistakes {
using namespace tilewalk::test;

namespace {

struct Ran {
  Problem problem;
  Inputs inputs;
  Replay replay;
  MachineState end;
  Ran(const Schedule& schedule, const Problem& p, const Inputs& x)
      : problem(p),
        inputs(x),
        replay(schedule, make_plan(schedule, p, VariantId::Paper), roomy(), inputs),
        end(replay.at(replay.length())) {}
  double o(int64_t row, int64_t col) const { return end.o.get(row / problem.br)->at(row % problem.br, col); }
};

Ran micro(Mistake mistake, const Schedule& schedule = schedule_of(Method::Fa2)) {
  const Preset& preset = *preset_named("micro");
  Problem p = preset.problem;
  p.mistake = mistake;
  return Ran(schedule, p, inputs_of(preset));
}

}  // namespace

TEST_CASE("without the rescale of l and O old tiles weigh too much") {
  for (const Schedule* schedule : {&schedule_of(Method::Fa1), &schedule_of(Method::Fa2), &schedule_of(Method::Fa3)}) {
    CAPTURE(schedule->key);
    const Ran ran = micro(Mistake::NoRescale, *schedule);
    CHECK(ran.o(0, 0) == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(ran.o(0, 1) == doctest::Approx(0.5).epsilon(1e-12));
  }
}

TEST_CASE("without the rescale of O alone it is too large") {
  const Ran ran = micro(Mistake::NoRescaleO);
  CHECK(std::fabs(ran.o(0, 0) - 1.761594) < 5e-7);
  CHECK(std::fabs(ran.o(0, 1) - 0.880797) < 5e-7);
}

TEST_CASE("right is 1.204824, 0.675973") {
  const Ran ran = micro(Mistake::None);
  CHECK(std::fabs(ran.o(0, 0) - 1.204824) < 5e-7);
  CHECK(std::fabs(ran.o(0, 1) - 0.675973) < 5e-7);
}

TEST_CASE("without a max the answer is the same until an exponential overflows the format") {
  Problem p = preset_named("toy")->problem;
  p.mistake = Mistake::NoMax;
  p.format = Format::Float32;
  Inputs inputs = generate_inputs(p);
  const Reference expected = reference(p, inputs);
  const Ran small(schedule_of(Method::Fa2), p, inputs);
  for (int64_t r = 0; r < p.n_q; ++r) CHECK(small.o(r, 0) == doctest::Approx(expected.o.at(r, 0)).epsilon(1e-5));

  // One score of 12 in row 0: e^12 = 162,755 is more than fp16 holds.
  p.format = Format::Float16;
  p.scale = 1;
  for (int64_t c = 0; c < p.d; ++c) inputs.q.at(0, c) = c == 0 ? 1 : 0;
  inputs.k.at(5, 0) = 12;
  const Ran large(schedule_of(Method::Fa2), p, inputs);
  CHECK_FALSE(std::isfinite(large.o(0, 0)));
  CHECK(std::isfinite(reference(p, inputs).o.at(0, 0)));
  p.mistake = Mistake::None;
  CHECK(std::isfinite(Ran(schedule_of(Method::Fa2), p, inputs).o(0, 0)));
}

TEST_CASE("without early exit every tile is visited and the answer stays") {
  for (const Schedule* schedule : {&schedule_of(Method::Fa1), &schedule_of(Method::Fa2), &schedule_of(Method::Fa3)}) {
    for (VariantId variant : {VariantId::Paper, VariantId::Kernel}) {
      CAPTURE(schedule->key);
      Problem p = preset_named("causal")->problem;
      const Inputs inputs = generate_inputs(p);
      const Reference expected = reference(p, inputs);
      const int64_t with = count(*schedule, make_plan(*schedule, p, variant)).total.matrix_flop;
      p.mistake = Mistake::NoEarlyExit;
      const Plan plan = make_plan(*schedule, p, variant);
      CHECK(count(*schedule, plan).total.matrix_flop * 10 == with * 16);  // 16 visits for 10
      Replay replay(*schedule, plan, roomy(), inputs);
      const MachineState end = replay.at(replay.length());
      for (int64_t r = 0; r < p.n_q; ++r)
        CHECK(end.o.get(r / p.br)->at(r % p.br, 0) == doctest::Approx(expected.o.at(r, 0)).epsilon(1e-9));
    }
  }
}

TEST_CASE("the row's trace makes the machine's mistakes") {
  for (Mistake mistake : {Mistake::NoRescale, Mistake::NoRescaleO, Mistake::NoMax}) {
    const Ran ran = micro(mistake);
    const RowTrace trace = trace_row(ran.replay, ran.replay.length(), 0);
    CHECK(trace.visits.back().l == ran.end.find(Tensor::L)->data->at(0, 0));
    CHECK(trace.visits.back().m == ran.end.find(Tensor::M)->data->at(0, 0));
  }
}

TEST_CASE("every unit that a mistake touches says so, and its sums are true") {
  for (Mistake mistake : {Mistake::NoRescale, Mistake::NoRescaleO, Mistake::NoMax}) {
    Ran ran = micro(mistake);
    int told = 0;
    for (Unit unit : {Unit::Step, Unit::Part, Unit::Tile}) {
      for (int64_t at = 0; at < ran.replay.length();) {
        const int64_t to = unit_forward(ran.replay.steps(), at, unit);
        const Narration words = narrate(ran.replay, at, to, 0);
        CHECK(words.caption.size() < 140);
        told += words.caption.find("roken on purpose") != std::string::npos;
        at = to;
      }
    }
    CHECK(told >= 3);
  }
}

TEST_CASE("mistakes have names") {
  for (int k = 0; k < kMistakeCount; ++k) {
    CHECK(mistake_named(name_of(Mistake(k))) == Mistake(k));
    CHECK(words_of(Mistake(k)).empty() == (k == 0));
  }
  CHECK_FALSE(mistake_named("no-such"));
}

}  // namespace tilewalk::test_mistakes
