#include "core/schedules/own.h"

#include "core/machine/cost.h"
#include "core/schedules/schedule.h"
#include "core/walk/interpret.h"

#include <algorithm>

namespace tilewalk {
namespace {

template <class Which>
bool any_step(const std::vector<WalkNode>& nodes, Which&& which) {
  return std::ranges::any_of(nodes, [&](const WalkNode& node) {
    return (node.type == WalkNode::Type::Step && which(node)) || any_step(node.body, which) ||
           any_step(node.otherwise, which);
  });
}

bool moves_scores(const WalkNode& node) {
  const Tensor moved = moved_tensors(node.kind)[0];
  return moved != kNoTensor && is_scores(moved);
}
bool makes_gradients(const WalkNode& node) {
  using enum StepKind;
  constexpr StepKind kAll[] = {InitDQ, InitDK, InitDV, AccumulateDQ, AccumulateDK, AccumulateDV, GradientP, GradientS};
  return std::ranges::find(kAll, node.kind) != std::end(kAll);
}

bool adds_dq(const WalkProgram& program) {
  return std::ranges::any_of(program.nests, [](const WalkNest& nest) {
    return any_step(nest.loop.body, [](const WalkNode& node) { return node.kind == StepKind::AddDQ; });
  });
}

// The lines of a program for one order of its loops.
std::vector<std::string> lines_of(const WalkProgram& program, std::string_view order) {
  constexpr std::string_view kAny = ", in any order";
  std::vector<std::string> lines = program.code;
  for (std::string& line : lines)
    if (const size_t at = line.find(kAny); at != std::string::npos) line.replace(at, kAny.size(), order);
  return lines;
}

}  // namespace

void take_programs(Schedule& schedule, std::vector<WalkProgram> programs) {
  bool keys_first = false;
  for (WalkProgram& made : programs) {
    auto program = std::make_shared<WalkProgram>(std::move(made));
    for (WalkNest& nest : program->nests) {
      const std::string_view name = program->passes[nest.pass];
      const auto known = std::ranges::find(schedule.passes, name);
      nest.pass = uint8_t(known - schedule.passes.begin());
      if (known == schedule.passes.end()) schedule.passes.push_back(name);
      const std::vector<WalkNode>& body = nest.loop.body;
      schedule.scores_in_memory |= any_step(body, moves_scores);
      if (any_step(body, makes_gradients)) schedule.direction = Direction::Backward;
      keys_first |= nest.loop.loop.axis == TileAxis::Keys && !nest.inner.empty();
    }
    schedule.section_is_block = program->parallel();
    ScheduleForm form{.first_to_last = lines_of(*program, ""), .last_to_first = lines_of(*program, ", last to first")};
    form.program = std::move(program);
    schedule.forms.push_back(std::move(form));
  }
  schedule.keys_outside = keys_first && !schedule.scores_in_memory;
}

std::span<const std::string> Schedule::code(const Variant& v) const {
  return v.last_to_first ? forms[v.form].last_to_first : forms[v.form].first_to_last;
}
int64_t Schedule::splits(const Plan& plan) const { return walk_splits(*forms[plan.variant.form].program, plan); }
int64_t Schedule::sections(const Plan& plan) const { return walk_sections(*forms[plan.variant.form].program, plan); }
uint64_t Schedule::shape(const Plan& plan, int64_t section) const {
  return walk_shape(*forms[plan.variant.form].program, plan, section);
}
void Schedule::emit(const Plan& plan, int64_t section, StepSink& sink) const {
  walk_section(*forms[plan.variant.form].program, plan, section, sink);
}

Schedule own_schedule(WalkProgram program) {
  Schedule schedule{.id = ScheduleId::Own, .name = "Own", .key = "own", .title = "a schedule of your own"};
  // What several blocks add up in memory is in fp32, as the kernels have it.
  if (adds_dq(program))
    schedule.variant = [](VariantId, const Problem& p) { return Variant{.o_between_visits = p.format}; };
  else
    schedule.variant = [](VariantId, const Problem& p) {
      return Variant{.o_between_visits = p.format, .dq_between_visits = p.format};
    };
  std::vector<WalkProgram> one;
  one.push_back(std::move(program));
  take_programs(schedule, std::move(one));
  return schedule;
}

}  // namespace tilewalk
