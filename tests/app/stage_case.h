// A problem by name, walked under a schedule, for tests of the stage.
#pragma once

#include "app/state/session.h"
#include "app/state/view_state.h"
#include "core/attention/presets.h"
#include "core/playback/units.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace tilewalk {

struct Case {
  const char* name;  // a preset's brings the preset's inputs
  Problem problem;
};

inline Session session_of(const Case& c, Method schedule, std::optional<Method> compared = {},
                          VariantId variant = VariantId::Paper) {
  Session session;
  Setup setup;
  setup.problem = c.problem;
  setup.schedule = schedule;
  setup.compared = compared;
  setup.variant = variant;
  const Preset* preset = preset_named(c.name);
  for (const Fault& fault : preset ? session.change(setup, inputs_of(*preset)) : session.change(setup))
    FAIL(std::string(c.name) << ": " << fault.message);
  return session;
}

inline ViewState view_at(const Walk& walk, int64_t playhead, Unit unit = Unit::Part) {
  ViewState view;
  view.playhead = playhead;
  view.from = unit_back(walk.replay.steps(), playhead, unit);
  view.row = 5;
  return view;
}

}  // namespace tilewalk
