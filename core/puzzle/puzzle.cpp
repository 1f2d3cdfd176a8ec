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

// The puzzle's problem, with tiles that are somebody's choice where it leaves them open.
Problem problem_with(const Puzzle& puzzle, int64_t br, int64_t bc) {
  Problem problem = puzzle.problem;
  if (puzzle.own_tiles) problem.br = br, problem.bc = bc;
  return problem;
}

// What is wrong with the tiles themselves; empty: nothing.
std::string refused(const Problem& problem) {
  if (const std::vector<Fault> faults = validate(problem); !faults.empty()) return faults.front().message;
  if (tiles_of_scores(problem) > kMostPuzzleTiles)
    return fmt::format("S would have more than {} tiles: take larger ones.", with_commas(kMostPuzzleTiles));
  return {};
}

// A program that could be read, judged and metered; null: none could.
struct Tried {
  const Verdict& verdict;
  const Schedule& schedule;
  ProgramMeters meters;
};

struct Trial {
  const Puzzle& puzzle;
  const Problem problem;
  const Tried* tried = nullptr;

  int64_t bound_of(const Goal& goal) const {
    if (goal.of.empty()) return goal.bound;
    const Schedule& other = *schedule_named(goal.of);
    return meters_of(other, make_plan(other, problem, VariantId::Paper), *machine_named(puzzle.machine)).*
           goal.measure->value;
  }

  GoalReached attention() const {
    const bool right =
        tried && tried->verdict.kind == Verdict::Kind::Exact && tried->verdict.backward == puzzle.backward;
    return {right, puzzle.backward ? "It makes the gradients of attention" : "It is attention"};
  }

  GoalReached never(const Goal& goal) const {
    const std::string wanted = fmt::format("Without {}", goal.statement);
    if (!tried) return {false, wanted};
    const Plan plan = make_plan(tried->schedule, problem, VariantId::Paper);
    const bool none = count_kinds(tried->schedule, plan)[size_t(goal.never)] == 0;
    return {none, none ? wanted : fmt::format("{}: it is still there", wanted)};
  }

  GoalReached measured(const Goal& goal) const {
    const bool most = goal.kind == Goal::Kind::AtMost;
    const int64_t has = tried ? tried->meters.*goal.measure->value : 0;
    const std::string yours = tried ? amount(*goal.measure, has) : "–";
    std::string wanted = "unknown for these tiles", whose;
    bool reached = false;
    int64_t bound = 0;
    if (goal.of.empty() || refused(problem).empty()) {
      bound = bound_of(goal);
      wanted = fmt::format("{} {}", most ? "at most" : "at least", amount(*goal.measure, bound));
      reached = tried && (most ? has <= bound : has >= bound);
      if (!goal.of.empty()) whose = fmt::format(" ({}'s)", schedule_named(goal.of)->name);
    }
    return {reached, fmt::format("{}: yours {}, wanted {}{}", goal.measure->title, yours, wanted, whose), goal.measure,
            has, bound};
  }

  GoalReached reached(const Goal& goal) const {
    switch (goal.kind) {
      case Goal::Kind::Attention: return attention();
      case Goal::Kind::Never: return never(goal);
      case Goal::Kind::AtMost:
      case Goal::Kind::AtLeast: break;
    }
    return measured(goal);
  }
};

}  // namespace

int64_t tiles_of_scores(const Problem& p) { return ((p.n_q + p.br - 1) / p.br) * ((p.n_k + p.bc - 1) / p.bc); }

Attempt untried(const Puzzle& puzzle, int64_t br, int64_t bc) {
  Attempt out;
  out.read = false;
  out.told = "There is no program that can be read.";
  const Trial trial{puzzle, problem_with(puzzle, br, bc)};
  for (const Goal& goal : puzzle.goals) out.goals.push_back(trial.reached(goal));
  return out;
}

Attempt attempt(const Puzzle& puzzle, const WalkProgram& program, const Verdict& verdict, int64_t br, int64_t bc) {
  const Problem problem = problem_with(puzzle, br, bc);
  if (std::string why = refused(problem); !why.empty()) {
    Attempt out = untried(puzzle, br, bc);
    out.told = std::move(why);
    return out;
  }
  const Schedule schedule = own_schedule(program);
  const Plan plan = make_plan(schedule, problem, VariantId::Paper);
  const Tried tried{verdict, schedule, meters_of(schedule, plan, *machine_named(puzzle.machine))};
  const Trial trial{puzzle, problem, &tried};
  Attempt out;
  for (const Goal& goal : puzzle.goals) {
    out.goals.push_back(trial.reached(goal));
    if (out.goals.back().reached || !out.told.empty()) continue;
    if (goal.kind == Goal::Kind::Attention) {
      out.line = verdict.line;
      out.told = verdict.message.empty() ? "It is another direction than the task's." : verdict.message;
    } else {
      out.told = fmt::format("Not yet. {}.", out.goals.back().words);
    }
  }
  return out;
}

Attempt attempt(const Puzzle& puzzle, const PuzzleProgram& program) {
  const WalkRead read = read_walk(program.text);
  if (read.program) return attempt(puzzle, *read.program, judge(*read.program), program.br, program.bc);
  Attempt out = untried(puzzle, program.br, program.bc);
  if (!read.faults.empty()) out.told = read.faults.front().message, out.line = read.faults.front().line;
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
