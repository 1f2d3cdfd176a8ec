#include "app/session/transport.h"

#include <algorithm>
#include <limits>

namespace tilewalk {
namespace {

constexpr float kLong = 1000;  // seconds; counters stop here

float animation_seconds(const ViewState& view) {
  return view.reduced_motion ? kReducedSeconds : kMoveSeconds / view.speed;
}

float unit_seconds(const Walk& walk, const ViewState& view) {
  return (max_rises(walk, view) ? kRiseSeconds : kPartSeconds) / view.speed;
}

void rest(ViewState& view) {
  view.phase = 1;
  view.shown_for = kLong;
}

bool tip_waits(const ViewState& view) {
  return !view.hover.empty() && view.hover_for >= 0 && view.hover_for < kTipDelay && view.held.empty();
}

}  // namespace

void seek(const Walk& walk, ViewState& view, int64_t playhead) {
  view.playhead = std::clamp<int64_t>(playhead, 0, walk.replay.length());
  view.from = unit_back(walk.replay.steps(), view.playhead, Unit::Part);
  view.playing = false;
  view.play_to = -1;
  view.source.scroll = -1;
  rest(view);
}

void step_forward(const Walk& walk, ViewState& view, Unit unit) {
  const int64_t next = unit_forward(walk.replay.steps(), view.playhead, unit);
  if (next == view.playhead) return rest(view);
  view.from = view.playhead;
  view.playhead = next;
  view.source.scroll = -1;
  view.shown_for = 0;
  view.phase = 0;
  const bool snap = view.speed >= kFastest || (!view.playing && view.since_step < kRepeatSeconds);
  if (snap) view.phase = 1;
  if (snap && !view.playing) view.shown_for = kLong;
  view.since_step = 0;
}

void step_back(const Walk& walk, ViewState& view, Unit unit) {
  seek(walk, view, unit_back(walk.replay.steps(), view.playhead, unit));
  view.since_step = 0;
}

void go_to_mark(const Walk& walk, ViewState& view, int64_t step) {
  seek(walk, view, step);
  // A rise is seen on a row whose max rises.
  for (const Marker& marker : walk.replay.markers())
    if (marker.kind == Marker::MaxRose && marker.step == step) view.row = marker.first_row;
}

int64_t mark_from(const Walk& walk, const ViewState& view, int by) {
  int64_t found = -1;  // the marks are in the order of their steps
  for (const Marker& marker : walk.replay.markers()) {
    if (by > 0 && marker.step > view.playhead) return marker.step;
    if (by < 0 && marker.step < view.playhead) found = marker.step;
  }
  return found;
}

void replay_unit(ViewState& view) {
  if (view.playhead == view.from) return;
  view.phase = 0;
  view.shown_for = 0;
}

void toggle_play(const Walk& walk, ViewState& view) {
  if (view.playing) {
    view.playing = false;
    return;
  }
  if (view.playhead >= walk.replay.length()) seek(walk, view, 0);
  view.playing = true;
  view.play_to = -1;
  step_forward(walk, view, Unit::Part);
}

void play_to(const Walk& walk, ViewState& view, int64_t playhead) {
  if (playhead <= view.playhead) return seek(walk, view, playhead);
  view.playing = true;
  view.play_to = std::min(playhead, walk.replay.length());
  step_forward(walk, view, Unit::Part);
}

bool max_rises(const Walk& walk, const ViewState& view) {
  const std::vector<Marker>& markers = walk.replay.markers();
  auto it = std::upper_bound(markers.begin(), markers.end(), view.from,
                             [](int64_t step, const Marker& m) { return step < m.step; });
  for (; it != markers.end() && it->step <= view.playhead; ++it)
    if (it->kind == Marker::MaxRose) return true;
  return false;
}

bool pass(ViewState& view, float seconds, float unit) {
  view.since_step = std::min(kLong, view.since_step + seconds);
  if (!view.hover.empty() && view.hover_for >= 0) view.hover_for = std::min(kLong, view.hover_for + seconds);
  view.shown_for = std::min(kLong, view.shown_for + seconds);
  if (view.phase < 1) view.phase = std::clamp(view.shown_for / animation_seconds(view), 0.0f, 1.0f);
  return view.playing && view.phase >= 1 && view.shown_for >= unit;
}

void advance(const Walk& walk, ViewState& view, float seconds) {
  if (!pass(view, seconds, unit_seconds(walk, view))) return;
  if (view.playhead >= walk.replay.length() || (view.play_to >= 0 && view.playhead >= view.play_to)) {
    view.playing = false;
    view.play_to = -1;
  } else {
    step_forward(walk, view, Unit::Part);
  }
}

float seconds_to_change(const Walk& walk, const ViewState& view) {
  return seconds_to_change(view, unit_seconds(walk, view));
}

float seconds_to_change(const ViewState& view, float unit) {
  if (view.phase < 1) return 0;
  float wait = std::numeric_limits<float>::infinity();
  if (view.playing) wait = std::max(0.0f, unit - view.shown_for);
  if (tip_waits(view)) wait = std::min(wait, kTipDelay - view.hover_for);
  return wait;
}

}  // namespace tilewalk
