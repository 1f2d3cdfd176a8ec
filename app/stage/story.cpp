#include "app/stage/story.h"

#include "core/machine/cost.h"
#include "core/playback/row_view.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr int64_t kMostSteps = 8;  // a part has fewer

// Whether a step reads this tensor beside what it writes: what is changed in place, or makes room for its result, is no
// operand of its own.
bool is_operand(Tensor tensor, const Touched& touched) {
  return tensor != kNoTensor &&
         std::ranges::none_of(touched.writes, [&](Tensor made) { return share_registers(tensor, made); });
}

float ease_in_out(float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

}  // namespace

const Story::Move* Story::move_of(Tensor tensor) const {
  for (const Move& move : moves)
    if (move.tensor == tensor) return &move;
  return nullptr;
}

Story story_of(const Moment& moment) {
  Story story;
  const std::vector<Step>& all = moment.walk->replay.steps();
  if (!moment.step()) {
    if (!all.empty()) story.i = all.front().i, story.j = all.front().j;
    return story;
  }
  const Step& last = *moment.step();
  story.any = true;
  story.i = last.i;
  story.j = last.j;
  story.slot = last.slot;

  // Only the last line counts where more than a part is on show.
  const auto same_line = [&](const Step& s) {
    return s.pass == last.pass && s.section == last.section && s.visit == last.visit && s.line == last.line;
  };
  size_t first = moment.steps.size();
  while (first > 0 && same_line(moment.steps[first - 1])) --first;
  story.leap = first > 0 || int64_t(moment.steps.size() - first) > kMostSteps;
  // A row of tiles is one part of a softmax pass: its last tile stands for it.
  if (int64_t(moment.steps.size() - first) > kMostSteps) first = moment.steps.size() - 1;

  const Plan& plan = moment.walk->plan();
  for (size_t n = first; n < moment.steps.size(); ++n) {
    const Step& step = moment.steps[n];
    const Touched touched = touched_by(step);
    story.kinds[size_t(step.kind)] = true;
    for (Tensor t : touched.reads)
      if (is_operand(t, touched)) story.parts[size_t(t)] = std::max(story.parts[size_t(t)], Part::Operand);
    for (Tensor t : touched.writes)
      if (t != kNoTensor) story.parts[size_t(t)] = Part::Target;

    const Engine engine = info_of(step.kind).engine;
    if (engine != Engine::Load && engine != Engine::Store) continue;
    for (Tensor t : moved_tensors(step.kind)) {
      if (t == kNoTensor) continue;
      story.parts[size_t(t)] = Part::Target;
      const bool load = engine == Engine::Load;
      const int64_t bytes = shape_of(t, step.i, step.j, plan.tiling).elements() * memory_bytes(t, step, plan);
      const int64_t index = moment.from + int64_t(n);
      story.moves.push_back({t, step.i, step.j, load, load && moment.walk->l2.hit(index), bytes});
    }
  }
  return story;
}

std::array<bool, kTensorCount> tensors_of_line(const Moment& moment, int line) {
  constexpr int64_t kNear = 64;  // steps: more than a visit has
  std::array<bool, kTensorCount> touched{};
  const std::vector<Step>& steps = moment.walk->replay.steps();
  const int64_t begin = std::max<int64_t>(0, moment.playhead - kNear);
  const int64_t end = std::min<int64_t>(int64_t(steps.size()), moment.playhead + kNear);
  for (int64_t k = begin; k < end; ++k) {
    if (steps[size_t(k)].line != line) continue;
    const Touched all = touched_by(steps[size_t(k)]);
    const bool stores = info_of(steps[size_t(k)].kind).engine == Engine::Store;
    for (Tensor t : all.reads)
      if (stores ? t != kNoTensor : is_operand(t, all)) touched[size_t(t)] = true;
    for (Tensor t : all.writes)
      if (t != kNoTensor) touched[size_t(t)] = true;
  }
  return touched;
}

const WalkNest* nest_on_show(const Moment& moment) {
  if (!moment.step()) return nullptr;
  const Walk& walk = *moment.walk;
  const std::vector<WalkNest>& nests = walk.schedule.forms[walk.plan().variant.form].program->nests;
  const auto nest = std::ranges::find(nests, moment.step()->pass, &WalkNest::pass);
  return nest == nests.end() ? nullptr : &*nest;
}

int32_t shown_slot(const Moment& moment, const Story& story, Tensor tensor, StepKind load) {
  const WalkNest* nest = nest_on_show(moment);
  if (nest && nest->keeps_row)
    if (const Resident* tile = resident_of(moment.after, tensor, story.i, story.j)) return tile->slot;
  return newest_slot(*moment.walk, moment.playhead, load);
}

Progression timing_of(const Moment& moment, const Story& story, const ViewState& view) {
  const float phase = std::clamp(moment.phase, 0.0f, 1.0f);
  Progression timing;
  if (phase >= 1 || moment.steps.empty()) return timing;
  const bool travels = !story.moves.empty() && !story.leap && !view.reduced_motion;
  timing.moving = travels;
  timing.travel = travels ? ease_in_out(phase / 0.8f) : 1;
  timing.values = travels                             ? std::clamp((phase - 0.7f) / 0.3f, 0.0f, 1.0f)
                  : view.reduced_motion || story.leap ? phase
                                                      : ease_in_out((phase - 0.1f) / 0.8f);
  return timing;
}

}  // namespace tilewalk
