#include "core/puzzle/recorded_programs.h"

#include "core/io/embedded.h"
#include "core/puzzle/puzzle.h"
#include "core/schedules/schedule.h"

#include <fmt/format.h>

namespace tilewalk {

std::vector<ProgramSpec> recorded_programs() {
  std::vector<ProgramSpec> out;
  const auto add = [&](std::string_view name, std::string_view text, const Problem& stage) {
    out.push_back({std::string(name), {std::string(text)}, program_problem(stage)});
  };
  for (const Schedule& schedule : all_schedules())
    for (const Mask mask : {Mask::Full, Mask::Causal})
      add(schedule.key, embedded_file(fmt::format("core/schedules/{}.walk", schedule.key)), {.mask = mask});
  for (const auto& puzzle : shipped_puzzles()) {
    const PuzzleProgram& solution = puzzle->solution;
    Problem stage{.mask = puzzle->problem.mask};
    if (puzzle->own_tiles) stage.br = solution.br, stage.bc = solution.bc;
    add(puzzle->id, solution.text, stage);
  }
  return out;
}

}  // namespace tilewalk
