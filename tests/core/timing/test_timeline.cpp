// The timing pass: no step before what it needs, no lane or place used twice at once, and the rhythms that the papers'
// reckoning gives, which nothing but the schedules' own orders brings about.
#include "core/kernel/kernel_shapes.h"
#include "core/timing/needs.h"
#include "core/timing/steady.h"
#include "core/timing/timeline.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

namespace tilewalk::test_timeline {
using namespace tilewalk::test;

namespace {

Rates hopper(Format format = Format::Float16) { return *rates_of(*machine_named("h100"), format); }

Timeline lay_kernel(Method id, const Problem& p, const Overlap& overlap, const Rates& rates = hopper(),
                    int64_t block = 0) {
  const Schedule& schedule = schedule_of(id);
  return lay(schedule, make_plan(schedule, p, VariantId::Kernel), block, rates, overlap);
}

// Every mix of the three switches.
std::vector<Overlap> switches(int stages, int warpgroups) {
  std::vector<Overlap> all;
  for (int bits = 0; bits < 8; ++bits)
    all.push_back({bool(bits & 1), bool(bits & 2), bool(bits & 4), stages, warpgroups});
  return all;
}

std::string words_of(const Overlap& o) {
  return std::string(o.warp_specialized ? "producer, " : "") + (o.ping_pong ? "ping-pong, " : "") +
         (o.products_run_on ? "run on, " : "") + std::to_string(o.stages) + " stages, " + std::to_string(o.warpgroups) +
         " warpgroups";
}

// Whether an interval's warpgroup is the other's, or all of them.
bool share_group(const Interval& a, const Interval& b) {
  return a.warpgroup < 0 || b.warpgroup < 0 || a.warpgroup == b.warpgroup;
}

void check_laws(const Timeline& t, const Overlap& o) {
  // Each step once for each warpgroup that takes it.
  std::map<int32_t, int> times;
  for (const Interval& in : t.intervals) ++times[in.step];
  REQUIRE(times.size() == t.steps.size());
  for (const auto& [step, count] : times) {
    const bool once = fills_shared(t.steps[size_t(step)].kind) || !o.ping_pong;
    CHECK(count == (once ? 1 : o.warpgroups));
  }
  // What it needs, within its pass.
  for (size_t first = 0, end; first < t.steps.size(); first = end) {
    for (end = first; end < t.steps.size() && t.steps[end].pass == t.steps[first].pass;) ++end;
    const std::vector<Step> pass(t.steps.begin() + int64_t(first), t.steps.begin() + int64_t(end));
    const auto needs = needs_of(pass, o.stages);
    for (const Interval& in : t.intervals) {
      if (size_t(in.step) < first || size_t(in.step) >= end) continue;
      for (const Need& need : needs[size_t(in.step) - first])
        for (const Interval& before : t.intervals)
          if (before.step == int32_t(first) + need.step && share_group(in, before)) REQUIRE(before.end <= in.start);
    }
  }
  // One step at a time on a lane; and the meters agree.
  for (int u = 0; u < kLaneCount; ++u) {
    std::vector<const Interval*> lane;
    int64_t sum = 0;
    for (const Interval& in : t.intervals)
      if (in.lane == Lane(u) && in.end > in.start) lane.push_back(&in), sum += in.end - in.start;
    std::ranges::sort(lane, {}, &Interval::start);
    for (size_t k = 1; k < lane.size(); ++k) REQUIRE(lane[k - 1]->end <= lane[k]->start);
    CHECK(sum == t.busy[size_t(u)]);
  }
  for (const Interval& in : t.intervals) {
    REQUIRE(in.ready <= in.start);
    REQUIRE(in.end <= t.ticks);
    if (in.start > in.ready) REQUIRE(in.waited != Wait::Nothing);
    if (in.waited == Wait::Data || in.waited == Wait::Buffer || in.waited == Wait::Busy)
      REQUIRE(t.intervals[size_t(in.for_interval)].end <= in.start);
  }
}

}  // namespace

TEST_CASE("no step before what it needs, no lane twice at once") {
  const std::array problems{square(1024, 128, 128, 128), square(1000, 64, 192, 128, Mask::Causal),
                            square(300, 64, 64, 48), square(64, 128, 128, 128)};
  for (const Problem& p : problems)
    for (const Schedule& schedule : schedules())
      for (VariantId variant : kVariants)
        for (int stages : {1, 2, 3})
          for (const Overlap& o : switches(stages, 2 + stages % 2)) {
            const Plan plan = make_plan(schedule, p, variant);
            CAPTURE(test::words_of(schedule, variant));
            CAPTURE(words_of(o));
            check_laws(lay(schedule, plan, plan.tiling.tr - 1, hopper(), o), o);
          }
}

TEST_CASE("needs are what is read, and places that are read first") {
  const Problem p = square(512, 128, 128, 128);
  const Schedule& fa3 = schedule_of(Method::Fa3);
  const std::vector<Step> steps = block_steps(fa3, make_plan(fa3, p, VariantId::Paper), 0);
  const auto nth = [&](StepKind kind, int n) {
    for (size_t k = 0; k < steps.size(); ++k)
      if (steps[k].kind == kind && n-- == 0) return int32_t(k);
    return -1;
  };
  const auto has = [](const std::vector<Need>& needs, Need wanted) {
    return std::ranges::find(needs, wanted) != needs.end();
  };
  const auto two = needs_of(steps, 2), one = needs_of(steps, 1);
  using enum StepKind;
  // FA3's softmax of a tile does not need the products of the tile before it; the rescale of O does.
  const auto& softmax = two[size_t(nth(Exponentiate, 2))];
  CHECK(has(softmax, {nth(Score, 2), false}));
  CHECK_FALSE(has(softmax, {nth(Accumulate, 1), false}));
  CHECK(has(two[size_t(nth(Rescale, 1))], {nth(Accumulate, 1), false}));
  // A buffer is filled again once it was read: with two, two tiles later.
  CHECK(has(two[size_t(nth(LoadK, 2))], {nth(Score, 0), true}));
  CHECK_FALSE(has(two[size_t(nth(LoadK, 2))], {nth(Score, 1), true}));
  CHECK(has(one[size_t(nth(LoadK, 2))], {nth(Score, 1), true}));
  CHECK(has(one[size_t(nth(LoadV, 1))], {nth(Accumulate, 0), true}));
}

TEST_CASE("rates: exponentials against products") {
  const auto ratio = [](std::string_view machine, int64_t d, Format format) {
    const Problem p = square(1024, d, 128, 128);
    const Plan plan = make_plan(schedule_of(Method::Fa3), p, VariantId::Kernel);
    const Rates rates = *rates_of(*machine_named(machine), format);
    const auto ticks = [&](StepKind kind) { return ticks_of({.kind = kind}, plan, rates, 1); };
    return double(ticks(StepKind::Exponentiate)) / double(ticks(StepKind::Score) + ticks(StepKind::Accumulate));
  };
  CHECK(ratio("h100", 128, Format::Float16) == 0.5);
  CHECK(ratio("h100", 64, Format::BFloat16) == 1.0);
  CHECK(ratio("h100", 128, Format::E4M3) == 1.0);
  CHECK(ratio("a100", 128, Format::Float16) == 0.25);
  CHECK(ratio("a100", 64, Format::Float16) == 0.5);
  CHECK_FALSE(rates_of(*machine_named("a100"), Format::E4M3));
  CHECK_FALSE(rates_of(*machine_named("toy"), Format::Float16));
  CHECK_FALSE(rates_of(*machine_named("h100"), Format::Float32));
}

TEST_CASE("serial is 1.5 and overlapped 1.0 units at d = 128") {
  const Problem p = square(4096, 128, 128, 128);
  const auto units = [&](Method id, bool ping_pong, bool run_on, int64_t d = 128, Format f = Format::Float16) {
    Problem q = p;
    q.d = d;
    q.format = f;
    return steady(lay_kernel(id, q, {true, ping_pong, run_on}, hopper(f)))->units();
  };
  CHECK(units(Method::Fa3, false, false) == 1.5);
  CHECK(units(Method::Fa3, true, false) == 1.0);
  CHECK(units(Method::Fa3, false, true) == 1.0);
  CHECK(units(Method::Fa3, true, true) == 1.0);
  // FA2's order leaves one warpgroup nothing to overlap, even where products run on: the overlap is FA3's order.
  CHECK(units(Method::Fa2, false, true) == 1.5);
  // With exponentials as long as the products, one warpgroup hides only those that fall under P V.
  for (const auto& [d, format] : {std::pair{64, Format::Float16}, std::pair{128, Format::E4M3}}) {
    CHECK(units(Method::Fa3, false, false, d, format) == 2.0);
    CHECK(units(Method::Fa3, false, true, d, format) == 1.5);
    CHECK(units(Method::Fa3, true, true, d, format) == 1.0);
  }
}

TEST_CASE("alone and in order, a block takes the sum of its steps") {
  for (Method id : {Method::Fa1, Method::Fa2, Method::Fa3}) {
    const Timeline t = lay_kernel(id, square(1024, 128, 128, 128), {false, false, false, 1, 2});
    int64_t sum = 0, stores = 0;
    for (int64_t busy : t.busy) sum += busy;
    for (const Interval& in : t.intervals)
      if (info_of(t.step_of(in).kind).engine == Engine::Store) stores += in.end - in.start;
    if (id == Method::Fa1)
      CHECK(t.ticks >= sum - stores);  // stores run on while the next loads wait for them or not
    else
      CHECK(t.ticks == sum);  // its stores come last
    CHECK(t.ticks <= sum);
  }
}

TEST_CASE("overlapped, a block takes its busiest lane, and what cannot overlap at its ends") {
  const Problem p = square(4096, 128, 128, 128);
  const Plan plan = make_plan(schedule_of(Method::Fa3), p, VariantId::Kernel);
  const Rates rates = hopper();
  const Timeline t = lay(schedule_of(Method::Fa3), plan, 0, rates, {});
  const auto whole = [&](StepKind kind) { return ticks_of({.kind = kind}, plan, rates, 1); };
  // Before the first product Q and a K tile come in; the first turn's softmax has no P V above it; O and L go out last.
  int64_t ends = 0;
  for (const Interval& in : t.intervals) {
    const StepKind kind = t.step_of(in).kind;
    if (kind == StepKind::StoreO || kind == StepKind::StoreLse) ends += in.end - in.start;
  }
  ends += whole(StepKind::LoadQ) + whole(StepKind::LoadK);
  CHECK(t.ticks >= t.busy[size_t(Lane::Tensor)] + ends - whole(StepKind::StoreO));
  CHECK(t.ticks <= t.busy[size_t(Lane::Tensor)] + ends + whole(StepKind::Exponentiate));
  CHECK(steady(t)->idle(Lane::Tensor) == 0);
  CHECK(t.busy[size_t(Lane::Tensor)] == p.n_k / p.bc * (whole(StepKind::Score) + whole(StepKind::Accumulate)));
}

TEST_CASE("one stage brings bubbles back, and the gaps say that a copy is waited for") {
  const Problem p = square(4096, 128, 128, 128);
  const Timeline two = lay_kernel(Method::Fa3, p, {.stages = 2}), one = lay_kernel(Method::Fa3, p, {.stages = 1});
  CHECK(steady(two)->idle(Lane::Tensor) == 0);
  CHECK(steady(one)->idle(Lane::Tensor) > 0.1);
  CHECK(one.ticks > two.ticks);
  const auto in_the_middle = [](const Timeline& t) {
    std::vector<Gap> found;
    const Steady middle = *steady(t);
    for (const Gap& gap : gaps(t, Lane::Tensor))
      if (gap.begin >= middle.begin && gap.end <= middle.end) found.push_back(gap);
    return found;
  };
  CHECK(in_the_middle(two).empty());
  const std::vector<Gap> bubbles = in_the_middle(one);
  REQUIRE(!bubbles.empty());
  for (const Gap& gap : bubbles) CHECK(gap.for_copy);
  const std::vector<Gap> serial = in_the_middle(lay_kernel(Method::Fa3, p, {true, false, false, 2, 2}));
  REQUIRE(!serial.empty());
  for (const Gap& gap : serial) CHECK_FALSE(gap.for_copy);
}

TEST_CASE("gaps fill the idle time, each with its cause: with one step at a time, copies and the softmax") {
  const Problem p = square(2048, 128, 128, 128);
  for (const Overlap& o : switches(2, 2)) {
    const Timeline t = lay_kernel(Method::Fa3, p, o);
    CAPTURE(words_of(o));
    int64_t idle = 0, end = 0, last = 0;
    for (const Gap& gap : gaps(t, Lane::Tensor)) {
      CHECK(gap.begin >= end);
      CHECK(gap.end > gap.begin);
      end = gap.end;
      idle += gap.end - gap.begin;
    }
    for (const Interval& in : t.intervals)
      if (in.lane == Lane::Tensor) last = std::max(last, in.end);
    CHECK(idle == last - t.busy[size_t(Lane::Tensor)]);
  }
  const Timeline serial = lay_kernel(Method::Fa3, p, {false, false, false, 2, 2});
  int64_t copies = 0, softmax = 0;
  for (const Gap& gap : gaps(serial, Lane::Tensor)) (gap.for_copy ? copies : softmax) += gap.end - gap.begin;
  const int64_t stores = [&] {
    int64_t sum = 0;
    for (const Interval& in : serial.intervals)
      if (info_of(serial.step_of(in).kind).engine == Engine::Store) sum += in.end - in.start;
    return sum;
  }();
  CHECK(softmax == serial.busy[size_t(Lane::Exponential)]);
  CHECK(copies == serial.busy[size_t(Lane::Copy)] - stores);
}

TEST_CASE("each switch and each stage helps or does nothing") {
  for (int64_t d : {64, 128})
    for (Mask mask : {Mask::Full, Mask::Causal})
      for (bool vector : {false, true})
        for (int stages : {2, 3}) {
          const Problem p = square(2048, d, 128, 128, mask);
          const Rates rates = vector ? *with_vector_unit(*machine_named("h100"), Format::Float16) : hopper();
          const auto ticks = [&](const Overlap& o) { return lay_kernel(Method::Fa3, p, o, rates, 15).ticks; };
          for (const Overlap& off : switches(stages, 2)) {
            CAPTURE(words_of(off));
            CAPTURE(d);
            for (bool Overlap::*which : {&Overlap::warp_specialized, &Overlap::ping_pong, &Overlap::products_run_on}) {
              Overlap on = off;
              on.*which = true;
              CHECK(ticks(on) <= ticks(off));
            }
            Overlap more = off;
            ++more.stages;
            CHECK(ticks(more) <= ticks(off));
          }
        }
}

TEST_CASE("the kernels' own shapes: three warpgroups of 64 rows at d = 64") {
  for (int d : {64, 128}) {
    const KernelShape shape = kernel_shape(Method::Fa3, d);
    const Problem p = square(6144, d, shape.br, shape.bc);
    const Overlap overlap{.stages = shape.stages, .warpgroups = shape.consumers};
    const Timeline t = lay_kernel(Method::Fa3, p, overlap);
    check_laws(t, overlap);
    CHECK(steady(t)->units() == 1.0);
  }
}

TEST_CASE("too few stages or warpgroups are refused") {
  const Problem p = square(512, 64, 128, 128);
  CHECK_THROWS_AS(lay_kernel(Method::Fa3, p, {.stages = 0}), std::invalid_argument);
  CHECK_THROWS_AS(lay_kernel(Method::Fa3, p, {.warpgroups = 0}), std::invalid_argument);
  CHECK_FALSE(steady(lay_kernel(Method::Fa3, p, {})));
}

}  // namespace tilewalk::test_timeline
