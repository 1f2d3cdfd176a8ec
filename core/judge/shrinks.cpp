#include "core/judge/shrinks.h"

#include "core/walk/program.h"

#include <algorithm>

namespace tilewalk {
namespace {

using Nodes = std::vector<WalkNode>;

bool stands_in(const Nodes& nodes, const Step& step) {
  return std::ranges::any_of(nodes, [&](const WalkNode& node) {
    return (node.type == WalkNode::Type::Step && node.kind == step.kind && node.line == step.line) ||
           stands_in(node.body, step) || stands_in(node.otherwise, step);
  });
}

// The innermost loop round the step.
const WalkNode& loop_round(const WalkNode& loop, const Nodes& nodes, const Step& step) {
  for (const WalkNode& node : nodes) {
    if (!stands_in(node.body, step) && !stands_in(node.otherwise, step)) continue;
    const WalkNode& inner = node.type == WalkNode::Type::Loop ? node : loop;
    return loop_round(inner, stands_in(node.body, step) ? node.body : node.otherwise, step);
  }
  return loop;
}

void look(const Nodes& nodes, Shrinks& found) {
  for (const WalkNode& node : nodes) {
    if (node.type == WalkNode::Type::Step) {
      found.sums_l |= node.kind == StepKind::RowSum;
      found.l |= node.kind == StepKind::RowSum && !(node.flags & Step::kFinalMax);
      found.sums_o |= node.kind == StepKind::Accumulate;
      found.o |= node.kind == StepKind::Rescale;
    }
    look(node.body, found);
    look(node.otherwise, found);
  }
}

bool makes_alpha(const Nodes& nodes) {
  return std::ranges::any_of(nodes, [](const WalkNode& node) {
    const bool here =
        node.type == WalkNode::Type::Step &&
        (node.kind == StepKind::MergeMax || (node.kind == StepKind::RowMax && !(node.flags & Step::kFinalMax)));
    return here || makes_alpha(node.body) || makes_alpha(node.otherwise);
  });
}

}  // namespace

Shrinks shrinks_of(const Schedule& schedule, const Variant& variant, const Step& row_max) {
  Shrinks found;
  if (variant.form >= schedule.forms.size()) return found;
  for (const WalkNest& nest : schedule.forms[variant.form].program->nests)
    if (stands_in(nest.loop.body, row_max)) {
      look(loop_round(nest.loop, nest.loop.body, row_max).body, found);
      break;
    }
  return found;
}

AlphaUse alpha_use(const Schedule& schedule, const Variant& variant) {
  if (variant.form >= schedule.forms.size()) return AlphaUse::None;
  Shrinks found;
  bool made = false;
  for (const WalkNest& nest : schedule.forms[variant.form].program->nests) {
    made |= makes_alpha(nest.loop.body);
    look(nest.loop.body, found);
  }
  return !made ? AlphaUse::None : found.l || found.o ? AlphaUse::Used : AlphaUse::Unused;
}

}  // namespace tilewalk
