#include "core/io/embedded.h"
#include "core/puzzle/puzzle.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_puzzles {

// Read and, where that goes well, tried: its three programs are judged and metered.
TEST_CASE("puzzles") {
  std::vector<std::string> seeds;
  for (const auto& puzzle : shipped_puzzles())
    seeds.emplace_back(embedded_file("lessons/puzzles/" + puzzle->id + ".puzzle"));
  fuzz({"puzzles",
        seeds,
        {"\n", "[[goal]]\n", "[problem]\n", "never = \"store P\"\n", "at-most = ", "\"fa2\"", "n = ", "999999999999",
         "'''", "\"", "tiles = \"chosen\"\n", "solution-br = 1\n", "hints = [", "]", "=", "1e400", "-1", "\xE2\x82"},
        [](const std::string& input) {
          const PuzzleRead read = read_puzzle(input, "fuzzed.puzzle");
          REQUIRE((read.puzzle == nullptr) != read.faults.empty());
          if (read.puzzle) puzzle_faults(*read.puzzle);
          return read.puzzle != nullptr;
        },
        [](const FuzzedReader& reader, Dice& dice) { return changed_text(reader, dice); }});
}

}  // namespace tilewalk::test_puzzles
