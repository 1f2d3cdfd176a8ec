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

Schedule schedule_of_programs(const MethodInfo& method, std::vector<WalkProgram> programs) {
  Schedule schedule{
      .id = method.id, .name = method.name, .key = method.key, .title = method.walk.title, .way = method.walk.way};
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
  return schedule;
}

Variant Schedule::variant(VariantId id, const Problem& p) const {
  Variant out{.o_between_visits = p.format, .dq_between_visits = way.rounds_dq ? p.format : Format::Float32};
  if (id == VariantId::Paper) return out;
  if (way.wide_o) out.o_between_visits = Format::Float32;
  out.last_to_first = way.last_to_first, out.form = way.form, out.p_over_s = way.p_over_s;
  return out;
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
  const bool added = adds_dq(program);
  std::vector<WalkProgram> one;
  one.push_back(std::move(program));
  Schedule schedule = schedule_of_programs(info_of(Method::Own), std::move(one));
  schedule.way.rounds_dq = !added;  // what several blocks add up in memory is in fp32, as the kernels have it
  return schedule;
}

}  // namespace tilewalk
