#include "core/puzzle/puzzle.h"

#include "core/io/embedded.h"
#include "core/machine/words.h"
#include "core/schedules/count.h"
#include "core/schedules/footprint.h"
#include "core/schedules/schedule.h"
#include "core/walk/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tilewalk {
namespace {

std::string amount(const Measure& measure, int64_t value) { return with_commas(value) + (measure.bytes ? " B" : ""); }

struct Trial {
  const Puzzle& puzzle;
  const Verdict& verdict;
  const Schedule& schedule;
  const Plan plan;
  const MachineSpec& spec = *machine_named(puzzle.machine);

  int64_t bound_of(const Goal& goal) const {
    if (goal.of.empty()) return goal.bound;
    const Schedule& other = *schedule_named(goal.of);
    return meters_of(other, make_plan(other, plan.problem, VariantId::Paper), spec).*goal.measure->value;
  }

  GoalReached attention() const {
    const bool right = verdict.kind == Verdict::Kind::Exact && verdict.backward == puzzle.backward;
    return {right, puzzle.backward ? "It makes the gradients of attention" : "It is attention", nullptr, 0, 0};
  }

  GoalReached reached(const Goal& goal, const ProgramMeters& meters) const {
    switch (goal.kind) {
      case Goal::Kind::Attention: return attention();
      case Goal::Kind::Never:
        return {count_kinds(schedule, plan)[size_t(goal.never)] == 0, fmt::format("It has no {}", goal.statement),
                nullptr, 0, 0};
      case Goal::Kind::AtMost:
      case Goal::Kind::AtLeast: break;
    }
    const bool most = goal.kind == Goal::Kind::AtMost;
    const int64_t bound = bound_of(goal), has = meters.*goal.measure->value;
    return {most ? has <= bound : has >= bound,
            fmt::format("{} at {} {}{}; here {}", goal.measure->title, most ? "most" : "least",
                        amount(*goal.measure, bound),
                        goal.of.empty() ? "" : fmt::format(", as {} has", schedule_named(goal.of)->name),
                        amount(*goal.measure, has)),
            goal.measure, has, bound};
  }
};

}  // namespace

int64_t tiles_of_scores(const Problem& p) { return ((p.n_q + p.br - 1) / p.br) * ((p.n_k + p.bc - 1) / p.bc); }

Attempt attempt(const Puzzle& puzzle, const WalkProgram& program, const Verdict& verdict, int64_t br, int64_t bc) {
  const Schedule schedule = own_schedule(program);
  Problem problem = puzzle.problem;
  if (puzzle.own_tiles) problem.br = br, problem.bc = bc;
  Attempt out;
  if (const std::vector<Fault> faults = validate(problem); !faults.empty()) {
    out.told = faults.front().message;
    return out;
  }
  if (tiles_of_scores(problem) > kMostPuzzleTiles) {
    out.told = fmt::format("S would have more than {} tiles: take larger ones.", with_commas(kMostPuzzleTiles));
    return out;
  }
  const Trial trial{puzzle, verdict, schedule, make_plan(schedule, problem, VariantId::Paper)};
  const ProgramMeters meters = meters_of(schedule, trial.plan, trial.spec);
  for (const Goal& goal : puzzle.goals) {
    out.goals.push_back(trial.reached(goal, meters));
    if (out.goals.back().reached || !out.told.empty()) continue;
    if (goal.kind == Goal::Kind::Attention) {
      out.line = verdict.line;
      out.told = verdict.message.empty() ? "It is another direction than the task's." : verdict.message;
    } else {
      out.told = fmt::format("Not yet: {}.", out.goals.back().words);
    }
  }
  return out;
}

Attempt attempt(const Puzzle& puzzle, const PuzzleProgram& program) {
  const WalkRead read = read_walk(program.text);
  if (read.program) return attempt(puzzle, *read.program, judge(*read.program), program.br, program.bc);
  Attempt out;
  out.told = read.faults.empty() ? "There is no program." : read.faults.front().message;
  out.line = read.faults.empty() ? 0 : read.faults.front().line;
  return out;
}

std::vector<std::string> puzzle_faults(const Puzzle& puzzle) {
  std::vector<std::string> faults;
  if (attempt(puzzle, puzzle.start).solved())
    faults.emplace_back("The start reaches all goals already: nothing is left to do.");
  if (const Attempt solution = attempt(puzzle, puzzle.solution); !solution.solved())
    faults.push_back(fmt::format("The solution does not reach its goals: {}", solution.told));
  const Attempt near = attempt(puzzle, puzzle.near_miss);
  if (near.solved())
    faults.emplace_back("The near miss reaches all goals.");
  else if (near.told.find(puzzle.near_says) == std::string::npos)
    faults.push_back(fmt::format("The near miss is not told \"{}\" but: {}", puzzle.near_says, near.told));
  return faults;
}

std::span<const std::shared_ptr<const Puzzle>> shipped_puzzles() {
  static const std::vector<std::shared_ptr<const Puzzle>> all = [] {
    std::vector<std::shared_ptr<const Puzzle>> made;
    for (const char* id : {"three-passes", "keep-p", "fuse-all", "streaming-max", "why-alpha", "backward-from-l",
                           "skip-tiles", "swap-loops", "fewest-bytes", "split"}) {
      const std::string file = fmt::format("lessons/puzzles/{}.puzzle", id);
      const std::string_view text = embedded_file(file);
      if (text.empty()) continue;
      PuzzleRead read = read_puzzle(text, file);
      if (!read.puzzle)
        throw std::logic_error(fmt::format("{}:{}: {}", file, read.faults[0].line, read.faults[0].message));
      made.push_back(std::move(read.puzzle));
    }
    return made;
  }();
  return all;
}

std::shared_ptr<const Puzzle> puzzle_named(std::string_view id) {
  for (const auto& puzzle : shipped_puzzles())
    if (puzzle->id == id) return puzzle;
  return nullptr;
}

}  // namespace tilewalk
