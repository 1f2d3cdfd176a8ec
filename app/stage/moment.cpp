#include "app/stage/moment.h"

#include "app/stage/pieces.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

Moment moment_at(Walk& walk, int64_t from, int64_t playhead, float phase, int64_t row) {
  Moment m;
  m.walk = &walk;
  m.playhead = std::clamp<int64_t>(playhead, 0, walk.replay.length());
  m.from = std::clamp<int64_t>(from, 0, m.playhead);
  m.phase = phase;
  m.before = walk.replay.at(m.from);
  m.after = walk.replay.at(m.playhead);
  m.steps = std::span(walk.replay.steps()).subspan(size_t(m.from), size_t(m.playhead - m.from));
  m.place = place_of(walk.replay.steps(), m.playhead);

  // The followed row lies in the Q tile on chip, at the same height in each tile.
  const Tiling& t = walk.plan().tiling;
  const int64_t next = std::min<int64_t>(m.playhead, walk.replay.length() - 1);
  m.tile = m.step() ? m.step()->i : walk.replay.steps()[size_t(next)].i;
  m.row = std::min(row % t.br, t.rows(m.tile) - 1);
  m.words = narrate(m.steps, m.before, m.after, walk.plan(), walk.schedule, m.row);
  return m;
}

using enum StepKind;

// How far a step is on the way of one tile through the algorithm, in any schedule.
int rank_of(StepKind kind) {
  switch (kind) {
    case LoadQ:
    case LoadK:
    case LoadV:
    case LoadO:
    case LoadStats:
    case InitO:
    case InitStats:
    case Denormalize: return 0;  // of FA1, as O comes in
    case Score: return 1;
    case Mask: return 2;
    case StoreS: return 3;
    case LoadS: return 4;
    case RowMax: return 5;
    case Exponentiate: return 6;
    case RowSum: return 7;
    case NormalizeP: return 8;
    case StoreP: return 9;
    case LoadP: return 10;
    case Rescale: return 11;
    case Accumulate: return 12;
    case Normalize: return 13;
    case LogSumExp: return 14;
    case Convert:
    case StoreO:
    case StoreStats:
    case StoreLse: return 15;
    // A backward walk stands alone: the order of its steps is enough.
    case LoadDO:
    case LoadLse:
    case LoadD:
    case LoadDQ:
    case InitDQ:
    case InitDK:
    case InitDV:
    case DotO: return 0;
    case Recompute:
    case AccumulateDV:
    case GradientP:
    case StoreDP:
    case LoadDP:
    case DotP:
    case GradientS:
    case StoreDS:
    case LoadDS:
    case AccumulateDQ:
    case AccumulateDK:
    case ConvertDQ:
    case StoreD:
    case StoreDQ:
    case AddDQ:
    case StoreDK:
    case StoreDV: return 16 + int(kind) - int(Recompute);
    case LoadPart: return 0;
    case MergeMax: return 5;
    case MergeWeight: return 6;
    case MergeSum: return 7;
    case MergeOut: return 12;
    case StorePart: return 15;
  }
  return 0;
}

// The playhead of `other` that goes with `step`: where the same tiles have had the same kind of step, else the last of
// what comes before it; 0 where they never meet. What a visit brings comes together: schedules order it differently.
int64_t match_of(const std::vector<Step>& other, const Step& step) {
  int64_t same = 0, before = 0;
  int best = -1;
  for (int64_t k = 0; k < int64_t(other.size()); ++k) {
    const Step& s = other[size_t(k)];
    if (s.i != step.i || s.j != step.j) continue;
    if (s.kind == step.kind) same = k + 1;
    const int rank = rank_of(s.kind);
    if (rank <= rank_of(step.kind) && rank >= best) best = rank, before = k + 1;
  }
  const auto brought = [&](const Step& s) { return s.i == step.i && s.j == step.j && rank_of(s.kind) == 0; };
  if (same && rank_of(step.kind) == 0)
    while (same < int64_t(other.size()) && brought(other[size_t(same)])) ++same;
  return same ? same : before;
}

// The step that says where a unit is: its last, but the first load where its last line does nothing but bring tiles.
const Step& telling_step(const Moment& m) {
  const int64_t part = unit_back(m.walk->replay.steps(), m.playhead, Unit::Part);
  const auto line = std::span(m.walk->replay.steps()).subspan(size_t(part), size_t(m.playhead - part));
  const bool brings = std::all_of(line.begin(), line.end(), [](const Step& s) { return rank_of(s.kind) == 0; });
  return brings ? line.front() : line.back();
}

// Whether no tile is scored up to the end of kernel `pass`.
bool prepares(const std::vector<Step>& steps, size_t pass) {
  const auto first = std::ranges::find(steps, StepKind::Score, &Step::kind);
  return first != steps.end() && first->pass > pass;
}

}  // namespace

bool Moment::moves(Tensor tensor) const {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& s) {
    const auto moved = moved_tensors(s.kind);
    return moved[0] == tensor || moved[1] == tensor;
  });
}

Moment moment_of(Walk& walk, const ViewState& view) {
  return moment_at(walk, view.from, view.playhead, view.phase, view.row);
}

Moment matching_moment(Walk& other, const Moment& first, const ViewState& view) {
  const std::vector<Step>& steps = other.replay.steps();
  const auto rest_at = [&](int64_t playhead, float phase) {
    return moment_at(other, unit_back(steps, playhead, Unit::Part), playhead, phase, view.row);
  };
  if (!first.step()) return moment_at(other, 0, 0, view.phase, view.row);
  if (first.playhead >= first.walk->replay.length()) return rest_at(other.replay.length(), view.phase);
  if (left_out(view, "pairing")) {  // each at its own pace: as many lines as the first has taken
    const std::vector<Step>& taken = first.walk->replay.steps();
    int64_t mine = 0, playhead = 0;
    while (playhead < first.playhead && mine < other.replay.length()) {
      playhead = unit_forward(taken, playhead, Unit::Part);
      mine = unit_forward(steps, mine, Unit::Part);
    }
    Moment m = rest_at(mine, playhead < first.playhead ? 1 : view.phase);
    if (playhead >= first.playhead) return m;
    m.words = {};
    m.waits = true;
    m.words.caption = fmt::format("{} is done: O is in memory.", other.schedule.name);
    return m;
  }

  const Step& here = telling_step(first);
  // A kernel that only prepares, FA1's initialise, in front of tiles that the other one meets at once.
  if (prepares(first.walk->replay.steps(), here.pass) && !prepares(steps, 0)) {
    Moment m = moment_at(other, 0, 0, 1, view.row);
    m.words = {};
    m.waits = true;
    m.words.caption = fmt::format("{} starts with its tiles: it waits.", other.schedule.name);
    return m;
  }
  if (const int64_t playhead = match_of(steps, here)) return rest_at(playhead, view.phase);

  // Tiles that the other one leaves out: it stays at the last ones that both have met.
  const std::vector<Step>& all = first.walk->replay.steps();
  const Tiling& t = other.plan().tiling;
  std::vector<bool> met(size_t(t.tr * t.tc));
  for (const Step& s : steps) met[size_t(s.i * t.tc + s.j)] = true;
  int64_t k = first.playhead - 1;
  while (k >= 0 && !met[size_t(all[size_t(k)].i * t.tc + all[size_t(k)].j)]) --k;
  Moment m = rest_at(k < 0 ? 0 : match_of(steps, all[size_t(k)]), 1);
  m.words = {};
  m.waits = true;
  m.words.caption =
      fmt::format("{} never meets Q tile {} and K tile {}: it waits.", other.schedule.name, here.i + 1, here.j + 1);
  return m;
}

std::string whereabouts(const Moment& moment) {
  const Schedule& schedule = moment.walk->schedule;
  if (schedule.passes.size() < 2 || !moment.step()) return {};
  // What FA1 prepares is no kernel beside the one that has all its tiles.
  if (!schedule.backward() && prepares(moment.walk->replay.steps(), 0)) return {};
  const size_t pass = moment.step()->pass;
  return fmt::format("{} is in kernel {} of {}: {}", schedule.name, pass + 1, schedule.passes.size(),
                     schedule.passes[pass]);
}

}  // namespace tilewalk
