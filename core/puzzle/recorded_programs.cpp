#include "core/puzzle/recorded_programs.h"

#include "core/io/embedded.h"
#include "core/puzzle/puzzle.h"
#include "core/schedules/schedule.h"

#include <fmt/format.h>

namespace tilewalk {

std::vector<ProgramSpec> recorded_programs() {
  std::vector<ProgramSpec> out;
  const auto add = [&](std::string_view name, std::string_view text, const Problem& problem) {
    out.push_back({std::string(name), {std::string(text)}, problem});
  };
  for (const Schedule& schedule : all_schedules())
    for (const Mask mask : {Mask::Full, Mask::Causal})
      add(schedule.key, embedded_file(fmt::format("core/schedules/{}.walk", schedule.key)), program_problem(mask));
  for (const auto& puzzle : shipped_puzzles()) {
    const PuzzleProgram& solution = puzzle->solution;
    const Mask mask = puzzle->problem.mask;
    add(puzzle->id, solution.text,
        puzzle->own_tiles ? program_problem(mask, solution.br, solution.bc) : program_problem(mask));
  }
  return out;
}

}  // namespace tilewalk
