#include "app/cli/walk.h"

#include "app/cli/walk_print.h"
#include "app/cli/walk_request.h"

#include <CLI/CLI.hpp>

namespace tilewalk {

WalkCommand::WalkCommand(CLI::App& command)
    : problem_({.preset = "toy", .problem = {}, .all_schedules = false, .programs = true}) {
  const char* shown = "What is shown";
  command.add_option("--row", row_, "query row that is followed, from 1")->type_name("N")->group(shown)->take_last();
  command.add_option("--unit", unit_, "step, part, tile or row (without it: part)")
      ->type_name("NAME")
      ->group(shown)
      ->take_last();
  command.add_option("--steps", steps_, "only these steps, such as 3..7")->type_name("A..B")->group(shown)->take_last();
  command.add_option("--at", at_, "only one: \"first rescale of Q tile 1\", \"37\"")
      ->type_name("WORDS")
      ->group(shown)
      ->take_last();
  command.add_flag("--json", json_, "one JSON document; indices count from 0")->group(shown);
  problem_.add_to(command);
}

void WalkCommand::run(Console& console) const {
  if (steps_ && at_) throw CommandError(kUsage, "Give either --steps or --at, not both.");
  const Asked asked = problem_.resolve();
  const Unit unit = unit_of(unit_);
  const int64_t row = row_ ? row_of(*row_, asked.problem) : 0;
  AskedWalk walk = make_walk(asked);
  walk.row = row;

  Portion portion{0, walk.replay->length()};
  if (steps_) portion = portion_of(*steps_, walk.replay->length());
  if (at_) {
    portion.to = playhead_of(*at_, *walk.replay);
    portion.from = unit_back(walk.replay->steps(), portion.to, unit);
  }
  json_ ? print_walk_json(walk, portion, unit, console) : print_walk(walk, portion, unit, console);
}

}  // namespace tilewalk
