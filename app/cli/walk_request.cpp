#include "app/cli/walk_request.h"

#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/machine/words.h"
#include "core/playback/query.h"
#include "core/schedules/footprint.h"

#include <fmt/format.h>

namespace tilewalk {
void refuse_what_cannot_be_animated(const Asked& asked) {
  const Schedule& schedule = asked.schedule();
  std::vector<std::string> faults;
  for (const Fault& fault : fit_faults(schedule, asked.plan(), *asked.machine)) faults.push_back(fault.message);
  if (faults.empty())
    for (const Fault& fault : animation_faults(schedule, asked.plan(), *asked.machine))
      faults.push_back(fault.message + " `tilewalk predict` with the same options counts this one.");
  if (!faults.empty()) throw CommandError(kUsage, faults);
}

AskedWalk make_walk(const Asked& asked) {
  refuse_what_cannot_be_animated(asked);
  AskedWalk walk{asked, make_inputs(asked), nullptr, 0};
  try {
    walk.replay = std::make_unique<Replay>(asked.schedule(), asked.plan(), *asked.machine, walk.inputs);
  } catch (const MachineFault& fault) {
    throw CommandError(kFailure,
                       asked.own ? fmt::format("{} `tilewalk check` with the program says at which line.", fault.what())
                                 : fault.what());
  }
  return walk;
}

int64_t row_of(const std::string& text, const Problem& problem) {
  const auto row = number_of<int64_t>(text);
  if (!row || *row < 1 || *row > problem.n_q)
    throw CommandError(kUsage, fmt::format("--row is {}; it must be a whole number between 1 and {}.",
                                           row ? text : in_quotes(text, 40), problem.n_q));
  return *row - 1;
}

Unit unit_of(const std::string& text) {
  if (text == "step") return Unit::Step;
  if (text == "part") return Unit::Part;
  if (text == "tile") return Unit::Tile;
  if (text == "row") return Unit::Row;
  throw CommandError(kUsage,
                     fmt::format("--unit is {}; it must be one of step, part, tile, row.", in_quotes(text, 40)));
}

Portion portion_of(const std::string& text, int64_t length) {
  const size_t dots = text.find("..");
  const std::string_view all(text), first = all.substr(0, dots);
  const std::string_view last = dots == std::string::npos ? first : all.substr(dots + 2);
  const auto from = first.empty() ? 1 : number_of<int64_t>(first),
             to = last.empty() ? length : number_of<int64_t>(last);
  if (text.empty() || !from || !to || *from < 1 || *to < *from || *to > length)
    throw CommandError(kUsage,
                       fmt::format("--steps is {}; write it like 3..7, within 1..{}.", in_quotes(text, 40), length));
  return {*from - 1, *to};
}

int64_t playhead_of(const std::string& text, const Replay& replay) {
  if (text == "end") return replay.length();
  if (const auto number = number_of<int64_t>(text)) {
    if (*number < 1 || *number > replay.length())
      throw CommandError(kUsage, fmt::format("--at is {}; the walk has the steps 1 to {}.", *number, replay.length()));
    return *number;
  }
  const ParsedQuery parsed = parse_query(text);
  if (!parsed.query) throw CommandError(kUsage, "--at: " + parsed.fault);
  const auto found = find(replay.steps(), *parsed.query);
  if (!found)
    throw CommandError(
        kUsage, fmt::format("--at: no step of this {} walk is the {}.", replay.schedule().name, in_quotes(text, 60)));
  return *found;
}

}  // namespace tilewalk
