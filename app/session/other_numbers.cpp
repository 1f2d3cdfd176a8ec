#include "app/session/other_numbers.h"

#include "app/session/commands.h"

#include <fmt/format.h>

namespace tilewalk {

void other_numbers(Session& session, ViewState& view) {
  if (!view.board.board.empty()) {
    view.notice = "The stage shows a board: only a walk can take the same step with other numbers.";
    return;
  }
  Setup setup = session.setup();
  if (setup.problem.distribution == Distribution::Custom) {
    view.notice = "These numbers are written down and not generated, so that there is no next seed.";
    return;
  }
  ++setup.problem.seed;
  setup.preset.clear();
  if (const std::vector<Fault> faults = session.change(setup); !faults.empty()) {
    view.notice = faults.front().message;
    return;
  }
  settle(session, view);
  view.typed.erase("seed");
  view.refused.erase("seed");
  view.notice = fmt::format("Seed {}: the same step with other numbers.", setup.problem.seed);
}

}  // namespace tilewalk
