#include "core/schedules/schedule.h"

#include <array>

namespace tilewalk {
namespace {

// The table of schedules: a new one is a file and a row here.
constexpr size_t kForward = 4;  // rows that come first
const std::array<Schedule, 7>& registry() {
  static const std::array<Schedule, 7> rows{kStandardSchedule, kFa1Schedule, kFa2Schedule, kFa3Schedule,
                                            kStandardBackward, kFa1Backward, kFa2Backward};
  return rows;
}

class Collector : public StepSink {
 public:
  void take(const Step& step) override { steps.push_back(step); }
  std::vector<Step> steps;
};

}  // namespace

std::span<const Schedule> schedules() { return all_schedules().first(kForward); }
std::span<const Schedule> backward_schedules() { return all_schedules().subspan(kForward); }
std::span<const Schedule> all_schedules() { return registry(); }
const Schedule& schedule_of(ScheduleId id) { return registry()[size_t(id)]; }

const Schedule* schedule_named(std::string_view key) {
  for (const Schedule& schedule : registry())
    if (schedule.key == key) return &schedule;
  return nullptr;
}

std::string_view name_of(VariantId variant) { return variant == VariantId::Paper ? "paper" : "kernel"; }

std::optional<VariantId> variant_named(std::string_view name) {
  for (VariantId v : {VariantId::Paper, VariantId::Kernel})
    if (name == name_of(v)) return v;
  return std::nullopt;
}

Plan make_plan(const Schedule& schedule, const Problem& problem, VariantId variant) {
  return {problem, Tiling(problem), schedule.variant(variant, problem)};
}

std::vector<Step> steps_of(const Schedule& schedule, const Plan& plan) {
  Collector all;
  for (int64_t s = 0; s < schedule.sections(plan); ++s) schedule.emit(plan, s, all);
  return std::move(all.steps);
}

}  // namespace tilewalk
