#include "core/schedules/schedule.h"

#include "core/io/embedded.h"
#include "core/schedules/count.h"
#include "core/schedules/own.h"
#include "core/walk/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tilewalk {
namespace {

WalkProgram shipped(std::string_view key) {
  WalkRead read = read_walk(embedded_file(fmt::format("core/schedules/{}.walk", key)));
  if (!read.program)
    throw std::logic_error(fmt::format("{}.walk:{}: {}", key, read.faults[0].line, read.faults[0].message));
  return *std::move(read.program);
}

Schedule shipped_schedule(const MethodInfo& method) {
  std::vector<WalkProgram> programs;
  programs.push_back(shipped(method.key));
  for (const std::string_view key : method.walk.more)
    if (!key.empty()) programs.push_back(shipped(key));
  return schedule_of_programs(method, std::move(programs));
}

const std::vector<Schedule>& registry() {
  static const std::vector<Schedule> all = [] {
    std::vector<Schedule> made;
    for (const MethodInfo& method : all_methods())
      if (method.has_text()) made.push_back(shipped_schedule(method));
    return made;
  }();
  return all;
}

// Those of a direction, the relatives aside, follow each other.
std::span<const Schedule> that_compare(Direction direction) {
  const auto is = [&](const Schedule& s) { return s.direction == direction && !is_beside(s.id); };
  const auto& all = registry();
  const auto first = std::ranges::find_if(all, is);
  return {first, std::find_if_not(first, all.end(), is)};
}

// A long walk's steps get their place at once, so that they are never held twice.
class Collector : public StepSink {
 public:
  Collector(const Schedule& schedule, const Plan& plan) : schedule_(schedule), plan_(plan) {}

  void take(const Step& step) override {
    constexpr size_t kMany = 1 << 16;
    if (steps.size() == kMany) {
      const auto kinds = count_kinds(schedule_, plan_);
      steps.reserve(size_t(std::accumulate(kinds.begin(), kinds.end(), int64_t{0})));
    }
    steps.push_back(step);
  }
  std::vector<Step> steps;

 private:
  const Schedule& schedule_;
  const Plan& plan_;
};

}  // namespace

std::span<const Schedule> schedules() { return that_compare(Direction::Forward); }
std::span<const Schedule> backward_schedules() { return that_compare(Direction::Backward); }
std::span<const Schedule> all_schedules() { return registry(); }
const Schedule& schedule_of(Method method) {
  return *std::ranges::find(registry(), info_of(method).walk.text, &Schedule::id);
}

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
  Collector all(schedule, plan);
  for (int64_t s = 0; s < schedule.sections(plan); ++s) schedule.emit(plan, s, all);
  return std::move(all.steps);
}

}  // namespace tilewalk
