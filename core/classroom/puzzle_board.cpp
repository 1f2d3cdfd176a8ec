#include "core/classroom/puzzle_board.h"

#include "core/model/program_meters.h"
#include "core/puzzle/puzzle.h"

#include <algorithm>
#include <set>

namespace tilewalk {
namespace {

constexpr size_t kMostId = 64, kMostPuzzles = 64, kMostSeats = 4096;

// Puzzles of one's own, which strangers may name as they like, leave the shipped ones room.
bool is_shipped(const std::string& puzzle) { return puzzle_named(puzzle) != nullptr; }

bool better(const Measure& measure, int64_t a, int64_t b) { return measure.more_is_better ? a > b : a < b; }

// Each meter's best of both.
void merge(std::vector<MeterSaid>& best, const std::vector<MeterSaid>& now) {
  for (const MeterSaid& each : now) {
    const Measure* measure = measure_named(each.key);
    if (!measure || each.value < 0) continue;
    const auto known = std::ranges::find(best, each.key, &MeterSaid::key);
    if (known == best.end())
      best.push_back(each);
    else if (better(*measure, each.value, known->value))
      known->value = each.value;
  }
}

}  // namespace

void PuzzleBoard::take(uint64_t seat, const std::string& puzzle, bool solved, const std::vector<MeterSaid>& meters) {
  if (puzzle.empty() || puzzle.size() > kMostId) return left(seat);
  at_[seat] = puzzle;
  if (solved) restore({seat, puzzle, meters});
}

void PuzzleBoard::restore(const Solved& solved) {
  if (solved.puzzle.size() > kMostId ||
      (!solved_.contains(solved.puzzle) && !is_shipped(solved.puzzle) && solved_.size() >= kMostPuzzles))
    return;
  auto& seats = solved_[solved.puzzle];
  if (seats.contains(solved.seat) || seats.size() < kMostSeats) merge(seats[solved.seat], solved.meters);
}

std::vector<PuzzleCount> PuzzleBoard::counts() const {
  std::map<std::string, PuzzleCount> out;
  for (const auto& [puzzle, seats] : solved_) {
    PuzzleCount& count = out[puzzle];
    count.solved = int64_t(seats.size());
    for (const auto& [seat, meters] : seats) merge(count.best, meters);
  }
  for (const auto& [seat, puzzle] : at_) {
    const auto done = solved_.find(puzzle);
    if ((done == solved_.end() || !done->second.contains(seat)) &&
        (out.contains(puzzle) || is_shipped(puzzle) || out.size() < kMostPuzzles))
      ++out[puzzle].at;
  }
  std::vector<PuzzleCount> all;
  for (auto& [puzzle, count] : out) {
    count.puzzle = puzzle;
    all.push_back(std::move(count));
  }
  return all;
}

std::vector<PuzzleCount> PuzzleBoard::shipped_counts() const {
  std::vector<PuzzleCount> all = counts();
  std::erase_if(all, [](const PuzzleCount& each) { return !is_shipped(each.puzzle); });
  PuzzleCount own;
  std::set<uint64_t> seats;
  for (const auto& [puzzle, who] : solved_)
    if (!is_shipped(puzzle))
      for (const auto& [seat, meters] : who) seats.insert(seat);
  own.solved = int64_t(seats.size());
  own.at = std::ranges::count_if(
      at_, [&](const auto& each) { return !is_shipped(each.second) && !seats.contains(each.first); });
  if (own.solved > 0 || own.at > 0) all.push_back(own);
  return all;
}

std::vector<PuzzleBoard::Solved> PuzzleBoard::solved() const {
  std::vector<Solved> out;
  for (const auto& [puzzle, seats] : solved_)
    for (const auto& [seat, meters] : seats) out.push_back({seat, puzzle, meters});
  return out;
}

}  // namespace tilewalk
