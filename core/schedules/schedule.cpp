#include "core/schedules/schedule.h"

#include "core/io/embedded.h"
#include "core/schedules/count.h"
#include "core/schedules/own.h"
#include "core/walk/reader.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

namespace tilewalk {
namespace {

Variant standard(VariantId id, const Problem& p) {
  return {.o_between_visits = p.format, .p_over_s = id == VariantId::Kernel};
}
// The kernel keeps O in fp32 between visits.
Variant fa1(VariantId id, const Problem& p) {
  if (id == VariantId::Paper) return {.o_between_visits = p.format};
  return {.o_between_visits = Format::Float32, .last_to_first = true, .form = kFa1KernelForm};
}
Variant fa2(VariantId id, const Problem& p) {
  return {.o_between_visits = p.format, .last_to_first = id == VariantId::Kernel};
}
// The kernel keeps the parts of O in fp32.
Variant split_kv(VariantId id, const Problem& p) {
  const bool kernel = id == VariantId::Kernel;
  return {.o_between_visits = kernel ? Format::Float32 : p.format, .last_to_first = kernel};
}
Variant rounds_dq(VariantId, const Problem& p) { return {.o_between_visits = p.format, .dq_between_visits = p.format}; }
// The kernel meets its Q tiles last to first.
Variant adds_dq(VariantId id, const Problem& p) {
  return {.o_between_visits = p.format, .last_to_first = id == VariantId::Kernel};
}

struct Row {
  ScheduleId id;
  std::string_view name, key, title;
  Variant (*variant)(VariantId, const Problem&);
  std::vector<std::string_view> more = {};  // texts beside <key>.walk
};

// The table of schedules: a new one is a text and a row here, and a row in core/io/embedded.cpp.
const std::vector<Row>& rows() {
  using enum ScheduleId;
  static const std::vector<Row> all{
      {Standard, "Standard", "standard", "three kernels; S and P go through memory", standard},
      {Fa1, "FA1", "fa1", "K/V tiles outside, Q tiles inside; O, m, l through memory", fa1, {"fa1-kernel", "fa1-0.1"}},
      {Fa2, "FA2", "fa2", "Q tiles outside, K/V tiles inside; O stays on chip", fa2},
      {Fa3, "FA3", "fa3", "FA2 with the softmax under the next products", fa2},
      {StandardBackward, "Standard backward", "standard-backward", "five kernels; P, dP and dS go through memory",
       rounds_dq},
      {Fa1Backward, "FA1 backward", "fa1-backward", "K/V tiles outside; P made again, dQ through memory", rounds_dq},
      {Fa2Backward, "FA2 backward", "fa2-backward", "a thread block per K/V tile; P made again, dQ added up", adds_dq},
      {SplitKv, "Split KV", "split-kv", "FA2 with the keys of a row split over blocks, and merged", split_kv},
  };
  return all;
}
constexpr size_t kForward = 4, kBackward = 3;  // rows that come first, and then; what follows are relatives

WalkProgram shipped(std::string_view key) {
  WalkRead read = read_walk(embedded_file(fmt::format("core/schedules/{}.walk", key)));
  if (!read.program)
    throw std::logic_error(fmt::format("{}.walk:{}: {}", key, read.faults[0].line, read.faults[0].message));
  return *std::move(read.program);
}

const std::vector<Schedule>& registry() {
  static const std::vector<Schedule> all = [] {
    std::vector<Schedule> made;
    for (const Row& row : rows()) {
      Schedule& schedule = made.emplace_back(
          Schedule{.id = row.id, .name = row.name, .key = row.key, .title = row.title, .variant = row.variant});
      std::vector<WalkProgram> programs;
      programs.push_back(shipped(row.key));
      for (std::string_view key : row.more) programs.push_back(shipped(key));
      take_programs(schedule, std::move(programs));
    }
    return made;
  }();
  return all;
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

std::span<const Schedule> schedules() { return all_schedules().first(kForward); }
std::span<const Schedule> backward_schedules() { return all_schedules().subspan(kForward, kBackward); }
std::span<const Schedule> all_schedules() { return registry(); }
const Schedule& schedule_of(ScheduleId id) { return registry()[size_t(id)]; }

const Schedule* schedule_named(std::string_view key) {
  for (const Schedule& schedule : registry())
    if (schedule.key == key) return &schedule;
  return nullptr;
}

const Schedule& kStandardSchedule = schedule_of(ScheduleId::Standard);
const Schedule& kFa1Schedule = schedule_of(ScheduleId::Fa1);
const Schedule& kFa2Schedule = schedule_of(ScheduleId::Fa2);
const Schedule& kFa3Schedule = schedule_of(ScheduleId::Fa3);
const Schedule& kSplitKvSchedule = schedule_of(ScheduleId::SplitKv);
const Schedule& kStandardBackward = schedule_of(ScheduleId::StandardBackward);
const Schedule& kFa1Backward = schedule_of(ScheduleId::Fa1Backward);
const Schedule& kFa2Backward = schedule_of(ScheduleId::Fa2Backward);

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
