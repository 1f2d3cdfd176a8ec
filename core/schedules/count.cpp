#include "core/schedules/count.h"

#include "core/io/effort.h"

#include <unordered_map>

namespace tilewalk {
namespace {

class Counter : public StepSink {
 public:
  Counter(const Plan& plan, size_t passes) : plan_(plan), passes_(passes) {}

  void take(const Step& step) override {
    spend(2);
    passes_[step.pass] += weight_ == 1 ? cost_of(step, plan_) : cost_of(step, plan_).times(weight_);
  }
  int64_t fold(int64_t alike) override { return weight_ = alike; }

  std::vector<Meters>& passes() { return passes_; }

 private:
  const Plan& plan_;
  std::vector<Meters> passes_;
  int64_t weight_ = 1;
};

class KindCounter : public StepSink {
 public:
  void take(const Step& step) override {
    spend();
    kinds[size_t(step.kind)] += weight_;
  }
  int64_t fold(int64_t alike) override { return weight_ = alike; }
  std::array<int64_t, kStepKindCount> kinds{};

 private:
  int64_t weight_ = 1;
};

// How many sections have each shape, and one section that has it.
struct Alike {
  int64_t section, times;
};
std::unordered_map<uint64_t, Alike> shapes_of(const Schedule& schedule, const Plan& plan) {
  std::unordered_map<uint64_t, Alike> shapes;
  for (int64_t s = 0; s < schedule.sections(plan); ++s) {
    spend();
    shapes.try_emplace(schedule.shape(plan, s), Alike{s, 0}).first->second.times++;
  }
  return shapes;
}

}  // namespace

Count count(const Schedule& schedule, const Plan& plan) {
  Count out{{}, std::vector<Meters>(schedule.passes.size())};
  for (const auto& [shape, alike] : shapes_of(schedule, plan)) {
    Counter counter(plan, schedule.passes.size());
    schedule.emit(plan, alike.section, counter);
    for (size_t pass = 0; pass < out.passes.size(); ++pass)
      out.passes[pass] += counter.passes()[pass].times(alike.times);
  }
  for (const Meters& pass : out.passes) out.total += pass;
  return out;
}

std::array<int64_t, kStepKindCount> count_kinds(const Schedule& schedule, const Plan& plan) {
  std::array<int64_t, kStepKindCount> out{};
  for (const auto& [shape, alike] : shapes_of(schedule, plan)) {
    KindCounter counter;
    schedule.emit(plan, alike.section, counter);
    for (size_t kind = 0; kind < out.size(); ++kind) out[kind] += alike.times * counter.kinds[kind];
  }
  return out;
}

}  // namespace tilewalk
