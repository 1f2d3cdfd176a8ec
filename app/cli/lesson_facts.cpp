#include "app/cli/lesson_facts.h"

#include "app/boards/board.h"
#include "app/session/lesson_names.h"
#include "app/session/lesson_walk.h"
#include "core/schedules/footprint.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tilewalk {
namespace {

// All of a choice, of a switch and of powers of two; of a line some steps.
std::vector<double> places_of(const Knob& knob) {
  std::vector<double> out;
  switch (knob.kind) {
    case Knob::Kind::Choice:
      for (double value = knob.least; value <= knob.top(); ++value) out.push_back(value);
      break;
    case Knob::Kind::Switch: out = {0, 1}; break;
    case Knob::Kind::PowersOfTwo:
    case Knob::Kind::Octaves:
      for (double value = knob.least; value <= knob.most; value *= 2) out.push_back(value);
      break;
    case Knob::Kind::Linear:
      constexpr int kSteps = 8;
      for (int k = 0; k <= kSteps; ++k)
        out.push_back(clamp_knob(knob, knob.least + (knob.most - knob.least) * k / kSteps));
      break;
  }
  return out;
}

StageFacts facts_of(const Board& board, const std::shared_ptr<const Session>& session) {
  StageFacts out;
  out.id = board.id;
  out.stepped = board.steps != nullptr;
  for (const Knob& knob : board.knobs)
    out.knobs.push_back({std::string(knob.id), knob.initial,
                         [&knob](std::string_view text) {
                           const std::optional<double> value = knob_value_of(knob, text);
                           // Steps of a twentieth are not exact in binary.
                           const bool takes = value && std::fabs(clamp_knob(knob, *value) - *value) <=
                                                           1e-9 * std::max(1.0, std::fabs(*value));
                           return takes ? value : std::nullopt;
                         },
                         places_of(knob)});
  out.readings = [&board, session](const KnobValues& knobs) {
    ViewState view;
    view.board.board = board.id;
    view.board.knobs = knobs;
    Readings readings;
    for (const Reading& reading : board.readings({view.board, *session, view, board}))
      readings.emplace(reading.id, reading.quantity);
    return readings;
  };
  return out;
}

StageFacts facts_of_walk(const Session& session) {
  StageFacts out;
  out.id = "walk";
  ViewState view;
  view.playhead = session.walk().replay.length();
  const Lookup names = stage_names(session, view);
  Readings readings;
  for (const char* id : {"step", "steps", "fill_bytes", "drain_bytes", "dram_bytes", "sram_bytes", "m", "l", "alpha"})
    if (const auto value = names(std::string("stage.") + id)) readings.emplace(id, *value);
  out.readings = [readings](const KnobValues&) { return readings; };
  return out;
}

CheckedWalk walk_of(const Words& words, std::string_view fault) {
  CheckedWalk out;
  WantedWalk wanted = wanted_walk(words);
  for (const Fault& each : wanted.faults) out.faults.push_back(each.message);
  Problem& p = wanted.setup.problem;
  p.mistake = mistake_named(fault).value_or(Mistake::None);
  if (out.faults.empty())
    for (const Fault& each : validate(p)) out.faults.push_back(each.message);
  const MachineSpec* machine = machine_named(wanted.setup.machine);
  if (!machine) out.faults.push_back("there is no such machine.");
  if (!out.faults.empty()) return out;
  const Schedule& schedule = schedule_of(wanted.setup);
  const Plan plan = make_plan(schedule, p, wanted.setup.variant);
  for (const Fault& each : animation_faults(schedule, plan, *machine)) out.faults.push_back(each.message);
  if (!out.faults.empty()) return out;
  out.steps = steps_of(schedule, plan);
  out.rows = p.n_q;
  return out;
}

}  // namespace

CheckContext lesson_facts() {
  CheckContext out;
  const auto session = std::make_shared<const Session>();
  out.stages.push_back(facts_of_walk(*session));
  for (const Board* board : boards()) out.stages.push_back(facts_of(*board, session));
  out.walk = walk_of;
  return out;
}

}  // namespace tilewalk
