#include "app/session/turn_walk.h"

#include "app/session/commands.h"
#include "app/session/same_event.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

namespace tilewalk {

struct StoodOn {
  WalkEvent event;
  int64_t head, row;  // where it was found after the last turn
};

namespace {

constexpr int64_t kMostTries = 256, kTriedSteps = 200'000;  // seeds, and steps of all of them together

// What one turns from: of several turns in a row the event that the first of them found, so that a turn back leads
// back.
WalkEvent event_turned(const Session& session, const ViewState& view) {
  const std::shared_ptr<const StoodOn>& stood = view.present.stood;
  const bool there = stood && stood->head == view.playhead && stood->row == view.row;
  return there ? stood->event : event_now(session, view);
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
  view.present.stood = std::make_shared<StoodOn>(StoodOn{event, view.playhead, view.row});
  return true;
}

// Where another row than the one that was followed has the event.
std::string row_words(const WalkEvent& event, const ViewState& view) {
  if (view.row == event.row) return {};
  return fmt::format(" Row {} is followed: here row {} is not rescaled.", view.row + 1, event.row + 1);
}

void turn_mask(Session& session, ViewState& view) {
  Setup setup = session.setup();
  const WalkEvent event = event_turned(session, view);
  setup.problem.mask = setup.problem.mask == Mask::Causal ? Mask::Full : Mask::Causal;
  setup.preset.clear();
  if (!changed(session, view, setup, event)) return;
  const WalkEvent now = event_now(session, view);
  const bool same = now.step && event.step && now.step->i == event.step->i && now.step->j == event.step->j;
  view.notice = setup.problem.mask == Mask::Full ? "No mask: the same step."
                : same || !event.step            ? "Causal mask: the same step."
                                      : "Causal mask: no query of this tile sees those keys; the nearest step.";
  view.notice += row_words(event, view);
}

// The next of a list round and round; what cannot be walked here is passed over.
template <class Each, class Take>
void turn_among(Session& session, ViewState& view, std::span<const Each> all, size_t at, int by, Take take) {
  const WalkEvent event = event_turned(session, view);
  for (size_t tries = 1; tries < all.size(); ++tries) {
    at = (at + size_t(by > 0 ? 1 : all.size() - 1)) % all.size();
    Setup setup = session.setup();
    take(setup, all[at]);
    if (changed(session, view, setup, event)) {
      view.notice = std::string(trimmed(row_words(event, view)));
      return;
    }
  }
}

void turn_schedule(Session& session, ViewState& view, int by) {
  const bool backward = schedule_of(session.setup()).backward();
  const std::span<const Schedule> all = backward ? backward_schedules() : schedules();
  const auto now = std::ranges::find(all, session.setup().schedule, &Schedule::id);
  const size_t at = now == all.end() ? (by > 0 ? all.size() - 1 : 0) : size_t(now - all.begin());
  turn_among(session, view, all, at, by, [](Setup& setup, const Schedule& to) {
    setup.schedule = to.id;
    setup.own = nullptr;
    if (setup.compared == to.id) setup.compared.reset();
  });
}

void turn_machine(Session& session, ViewState& view, int by) {
  const std::span<const MachineSpec> all = machines();
  const auto now = std::ranges::find(all, std::string_view(session.setup().machine), &MachineSpec::id);
  turn_among(session, view, all, now == all.end() ? 0 : size_t(now - all.begin()), by,
             [](Setup& setup, const MachineSpec& to) { setup.machine = to.id; });
}

void turn_seed(Session& session, ViewState& view, int by) {
  Setup setup = session.setup();
  if (setup.problem.distribution == Distribution::Custom) {
    view.notice = "These numbers are written down and not generated, so that there is no next seed.";
    return;
  }
  const WalkEvent event = event_turned(session, view);
  const uint64_t first = setup.problem.seed + uint64_t(by);
  setup.preset.clear();
  const int64_t tries = std::clamp<int64_t>(kTriedSteps / (session.walk().replay.length() + 1), 4, kMostTries);
  for (int64_t k = 0; k < tries; ++k) {
    setup.problem.seed += uint64_t(by);
    if (!changed(session, view, setup, event, false)) return;
    if (event_now(session, view).rescales == event.rescales) break;
    if (k + 1 < tries) continue;
    setup.problem.seed = first;
    changed(session, view, setup, event, false);
  }
  view.typed.erase("seed");
  view.refused.erase("seed");
  const bool again = event_now(session, view).rescales == event.rescales;
  view.notice = fmt::format("Seed {}: the same step with other numbers{}.", setup.problem.seed,
                            again ? "" : ", though not with the same event");
}

}  // namespace

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
    case WalkKnob::Row: return fmt::format("{}", view.row + 1);
  }
  return {};
}

void turn_walk(Session& session, ViewState& view, WalkKnob knob, int by) {
  view.present.turned = view.present.on;
  switch (knob) {
    case WalkKnob::Mask: return turn_mask(session, view);
    case WalkKnob::Schedule: return turn_schedule(session, view, by);
    case WalkKnob::Machine: return turn_machine(session, view, by);
    case WalkKnob::Seed: return turn_seed(session, view, by);
    case WalkKnob::Row: view.present.stood.reset(), run_command(by > 0 ? "row-down" : "row-up", session, view);
  }
}

}  // namespace tilewalk
