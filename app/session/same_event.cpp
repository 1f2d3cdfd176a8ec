#include "app/session/same_event.h"

#include "app/session/transport.h"
#include "core/playback/row_trace.h"
#include "core/playback/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

namespace tilewalk {
namespace {

constexpr int64_t kMostLooked = 200'000;  // steps that are gone through, all of them together

bool alike(const Step& a, const Step& b) { return a.kind == b.kind && same_visit(a, b); }

// Whether the K tile of another visit has come since that one: then its alpha is past.
bool next_has_come(const std::vector<Step>& steps, int64_t at, const RowTrace::Visit& visit) {
  const StepKind made = steps[size_t(visit.step - 1)].kind;
  if (made != StepKind::RowMax && made != StepKind::RowSum) return false;
  for (int64_t k = at; k-- > 0;)
    if (steps[size_t(k)].kind == StepKind::LoadK) return steps[size_t(k)].j != visit.j;
  return false;
}

// How near a step is to being the one that was: of its visit, of its kind, or any.
int nearness(const Step& now, const Step& was) { return same_visit(now, was) ? 0 : now.kind == was.kind ? 1 : 2; }

// How far a step is from being the one that was: of the same kind before any other, in the same row of tiles before one
// beside it. Nothing in common: no distance at all.
int64_t distance(const Step& now, const Step& was) {
  constexpr int64_t kRow = 1 << 20, kKind = int64_t{1} << 40;
  if (same_visit(now, was) && now.kind != was.kind) return kRow - 1;  // the visit is the same
  if (now.kind != was.kind) return kKind;
  return std::abs(int64_t{now.i} - was.i) * kRow + std::abs(int64_t{now.j} - was.j);
}

// Steps that are about the same in a backward pass that does otherwise, the nearest first: P is made again by one, read
// by another.
std::span<const StepKind> kin_of(StepKind kind) {
  using enum StepKind;
  static constexpr std::array kScores{Score, LoadP};
  static constexpr std::array kWeights{Recompute, NormalizeP, Exponentiate, LoadP};
  static constexpr std::array kShares{AddDQ, StoreDQ, AccumulateDQ};
  static constexpr std::array kSums{DotO, DotP};
  static constexpr std::array kOfP{GradientP, LoadDP};
  static constexpr std::array kOfS{GradientS, LoadDS};
  switch (kind) {
    case Score: return kScores;
    case Recompute:
    case NormalizeP:
    case Exponentiate:
    case LoadP: return kWeights;
    case AddDQ:
    case StoreDQ: return kShares;
    case DotO:
    case DotP: return kSums;
    case StoreDP:
    case LoadDP: return kOfP;
    case StoreDS:
    case LoadDS: return kOfS;
    default: return {};
  }
}

// Where a backward walk is about the same of the same two tiles; nothing where it is not.
std::optional<int64_t> kin_step(const Step& was, const Walk& walk) {
  const std::vector<Step>& steps = walk.replay.steps();
  if (!walk.schedule.backward()) return std::nullopt;
  for (const StepKind kind : kin_of(was.kind)) {
    const auto found =
        std::ranges::find_if(steps, [&](const Step& step) { return step.kind == kind && same_visit(step, was); });
    if (found != steps.end()) return found - steps.begin() + 1;
  }
  return std::nullopt;
}

// Whether the part that ends here has a rescale of its visit.
bool has_rescale(const std::vector<Step>& steps, int64_t at) {
  const int64_t from = at > 0 ? unit_back(steps, at, Unit::Part) : 0;
  return std::any_of(steps.begin() + from, steps.begin() + at, [&](const Step& step) {
    return step.kind == StepKind::Rescale && same_visit(step, steps[size_t(at - 1)]);
  });
}

void stand_on_step(const WalkEvent& event, const Session& session, ViewState& view) {
  const Walk& walk = session.walk();
  const std::vector<Step>& steps = walk.replay.steps();
  if (!event.step || steps.empty()) return seek(walk, view, 0);
  int64_t nearest = std::numeric_limits<int64_t>::max(), best = -1, seen = 0;
  for (size_t k = 0; k < steps.size(); ++k) {
    if (alike(steps[k], *event.step) && seen++ == event.nth) return seek(walk, view, int64_t(k) + 1);
    const int64_t off = distance(steps[k], *event.step);
    if (off <= nearest) nearest = off, best = int64_t(k);
  }
  if (const auto kin = kin_step(*event.step, walk)) return seek(walk, view, *kin);
  const bool nothing_alike = nearest >= int64_t{1} << 40;
  seek(walk, view, nothing_alike ? int64_t(std::lround(event.share * double(steps.size()))) : best + 1);
}

}  // namespace

bool same_visit(const Step& a, const Step& b) { return a.i == b.i && a.j == b.j; }

WalkEvent event_now(const Session& session, const ViewState& view) {
  WalkEvent event;
  event.row = view.row;
  const Replay& replay = session.walk().replay;
  const std::vector<Step>& steps = replay.steps();
  const int64_t at = std::clamp<int64_t>(view.playhead, 0, replay.length());
  if (at == 0) return event;
  event.step = steps[size_t(at - 1)];
  event.share = double(at) / double(replay.length());
  event.nth =
      std::count_if(steps.begin(), steps.begin() + at - 1, [&](const Step& s) { return alike(s, *event.step); });
  if (session.walk().schedule.backward()) return event;
  const Tiling& t = session.walk().plan().tiling;
  const int64_t tile = event.step->i, row = tile * t.br + std::min(view.row % t.br, t.rows(tile) - 1);
  const RowTrace trace = trace_row(replay, at, row);
  if (trace.visits.size() + size_t(trace.open.has_value()) < 2) return event;
  const RowTrace::Visit& last = trace.open ? *trace.open : trace.visits.back();
  if (!next_has_come(steps, at, last)) event.rescales = last.alpha < 1;
  event.shrinks = event.rescales == true && has_rescale(steps, at);
  return event;
}

bool shrinks_zero(const Session& session, const ViewState& view) {
  if (!event_now(session, view).shrinks) return false;
  Replay& replay = session.walk().replay;
  const Tiling& t = session.walk().plan().tiling;
  const int64_t tile = replay.steps()[size_t(view.playhead - 1)].i;
  const Resident* o = replay.at(unit_back(replay.steps(), view.playhead, Unit::Part)).find(Tensor::O);
  return o && o->data && o->data->at(std::min(view.row % t.br, t.rows(tile) - 1), 0) == 0;
}

void stand_on(const WalkEvent& event, const Session& session, ViewState& view) {
  stand_on_step(event, session, view);
  const std::vector<Step>& steps = session.walk().replay.steps();
  if (!event.shrinks || view.playhead < 1 || has_rescale(steps, view.playhead)) return;
  // By another schedule the rescale may be a part of its own.
  const auto found = std::ranges::find_if(
      steps, [&](const Step& step) { return step.kind == StepKind::Rescale && same_visit(step, *event.step); });
  if (found != steps.end()) seek(session.walk(), view, found - steps.begin() + 1);
}

bool follow_event(const WalkEvent& event, const Session& session, ViewState& view) {
  if (event.rescales != true || event_now(session, view).rescales == true) return false;
  const Walk& walk = session.walk();
  if (view.playhead < 1 || walk.schedule.backward()) return false;
  const Tiling& t = walk.plan().tiling;
  const int64_t tile = walk.replay.steps()[size_t(view.playhead - 1)].i, first = tile * t.br, rows = t.rows(tile);
  const int64_t followed = view.row, own = std::min(followed % t.br, rows - 1);
  for (int64_t off = 1; off < rows; ++off)
    for (const int64_t row : {own + off, own - off}) {
      if (row < 0 || row >= rows) continue;
      view.row = first + row;
      if (event_now(session, view).rescales == true) return true;
    }
  view.row = followed;
  return false;
}

bool seek_event(const WalkEvent& event, const Session& session, ViewState& view) {
  if (event.rescales != true || session.walk().schedule.backward()) return false;
  const std::vector<Step>& steps = session.walk().replay.steps();
  const int64_t stands = view.playhead, follows = view.row, length = int64_t(steps.size());
  for (const int near : {0, 1, 2})
    for (int64_t off = 1, looked = 0; off < length && looked < kMostLooked; ++off)
      for (const int64_t at : {stands - off, stands + off}) {
        if (at < 1 || at > length || nearness(steps[size_t(at - 1)], *event.step) != near) continue;
        looked += at;
        seek(session.walk(), view, at);
        view.row = event.row;
        if (event_now(session, view).rescales == true || follow_event(event, session, view)) return true;
      }
  seek(session.walk(), view, stands);
  view.row = follows;
  return false;
}

}  // namespace tilewalk
