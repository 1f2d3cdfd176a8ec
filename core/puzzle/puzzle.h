// A puzzle of Write: a task, a program to begin from, and goals that the machine decides. Puzzles are texts (TOML) that
// a teacher can write; lessons/puzzles/README.md says how.
#pragma once

#include "core/lesson/reader.h"
#include "core/model/program_meters.h"
#include "core/judge/judge.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Goal {
  enum class Kind : uint8_t {
    Attention,  // the judge finds nothing, in the direction of the solution
    Never,      // the program has no such step
    AtMost,
    AtLeast,
  };
  Kind kind = Kind::Attention;
  StepKind never{};
  std::string statement;             // that may not be there: "store P"
  const Measure* measure = nullptr;  // of the others
  std::string of;                    // the schedule whose measure is the bound, by its key; empty: `bound` is it
  int64_t bound = 0;
};

struct PuzzleProgram {
  std::string text;
  int64_t br = 0, bc = 0;  // where tiles are chosen too
};

struct Puzzle {
  std::string id, title, task;
  std::vector<std::string> hints;  // three, each saying more
  PuzzleProgram start, solution, near_miss;
  std::string near_says;  // words of what is told of the near miss
  Problem problem;        // what is measured on
  std::string machine;
  bool own_tiles = false;  // Br and Bc are whoever solves it chooses
  bool backward = false;   // the solution makes gradients
  std::vector<Goal> goals;
};

struct PuzzleRead {
  std::shared_ptr<const Puzzle> puzzle;  // where there is no fault
  std::vector<LessonFault> faults;
};
constexpr size_t kMostPuzzleBytes = size_t{256} << 10;
constexpr size_t kMostGoals = 12;
constexpr int64_t kMostPuzzleTiles = 10'000;  // of S: every key is answered at once
int64_t tiles_of_scores(const Problem& problem);
PuzzleRead read_puzzle(std::string_view text, const std::string& file);

// One goal, and whether a program reaches it.
struct GoalReached {
  bool reached = false;
  std::string words;                 // "L2→SM: yours 6,144 B, wanted at most 4,608 B (FA2's)"
  const Measure* measure = nullptr;  // of AtMost and AtLeast:
  int64_t has = 0, bound = 0;        // what the program has of it, and what is wanted; where both are known
};
struct Attempt {
  std::vector<GoalReached> goals;
  std::string told;  // one sentence on the first that is not reached; empty: solved
  int line = 0;      // of the program, from 1, where there is one

  bool read = true;  // false: nothing could be tried, and the goals say what is wanted

  bool solved() const { return told.empty(); }
};
// `verdict` is the judge's on the program. Br and Bc count where the puzzle leaves them open.
Attempt attempt(const Puzzle& puzzle, const WalkProgram& program, const Verdict& verdict, int64_t br, int64_t bc);
Attempt attempt(const Puzzle& puzzle, const PuzzleProgram& program);  // reads and judges it too
// While the program cannot be read: the same goals in the same order, none reached.
Attempt untried(const Puzzle& puzzle, int64_t br, int64_t bc);

// What does not hold of the puzzle itself: its start reaches its goals already, its solution does not, or the near miss
// is not told what it is to be told. Empty: all does.
std::vector<std::string> puzzle_faults(const Puzzle& puzzle);

// Those that come with the program, in the order of their lessons.
std::span<const std::shared_ptr<const Puzzle>> shipped_puzzles();
std::shared_ptr<const Puzzle> puzzle_named(std::string_view id);  // or null

}  // namespace tilewalk
