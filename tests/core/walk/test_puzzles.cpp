// Puzzles: what a file of one may say, and that those that come with the program hold what they promise.
#include "core/puzzle/puzzle.h"

#include "core/io/embedded.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace tilewalk::test_puzzles {

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

std::string why_alpha() { return std::string(embedded_file("lessons/puzzles/why-alpha.puzzle")); }

std::string first_fault(const std::string& text) {
  const PuzzleRead read = read_puzzle(text, "why-alpha.puzzle");
  return read.faults.empty() ? "" : read.faults.front().message;
}

}  // namespace

TEST_CASE("each puzzle's start fails, its solution passes, and its near miss is told why") {
  std::set<std::string> ids;
  for (const auto& puzzle : shipped_puzzles()) {
    CAPTURE(puzzle->id);
    CHECK(ids.insert(puzzle->id).second);
    CHECK(puzzle_named(puzzle->id) == puzzle);
    const Attempt start = attempt(*puzzle, puzzle->start), near = attempt(*puzzle, puzzle->near_miss);
    CHECK_FALSE(start.solved());
    CHECK(attempt(*puzzle, puzzle->solution).solved());
    CHECK_FALSE(near.solved());
    CHECK(near.told.find(puzzle->near_says) != std::string::npos);
    for (const std::string& fault : puzzle_faults(*puzzle)) FAIL_CHECK(fault);
  }
  CHECK(ids.size() == 10);
}

TEST_CASE("a puzzle that breaks its promise is told which") {
  const auto faults_of = [](const std::string& text) {
    const PuzzleRead read = read_puzzle(text, "why-alpha.puzzle");
    REQUIRE(read.puzzle);
    return puzzle_faults(*read.puzzle);
  };
  CHECK(faults_of(why_alpha()).empty());
  const auto solved = faults_of(replaced(replaced(why_alpha(), "l = l + rowsum(P)", "l = alpha l + rowsum(P)"),
                                         "O = O + P V[j]", "O = alpha O + P V[j]"));
  REQUIRE(solved.size() == 1);
  CHECK(solved[0].starts_with("The start reaches"));
  const auto wrong =
      faults_of(replaced(why_alpha(), "  O = alpha O + P V[j]\n  O = O / l\n  store O[i]\n'''\nnear-miss",
                         "  O = O + P V[j]\n  O = O / l\n  store O[i]\n'''\nnear-miss"));
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].find("O was not rescaled") != std::string::npos);
  const auto other = faults_of(replaced(why_alpha(), "\"O was not rescaled\"", "\"the moon\""));
  REQUIRE(other.size() == 1);
  CHECK(other[0].starts_with("The near miss is not told \"the moon\""));
  const auto hit = faults_of(replaced(why_alpha(), "at-most = \"fa2\"", "at-most = 3"));
  REQUIRE(hit.size() == 1);
  CHECK(hit[0].find("Not yet. Products: yours 262,144, wanted at most 3.") != std::string::npos);
}

TEST_CASE("tiles that would take long are refused, whoever chose them") {
  const Puzzle& puzzle = *puzzle_named("fewest-bytes");
  CHECK(attempt(puzzle, {puzzle.solution.text, 4, 4}).told == "S would have more than 10,000 tiles: take larger ones.");
  CHECK_FALSE(attempt(puzzle, {puzzle.solution.text, 0, 4}).solved());
  CHECK(attempt(puzzle, {puzzle.solution.text, 240, 8}).solved());
}

TEST_CASE("what is wrong in a puzzle's file is said at its line") {
  CHECK(first_fault(why_alpha()).empty());
  CHECK(first_fault(replaced(why_alpha(), "matrix-flop", "joy")).starts_with("\"joy\" is not measured; these are:"));
  CHECK(first_fault(replaced(why_alpha(), "at-most = \"fa2\"", "")).find("at-most or at-least") != std::string::npos);
  CHECK(first_fault(replaced(why_alpha(), "n = 64", "n = 0")).find("n") != std::string::npos);
  CHECK(first_fault(replaced(why_alpha(), "hints = [", "hints = [ \"one more\",")).find("three hints") !=
        std::string::npos);
  CHECK(first_fault(replaced(why_alpha(), "measure = \"matrix-flop\"", "never = \"eat P\"")).find("no statement") !=
        std::string::npos);
  CHECK(first_fault(replaced(why_alpha(), "S = Q[i]", "S = R[i]")).starts_with("start, line "));
  CHECK(first_fault(replaced(why_alpha(), "n = 64", "n = 1000000")).starts_with("S has more than 10000 tiles here"));
  std::string many = why_alpha();
  for (int k = 0; k < 12; ++k) many += "[[goal]]\nnever = \"store P\"\n";
  CHECK(first_fault(many) == "A puzzle has 12 goals at most.");
  CHECK_FALSE(first_fault("title = 3").empty());
  CHECK_FALSE(first_fault("[[[").empty());
  CHECK_FALSE(first_fault(std::string(kMostPuzzleBytes + 1, 'x')).empty());
}

}  // namespace tilewalk::test_puzzles
