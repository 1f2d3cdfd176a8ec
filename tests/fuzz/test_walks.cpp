#include "core/io/embedded.h"
#include "core/judge/judge.h"
#include "core/walk/reader.h"
#include "core/walk/words.h"
#include "tests/fuzz/fuzz.h"

#include <doctest/doctest.h>

namespace tilewalk::test_walks {

// Read and, where that goes well, judged: run on all of its problems.
TEST_CASE("programs") {
  std::vector<std::string> seeds, pieces{"\n",
                                         "  ",
                                         "    ",
                                         ";",
                                         ":",
                                         ",",
                                         "#",
                                         "[i]",
                                         "[j-1]",
                                         "(",
                                         "\t",
                                         "load ",
                                         "store ",
                                         "pass x\n",
                                         "α",
                                         "′",
                                         "\xE2\x82",
                                         "e^(",
                                         "for each Q tile i:\n",
                                         "for each K/V tile j that i sees:\n",
                                         ", in parallel",
                                         "at the first visit:",
                                         "at the last visit:",
                                         "at the first turn:",
                                         "if i sees a key:",
                                         "else:",
                                         " of the block",
                                         " that sees no key",
                                         ", last to first",
                                         ", in any order"};
  for (std::string_view key :
       {"standard", "fa1", "fa1-kernel", "fa1-0.1", "fa2", "fa3", "standard-backward", "fa1-backward", "fa2-backward"})
    seeds.emplace_back(embedded_file("core/schedules/" + std::string(key) + ".walk"));
  for (const WalkForm& form : walk_forms()) pieces.push_back("  " + std::string(form.typed) + "\n");
  fuzz({"walks", seeds, pieces,
        [](const std::string& input) {
          const WalkRead read = read_walk(input);
          if (!read.program) {
            REQUIRE(!read.faults.empty());
            return false;
          }
          const Verdict verdict = judge(*read.program);
          REQUIRE((verdict.kind == Verdict::Kind::Exact) == (verdict.line == 0));
          return true;
        },
        // A line out, doubled or swapped, so that many can still be read; or anything.
        [](const FuzzedReader& reader, Dice& dice) {
          if (dice.one_in(3)) return changed_text(reader, dice);
          std::string text = dice.any(reader.seeds);
          for (size_t changes = 1 + dice.below(3); changes > 0; --changes) {
            const size_t at = text.find('\n', dice.below(text.size() + 1));
            if (at == text.npos) continue;
            const size_t end = std::min(text.find('\n', at + 1), text.size());
            const std::string line = text.substr(at, end - at);
            if (dice.one_in(2)) text.erase(at, end - at);
            if (dice.one_in(2)) text.insert(std::min(text.find('\n', dice.below(text.size() + 1)), text.size()), line);
            if (dice.one_in(3)) text.insert(at, "\n" + dice.any(reader.pieces));
          }
          return text;
        }});
}

}  // namespace tilewalk::test_walks
