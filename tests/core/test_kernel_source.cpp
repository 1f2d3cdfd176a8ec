// The map from a step on the stage to the lines of the kernel's source that carry it out.
#include "core/kernel/kernel_source.h"

#include "core/attention/tiling.h"
#include "core/method/table.h"
#include "core/schedules/schedule.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace tilewalk::test_kernel_source {

namespace {

class All : public StepSink {
 public:
  void take(const Step& step) override { steps.push_back(step); }
  std::vector<Step> steps;
};

std::vector<Step> steps_of(Method id, Mask mask) {
  Problem p{.n_q = 64, .n_k = 64, .d = 16, .br = 16, .bc = 16, .mask = mask};
  const Schedule& schedule = schedule_of(id);
  const Plan plan = make_plan(schedule, p, VariantId::Kernel);
  All all;
  for (int64_t k = 0; k < schedule.sections(plan); ++k) schedule.emit(plan, k, all);
  return all.steps;
}

// The heading that is lit for the n-th step of that kind; empty where none is.
std::string heading(Method kernel, StepKind kind, auto&& which) {
  const KernelSource& source = *source_of(kernel);
  for (const Step& step : steps_of(kernel, Mask::Causal))
    if (step.kind == kind && which(step)) {
      const SourceBlock* block = block_of(source, step);
      return block ? std::string(source.lines[size_t(block->first)]) : "";
    }
  return "no such step";
}

bool holds(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

const auto any = [](const Step&) { return true; };
const auto first_visit = [](const Step& s) { return s.visit == 0; };
const auto later_visit = [](const Step& s) { return s.visit > 0; };

}  // namespace

TEST_CASE("every kernel's source is in the program, with the headings of its steps") {
  for (const Method schedule :
       {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3, Method::StandardBackward, Method::Fa2Backward}) {
    REQUIRE_FALSE(rungs_of(schedule).empty());
    for (const Method kernel : rungs_of(schedule)) {
      const KernelSource* source = source_of(kernel);
      REQUIRE(source);
      CAPTURE(source->file);
      CHECK(info_of(kernel).walk.text == schedule);
      CHECK(source->lines.size() > 80);
      CHECK(source->blocks.size() >= 5);
      for (const SourceBlock& block : source->blocks) {
        CHECK(block.last >= block.first);
        CHECK(block.last - block.first < 30);
        CHECK(holds(std::string(source->lines[size_t(block.first)]), info_of(block.kind).name));
      }
    }
  }
  CHECK(rungs_of(Method::Fa1Backward).empty());
  CHECK(source_of(Method::Fa2Small) == nullptr);
}

TEST_CASE("every step of a fused forward walk lights lines of its kernel") {
  for (const Method kernel : {Method::Naive, Method::Tiled, Method::Fa1, Method::Fa2, Method::Fa3}) {
    CAPTURE(info_of(kernel).key);
    std::set<std::string_view> unlit;
    for (const Step& step : steps_of(kernel, Mask::Causal))
      if (!block_of(*source_of(kernel), step)) unlit.insert(info_of(step.kind).name);
    if (kernel == Method::Naive) unlit.erase("Mask");  // a naive row stops at its last key
    CHECK_MESSAGE(unlit.empty(), *unlit.begin());
  }
}

TEST_CASE("of several places that do a step, the one that does it here is lit") {
  using enum StepKind;
  CHECK(holds(heading(Method::Fa2, LoadK, first_visit), "visits - 1"));
  CHECK(holds(heading(Method::Fa2, LoadK, later_visit), "j - 1"));
  CHECK(holds(heading(Method::Fa2, RowMax, any), "STEP(RowMax, j)"));
  CHECK(holds(heading(Method::Fa3, Score, first_visit), "STEP(Score, j)"));
  CHECK(holds(heading(Method::Fa3, Score, later_visit), "STEP_BEGIN(Score, j)"));
  CHECK(holds(heading(Method::Fa3, Accumulate, [](const Step& s) { return s.j == 0; }), "STEP(Accumulate, 0)"));
  CHECK(holds(heading(Method::Fa3, Accumulate, [](const Step& s) { return s.j > 0; }), "STEP_BEGIN(Accumulate"));
  CHECK(holds(heading(Method::Fa1, StoreO, [](const Step& s) { return !s.has(Step::kOutput); }), "in_memory.store_o"));
  CHECK_FALSE(holds(heading(Method::Fa1, StoreO, [](const Step& s) { return s.has(Step::kOutput); }), "waiting"));
  CHECK(holds(heading(Method::Fa1, StoreLse, any), "store_lse("));
  CHECK(heading(Method::Standard, Score, any).empty());  // cuBLAS
  CHECK(holds(heading(Method::Standard, RowSum, any), "STEP(RowSum"));
}

}  // namespace tilewalk::test_kernel_source
