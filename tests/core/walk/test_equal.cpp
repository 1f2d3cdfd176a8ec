// The texts take the very steps that the programs written in C++ take, one by one, and fold them into the same sums.
#include "core/io/embedded.h"
#include "core/schedules/count.h"
#include "core/walk/interpret.h"
#include "core/walk/reader.h"
#include "tests/core/support.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

struct Steps : StepSink {
  void take(const Step& step) override { all.push_back(step); }
  std::vector<Step> all;
};

struct Sum : StepSink {
  Sum(const Plan& plan, size_t passes) : plan(plan), meters(passes) {}
  void take(const Step& step) override { meters[step.pass] += cost_of(step, plan).times(weight); }
  int64_t fold(int64_t alike) override { return weight = alike; }
  const Plan& plan;
  std::vector<Meters> meters;
  int64_t weight = 1;
};

WalkProgram program_of(const std::string& name, const Schedule& schedule) {
  WalkRead read = read_walk(embedded_file("core/schedules/" + name + ".walk"));
  for (const WalkFault& fault : read.faults) FAIL(name << ":" << fault.line << ": " << fault.message);
  for (WalkNest& nest : read.program->nests) {
    const auto found = std::ranges::find(schedule.passes, read.program->passes[nest.pass]);
    nest.pass = found == schedule.passes.end() ? uint8_t(0) : uint8_t(found - schedule.passes.begin());
  }
  return *std::move(read.program);
}

}  // namespace

TEST_CASE("the texts' steps equal the emitters', one by one, and their folded sums") {
  int64_t compared = 0;
  for (const Schedule& schedule : all_schedules())
    for (int form = 0; form < 4; ++form) {
      const bool fa1 = schedule.id == ScheduleId::Fa1;
      if (form >= 2 && !fa1) continue;
      const std::string name = std::string(schedule.key) + (!fa1 || form == 0 ? "" : form == 3 ? "-0.1" : "-kernel");
      const WalkProgram program = program_of(name, schedule);
      for (uint64_t number = 0; number < 3000; ++number) {
        Problem p = make_case(number).problem;
        if (number % 3 == 0) p.n_q *= 3, p.n_k *= 2;
        if (number % 7 == 0) p.mistake = Mistake::NoEarlyExit;
        Plan plan = make_plan(schedule, p, form ? VariantId::Kernel : VariantId::Paper);
        if (form >= 2) plan.variant.blocks_of_head = 1 + int64_t(number % 5);
        if (form == 3) plan.variant.finish_on_chip = false, plan.variant.conversion_pass = true;
        INFO(name, ", ", words_of({p, {}, {}}));

        Steps walked;
        std::map<uint64_t, std::pair<int64_t, int64_t>> shapes;
        for (int64_t s = 0; s < walk_sections(program, plan); ++s) {
          walk_section(program, plan, s, walked);
          shapes.try_emplace(walk_shape(program, plan, s), s, 0).first->second.second++;
        }
        const std::vector<Step> emitted = steps_of(schedule, plan);
        REQUIRE(walked.all.size() == emitted.size());
        std::map<int, int> line_of;  // several lines of a text may be one of the emitter's
        for (size_t k = 0; k < emitted.size(); ++k) {
          Step a = emitted[k], b = walked.all[k];
          REQUIRE(line_of.emplace(b.line, a.line).first->second == a.line);
          a.line = b.line = 0;
          REQUIRE(a == b);
          ++compared;
        }
        std::vector<Meters> passes(schedule.passes.size());
        for (const auto& [shape, alike] : shapes) {
          Sum sum(plan, passes.size());
          walk_section(program, plan, alike.first, sum);
          for (size_t k = 0; k < passes.size(); ++k) passes[k] += sum.meters[k].times(alike.second);
        }
        REQUIRE(passes == count(schedule, plan).passes);
      }
    }
  CHECK(compared > 10'000'000);
  MESSAGE(compared, " steps compared");
}
