#include "app/session/class_puzzles.h"

#include "app/session/class_moves.h"
#include "app/state/written.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

std::string amount(const Measure& measure, int64_t value) { return with_commas(value) + (measure.bytes ? " B" : ""); }

}  // namespace

AtPuzzle puzzle_here(const ViewState& view) {
  const WriteView& write = view.write;
  if (!write.open || !write.puzzle) return {};
  AtPuzzle out{write.puzzle->id, false, {}};
  if (!write.now || write.now->tried.goals.empty() || !write.now->tried.solved()) return out;
  out.solved = true;
  for (const GoalReached& goal : write.now->tried.goals)
    if (goal.measure) out.meters.push_back({std::string(goal.measure->key), goal.has});
  return out;
}

PuzzleInClass puzzle_in_class(const ViewState& view) {
  const WriteView& write = view.write;
  if (!teaches(view) || !write.open || !write.puzzle) return {};
  const std::vector<PuzzleCount>& all = view.classroom.with->now().puzzles;
  const auto count = std::ranges::find(all, write.puzzle->id, &PuzzleCount::puzzle);
  if (count == all.end()) return {};
  PuzzleInClass out{write.puzzle->title, {}, {}};
  out.counts = count->solved == 0 ? std::string("nobody has solved it yet")
                                  : fmt::format("{} {} solved it", count->solved, count->solved == 1 ? "has" : "have");
  if (count->at > 0) out.counts += fmt::format(", {} {} at it", count->at, count->at == 1 ? "is" : "are");
  if (!write.now) return out;
  for (const GoalReached& goal : write.now->tried.goals) {
    if (!goal.measure) continue;
    const auto best = std::ranges::find(count->best, goal.measure->key, &MeterSaid::key);
    if (best == count->best.end()) continue;
    out.best += fmt::format("{}{}: best {}, wanted at {} {}", out.best.empty() ? "" : " · ", goal.measure->title,
                            amount(*goal.measure, best->value), goal.measure->more_is_better ? "least" : "most",
                            amount(*goal.measure, goal.bound));
  }
  return out;
}

std::string words_of(const PuzzleCount& count) {
  const auto known = puzzle_named(count.puzzle);
  std::string out = fmt::format("{}: solved by {}", known ? known->title : "Puzzles of one's own", count.solved);
  return count.at > 0 ? out + fmt::format(", {} more at it", count.at) : out;
}

}  // namespace tilewalk
