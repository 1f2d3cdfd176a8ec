#include "app/session/turn_walk.h"

#include "app/session/charts_link.h"
#include "app/session/commands.h"
#include "app/session/gpu_choices.h"
#include "app/session/present_moves.h"
#include "app/session/same_event.h"
#include "app/session/setup_fields.h"
#include "app/session/stop_way.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

namespace tilewalk {

struct StoodOn {
  WalkEvent event;
  // Where it was found after the last turn, and of which walk.
  int64_t head, row;
  Setup setup;
  uint64_t inputs;
};

namespace {

constexpr int64_t kMostTries = 256, kTriedSteps = 200'000;  // seeds, and steps of all of them together

// What one turns from: of several turns in a row the event that the first of them found, so that a turn back leads
// back.
WalkEvent event_turned(const Session& session, const ViewState& view) {
  const std::shared_ptr<const StoodOn>& stood = view.present.stood;
  Setup setup = session.setup();
  if (stood) setup.compared = stood->setup.compared;  // another walk beside it makes no other event
  const bool there = stood && stood->head == view.playhead && stood->row == view.row && stood->setup == setup &&
                     stood->inputs == session.input_hash();
  return there ? stood->event : event_now(session, view);
}

void found_again(const WalkEvent& event, const Session& session, ViewState& view) {
  view.present.stood =
      std::make_shared<StoodOn>(StoodOn{event, view.playhead, view.row, session.setup(), session.input_hash()});
}

// Whether the walk is another one now; the event that it stood on is found again.
bool changed(Session& session, ViewState& view, const Setup& setup, const WalkEvent& event, bool other_row = true) {
  if (const std::vector<Fault> faults = session.change(setup); !faults.empty()) {
    view.notice = faults.front().message;
    return false;
  }
  settle(session, view);
  view.row = std::clamp<int64_t>(event.row, 0, session.problem().n_q - 1);
  stand_on(event, session, view);
  if (other_row) follow_event(event, session, view);
  found_again(event, session, view);
  return true;
}

// The row that is seen at this step, from 0: of the Q tile on chip, at the height of `row`.
int64_t row_seen(const Session& session, const ViewState& view, int64_t row) {
  const Walk& walk = session.walk();
  const std::vector<Step>& steps = walk.replay.steps();
  const int64_t at = std::clamp<int64_t>(view.playhead - 1, 0, int64_t(steps.size()) - 1);
  const int64_t tile = steps[size_t(at)].i;
  const Tiling& t = walk.plan().tiling;
  return tile * t.br + std::min(row % t.br, t.rows(tile) - 1);
}

// What a turn has found on the stage: several in a row may be about an event that stood elsewhere.
struct Place {
  std::optional<Step> step;
  int64_t row;
};
Place place_seen(const Session& session, const ViewState& view) {
  return {event_now(session, view).step, row_seen(session, view, view.row)};
}
bool same_tiles(const Place& a, const Place& b) {
  return a.step && b.step ? same_visit(*a.step, *b.step) : a.step.has_value() == b.step.has_value();
}

bool same_step(const Place& a, const Place& b) { return same_tiles(a, b) && (!a.step || a.step->kind == b.step->kind); }

// Where this turn has come to another row than the one that was followed, since that one has the event.
std::string row_words(const WalkEvent& event, const Place& before, const Session& session, const ViewState& view) {
  const int64_t was = row_seen(session, view, event.row), now = row_seen(session, view, view.row);
  if (was == now || now == before.row) return {};
  return fmt::format(" Row {} is followed: here row {} is not rescaled.", now + 1, was + 1);
}

// What became of a rescale that was stood on: no row of its tile may have it at this step, but at another one of the
// visit, or elsewhere.
enum class Found : uint8_t { Kept, InVisit, Moved, Lost };
Found find_rescale(const WalkEvent& event, const Place& before, const Session& session, ViewState& view) {
  if (event.rescales != true || event_now(session, view).rescales == true) return Found::Kept;
  if (!seek_event(event, session, view)) return Found::Lost;
  found_again(event, session, view);
  const Place now = place_seen(session, view);
  const bool in_visit = same_visit(*now.step, *event.step);
  // A turn before this one has led there, and said so.
  if (same_tiles(before, now) && before.row == now.row && (!in_visit || before.step->kind == now.step->kind))
    return Found::Kept;
  return in_visit ? Found::InVisit : Found::Moved;
}

std::string rescale_words(Found found, const WalkEvent& event, const Place& before, const Session& session,
                          const ViewState& view) {
  switch (found) {
    case Found::Kept: return row_words(event, before, session, view);
    case Found::InVisit:
      return fmt::format(" The rescale of these tiles is at step {}.{}", view.playhead,
                         row_words(event, before, session, view));
    case Found::Moved:
      return fmt::format(" No row of this tile is rescaled here: step {}, where row {} is.", view.playhead,
                         row_seen(session, view, view.row) + 1);
    case Found::Lost: return " With it no row of this walk is rescaled.";
  }
  return {};
}

void turn_charts_gpu(const Session& session, ViewState& view) {
  show_other_recordings(view.gpu);
  show_charts(session, view);
  view.notice = fmt::format("Recorded on {}.", view.gpu.recorded_on == RecordedGpu::H200 ? "H200" : "H100");
}

// The charts are of the walk's mask, the ladder of its own.
void turn_charts_mask(Session& session, ViewState& view) {
  Mask mask = view.gpu.ladder_mask;
  if (view.gpu.shape == GpuShape::Ladder) {
    mask = view.gpu.ladder_mask = mask == Mask::Causal ? Mask::Full : Mask::Causal;
  } else {
    Setup setup = session.setup();
    mask = setup.problem.mask = setup.problem.mask == Mask::Causal ? Mask::Full : Mask::Causal;
    setup.preset.clear();
    if (!changed(session, view, setup, event_turned(session, view))) return;
  }
  show_charts(session, view);
  view.notice = mask == Mask::Causal ? "Causal mask." : "No mask.";
}

void turn_mask(Session& session, ViewState& view) {
  Setup setup = session.setup();
  const WalkEvent event = event_turned(session, view);
  const Place before = place_seen(session, view);
  setup.problem.mask = setup.problem.mask == Mask::Causal ? Mask::Full : Mask::Causal;
  setup.preset.clear();
  if (!changed(session, view, setup, event)) return;
  const Found found = find_rescale(event, before, session, view);
  const bool moved = found == Found::Moved || found == Found::InVisit;
  const bool full = setup.problem.mask == Mask::Full;
  view.notice = full ? "No mask" : "Causal mask";
  view.notice += moved                                          ? "."
                 : same_step(before, place_seen(session, view)) ? ": the same step."
                 : !full && !same_tiles(before, place_seen(session, view))
                     ? ": no query of this tile sees those keys; the nearest step."
                     : fmt::format(": step {}.", view.playhead);
  view.notice += rescale_words(found, event, before, session, view);
}

// Forward walks go by forward schedules, backward ones by theirs.
std::span<const Schedule> schedules_like(const Session& session) {
  return schedule_of(session.setup()).backward() ? backward_schedules() : schedules();
}

// How many a knob can be, and which of them it is, from 0.
struct Among {
  size_t count, now;
};
Among among(WalkKnob knob, const Session& session) {
  const auto place = [](const auto& all, const auto& found) { return Among{all.size(), size_t(found - all.begin())}; };
  if (knob == WalkKnob::Machine) {
    const std::span<const MachineSpec> all = machines();
    return place(all, std::ranges::find(all, std::string_view(session.setup().machine), &MachineSpec::id));
  }
  const std::span<const Schedule> all = schedules_like(session);
  return place(all, std::ranges::find(all, session.setup().schedule, &Schedule::id));
}

// False where it cannot be walked so; view.notice says why.
bool take_at(Session& session, ViewState& view, WalkKnob knob, size_t at, const WalkEvent& event) {
  Setup setup = session.setup();
  const Place before = place_seen(session, view);
  if (knob == WalkKnob::Machine) {
    setup.machine = machines()[at].id;
  } else {
    put_field(setup, "schedule", schedules_like(session)[at].key);
    setup.own = nullptr;
  }
  if (!changed(session, view, setup, event)) return false;
  if (knob == WalkKnob::Schedule) wipe_strokes(view);  // all of the picture is another one
  const Found found = find_rescale(event, before, session, view);
  const std::string words = rescale_words(found, event, before, session, view);
  view.notice = found == Found::Kept ? std::string(trimmed(words))
                                     : fmt::format("{}.{}", words_of_knob(knob, session, view), words);
  return true;
}

// The next of a list round and round; what cannot be walked here is passed over.
void turn_among(Session& session, ViewState& view, WalkKnob knob, int by) {
  const WalkEvent event = event_turned(session, view);
  const Among all = among(knob, session);
  // A program of one's own is none of them: the first comes after it.
  size_t at = all.now < all.count ? all.now : by > 0 ? all.count - 1 : 0;
  for (size_t tries = 1; tries < all.count; ++tries) {
    at = (at + size_t(by > 0 ? 1 : all.count - 1)) % all.count;
    if (take_at(session, view, knob, at, event)) return;
  }
}

void turn_seed(Session& session, ViewState& view, int by) {
  Setup setup = session.setup();
  if (setup.problem.distribution == Distribution::Custom) {
    view.notice = "These numbers are written down and not generated, so that there is no next seed.";
    return;
  }
  const WalkEvent event = event_turned(session, view);
  const Place before = place_seen(session, view);
  const uint64_t first = setup.problem.seed + uint64_t(by);
  setup.preset.clear();
  const int64_t tries = std::clamp<int64_t>(kTriedSteps / (session.walk().replay.length() + 1), 4, kMostTries);
  // Whether one of the next seeds has the event, for the row that is followed or for another one of its tile. A rescale
  // shows more of a sum that is not 0.
  const auto found = [&](bool other_row, bool of_zero) {
    setup.problem.seed = first;
    for (int64_t k = 0; k < tries; ++k, setup.problem.seed += uint64_t(by)) {
      if (!changed(session, view, setup, event, other_row)) return false;
      if (event_now(session, view).rescales == event.rescales && (of_zero || !shrinks_zero(session, view))) return true;
    }
    return false;
  };
  const bool same_row = found(false, false) || found(false, true), again = same_row || found(true, true);
  if (!again) {
    setup.problem.seed = first;
    if (!changed(session, view, setup, event, false)) return;
  }
  view.typed.erase("seed");
  view.refused.erase("seed");
  const bool same = same_step(before, place_seen(session, view));
  view.notice = fmt::format("Seed {}: {} with other numbers{}.", setup.problem.seed,
                            same ? "the same step" : fmt::format("step {}", view.playhead),
                            again ? "" : ", though not with the same event");
  if (again && !same_row) view.notice += row_words(event, before, session, view);
}

}  // namespace

bool charts_have_mask(const ViewState& view) {
  return view.gpu.enlarged && (has_sizes(view.gpu.shape) || view.gpu.shape == GpuShape::Ladder);
}

std::string_view label_of(WalkKnob knob) {
  switch (knob) {
    case WalkKnob::Mask: return "Mask";
    case WalkKnob::Schedule: return "Schedule";
    case WalkKnob::Machine: return "Machine";
    case WalkKnob::Seed: return "Seed";
    case WalkKnob::Row: return "Row";
  }
  return {};
}

std::string words_of_knob(WalkKnob knob, const Session& session, const ViewState& view) {
  const Setup& setup = session.setup();
  switch (knob) {
    case WalkKnob::Mask: return setup.problem.mask == Mask::Causal ? "causal" : "none";
    case WalkKnob::Schedule: return std::string(schedule_of(setup).name);
    case WalkKnob::Machine: {
      const MachineSpec* machine = machine_named(setup.machine);
      return machine ? std::string(machine->title) : setup.machine;
    }
    case WalkKnob::Seed:
      return setup.problem.distribution == Distribution::Custom ? "none" : fmt::format("{}", setup.problem.seed);
    case WalkKnob::Row: return fmt::format("{}", row_seen(session, view, view.row) + 1);
  }
  return {};
}

WalkNames names_of_knob(WalkKnob knob, const Session& session) {
  WalkNames names;
  if (knob == WalkKnob::Machine)
    for (const MachineSpec& machine : machines()) names.all.push_back(machine.title);
  if (knob == WalkKnob::Schedule)
    for (const Schedule& schedule : schedules_like(session)) names.all.push_back(schedule.name);
  if (!names.all.empty()) names.now = among(knob, session).now;
  return names;
}

constexpr std::string_view kTurn = "turn:";

std::string list_of_knob(WalkKnob knob) { return fmt::format("{}{}", kTurn, label_of(knob)); }

std::optional<WalkKnob> walk_knob_of(std::string_view list) {
  if (!list.starts_with(kTurn)) return std::nullopt;
  for (const WalkKnob knob : {WalkKnob::Schedule, WalkKnob::Machine})
    if (list.substr(kTurn.size()) == label_of(knob)) return knob;
  return std::nullopt;
}

void turn_walk_to(Session& session, ViewState& view, WalkKnob knob, int place) {
  const Among all = among(knob, session);
  if (place < 0 || size_t(place) >= all.count || size_t(place) == all.now) return;
  view.present.turned = view.present.on;
  take_at(session, view, knob, size_t(place), event_turned(session, view));
}

void follow_row(const Session& session, ViewState& view, int by) {
  const Tiling& t = session.walk().plan().tiling;
  const int64_t seen = row_seen(session, view, view.row), tile = seen / t.br, first = tile * t.br;
  view.row = std::clamp(seen + by, first, first + t.rows(tile) - 1);
}

bool refused_turn(WalkKnob knob, ViewState& view) { return refused_behind_question(list_of_knob(knob), view); }

void turn_walk(Session& session, ViewState& view, WalkKnob knob, int by) {
  view.present.turned |= view.present.on && knob != WalkKnob::Row;  // a row is followed by keys, too
  switch (knob) {
    case WalkKnob::Mask: return charts_have_mask(view) ? turn_charts_mask(session, view) : turn_mask(session, view);
    case WalkKnob::Machine:
      if (view.gpu.enlarged) return turn_charts_gpu(session, view);
      [[fallthrough]];
    case WalkKnob::Schedule: return turn_among(session, view, knob, by);
    case WalkKnob::Seed: return turn_seed(session, view, by);
    case WalkKnob::Row: view.present.stood.reset(), follow_row(session, view, by > 0 ? 1 : -1);
  }
}

}  // namespace tilewalk
